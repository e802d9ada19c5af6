"""Contract section 4, rule 6: T1."""

import pytest

from resume_gate.events.codec import decode_event
from resume_gate.verdict.recovery import recover
from tests.kit.builders import (
    ARGS,
    OTHER_TURN,
    call,
    decided,
    issues,
    ledger,
    recovered,
    refs,
    response,
    t1,
    t2,
    text_of,
    user,
)

_WRONG = "sha256:" + "0" * 64


def test_a_dispatch_after_its_call_is_no_issue() -> None:
    """T1 that agrees with its call is attached to it."""
    assert issues(user(), call(), t1()) == []
    found = decided(user(), call(), t1())
    assert (found.operation_id, found.dispatch_event_id) == ("op-a", "e3")


def test_a_dispatch_with_no_operation_opens_one_out_of_order() -> None:
    """T1 without a call is event_order_conflict, and an operation all the same."""
    assert issues(user(), t1()) == [("event_order_conflict", "e2")]
    assert decided(user(), t1()).dispatch_event_id == "e2"


def test_a_dispatch_of_another_invocation_finds_no_call() -> None:
    """T1 belongs to the call of its own invocation only."""
    assert issues(user(), call(), t1(**OTHER_TURN)) == [("event_order_conflict", "e3")]


def test_a_second_dispatch_is_skipped() -> None:
    """A second T1 is duplicate_dispatch and is not compared any further."""
    assert issues(user(), call(), t1(), t1()) == [("duplicate_dispatch", "e4")]
    assert issues(user(), call(), t1(), t1(name="Other", args_hash=_WRONG)) == [("duplicate_dispatch", "e4")]
    assert decided(user(), call(), t1(), t1(op="op-b")).operation_id == "op-a"


def test_a_second_dispatch_binds_no_operation_id() -> None:
    """The operation id of a skipped T1 is free for another call."""
    rows = (user(), call("a"), t1("a"), t1("a", op="op-b"), call("b"), t1("b", op="op-b"))
    assert issues(*rows) == [("duplicate_dispatch", "e4")]


def test_an_operation_id_of_another_operation_is_a_duplicate() -> None:
    """T1 under an operation id that is bound already is duplicate_operation and is skipped."""
    rows = (user(), call("a"), t1("a"), call("b"), t1("b", op="op-a"))
    assert issues(*rows) == [("duplicate_operation", "e5")]
    assert [decision.dispatch_event_id for decision in recovered(*rows).decisions] == ["e3", None]


def test_a_duplicate_operation_counts_for_both() -> None:
    """Both the operation that has the id and the one that claims it are corrupt."""
    rows = (user(), call("a"), t1("a"), call("b"), t1("b", op="op-a"))
    assert [decision.reason for decision in recovered(*rows).decisions] == ["duplicate_operation"] * 2


def test_an_operation_id_is_bound_across_invocations() -> None:
    """One operation id names one operation of the whole run."""
    rows = (user(), call(), t1(), user(**OTHER_TURN), call(**OTHER_TURN), t1(**OTHER_TURN))
    assert issues(*rows) == [("duplicate_operation", "e6")]


def test_a_duplicate_operation_is_not_compared_any_further() -> None:
    """Name and hash of a skipped T1 are no issues of their own."""
    rows = (user(), call("a"), t1("a"), call("b"), t1("b", op="op-a", name="Other", args_hash=_WRONG))
    assert issues(*rows) == [("duplicate_operation", "e5")]


def test_a_dispatch_without_operation_may_also_be_a_duplicate() -> None:
    """T1 without a call, under an id that is bound, is out of order first and a duplicate then."""
    rows = (user(), call("a"), t1("a"), t1("b", op="op-a"))
    assert issues(*rows) == [("event_order_conflict", "e4"), ("duplicate_operation", "e4")]


def test_another_tool_name_is_an_identity_conflict() -> None:
    """T1 has to name its call's tool."""
    hashed = t1()["actions"]["toolDispatch"]["canonicalArgsHash"]
    assert issues(user(), call(), t1(name="Other", args_hash=hashed)) == [("identity_conflict", "e3")]


@pytest.mark.parametrize("given", [refs("b", "op-a"), refs("a", "op-b"), refs("", ""), refs("b")], ids=str)
def test_refs_that_do_not_name_the_operation_are_an_identity_conflict(given: dict[str, str]) -> None:
    """The refs of T1 name its own operation and call."""
    assert issues(user(), call(), t1(refs=given)) == [("identity_conflict", "e3")]


def test_the_refs_are_compared_without_a_call_too() -> None:
    """T1 that comes first has to name itself all the same."""
    assert issues(user(), t1(refs=refs("a", "op-b"))) == [("event_order_conflict", "e2"), ("identity_conflict", "e2")]


@pytest.mark.parametrize("key", ["sessionId", "runId", "turnId"])
def test_another_execution_identity_is_an_identity_conflict(key: str) -> None:
    """T1 is of its call's session, run and turn; the invocation is in conflict besides."""
    assert issues(user(), call(), t1(**{key: "other"})) == [
        ("invocation_identity_conflict", "e3"),
        ("identity_conflict", "e3"),
    ]


def test_identity_is_compared_only_where_a_call_is_there() -> None:
    """T1 of another turn than the run's, with no call, is out of order and in the invocation's conflict only."""
    assert issues(user(), t1(turnId="turn-2")) == [
        ("invocation_identity_conflict", "e2"),
        ("event_order_conflict", "e2"),
    ]


@pytest.mark.parametrize("given", [_WRONG, "", "zzz"])
def test_another_hash_is_a_conflict(given: str) -> None:
    """T1 has to hold the hash of its call's name and arguments."""
    dispatch = t1()["actions"]["toolDispatch"] | {"canonicalArgsHash": given}
    assert issues(user(), call(), t1(actions={"toolDispatch": dispatch})) == [("canonical_args_hash_conflict", "e3")]


def test_the_hash_is_of_the_calls_name() -> None:
    """T1 that names another tool, with that tool's hash, is in both conflicts."""
    assert issues(user(), call(), t1(name="Other")) == [
        ("identity_conflict", "e3"),
        ("canonical_args_hash_conflict", "e3"),
    ]


def test_arguments_that_cannot_be_hashed_count_as_different() -> None:
    """Arguments with a number that overflows agree with no hash."""
    row = text_of({"id": "e0", **call(args="@")}).replace(b'"@"', b"1e400")
    found = recover([decode_event(row), *ledger(t1(args_hash=_WRONG))])
    assert [tuple(issue) for issue in found.issues] == [("canonical_args_hash_conflict", "e1")]


def test_the_hash_is_not_compared_without_a_call() -> None:
    """A call that comes after its T1 is not hashed: the operation is corrupt already."""
    assert issues(user(), t1(args_hash=_WRONG), call()) == [("event_order_conflict", "e2")]


def test_a_dispatch_after_the_response_is_out_of_order() -> None:
    """T1 that finds a response there is event_order_conflict."""
    assert issues(user(), call(), t2(), t1()) == [("event_order_conflict", "e4")]


def test_a_response_that_the_dispatch_does_not_fit_is_in_conflict_itself() -> None:
    """A response whose refs do not name the late T1's operation is identity_conflict, at the response."""
    assert issues(user(), call(), response(), t1()) == [("event_order_conflict", "e4"), ("identity_conflict", "e3")]


def test_a_response_of_another_turn_than_the_dispatch_is_in_conflict_itself() -> None:
    """A response of another execution identity than the late T1's is identity_conflict, at the response."""
    rows = (user(), call(turnId="turn-2"), t2(turnId="turn-2"), t1())
    assert issues(*rows)[-3:] == [
        ("identity_conflict", "e4"),
        ("event_order_conflict", "e4"),
        ("identity_conflict", "e3"),
    ]


@pytest.mark.parametrize("args", [ARGS, {}, None, [], "", 0, {"required": ["b", "a"], "__proto__": 1}], ids=str)
def test_any_arguments_agree_with_their_own_hash(args: object) -> None:
    """T1 with the hash of its call's arguments agrees, whatever they are."""
    assert issues(user(), call(args=args), t1(args=args)) == []
