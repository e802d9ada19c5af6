"""Contract section 4, rule 7: responses."""

import pytest

from tests.kit.builders import OTHER_TURN, call, decided, issues, recovered, refs, response, t1, t2, user


def test_a_response_settles_its_call() -> None:
    """A response after its call is attached to it, without an issue."""
    assert issues(user(), call(), response()) == []
    assert decided(user(), call(), response()).response_event_id == "e3"


def test_a_response_with_no_operation_is_an_orphan() -> None:
    """A response without a call opens an operation with orphan_response."""
    assert issues(user(), response()) == [("orphan_response", "e2")]
    assert decided(user(), response()).response_event_id == "e2"


def test_a_response_of_another_invocation_is_an_orphan() -> None:
    """A response settles the call of its own invocation only."""
    assert issues(user(), call(), response(**OTHER_TURN)) == [("orphan_response", "e3")]


def test_a_second_response_is_skipped() -> None:
    """A second response is duplicate_response; the first stays the operation's."""
    rows = (user(), call(), response(), response(name="Other", is_error=True))
    assert issues(*rows) == [("duplicate_response", "e4")]
    assert (decided(*rows).response_event_id, decided(*rows).is_error) == ("e3", False)


def test_a_second_response_to_an_orphan_is_a_duplicate() -> None:
    """An orphan's operation takes one response as well."""
    assert issues(user(), response(), response()) == [("orphan_response", "e2"), ("duplicate_response", "e3")]


def test_another_name_is_an_identity_conflict() -> None:
    """A response has to name its call's tool."""
    assert issues(user(), call(), response(name="Other")) == [("identity_conflict", "e3")]


def test_no_call_is_an_identity_conflict() -> None:
    """A response to an operation that only a T1 opened is identity_conflict."""
    assert issues(user(), t1(), t2()) == [("event_order_conflict", "e2"), ("identity_conflict", "e3")]


@pytest.mark.parametrize("key", ["sessionId", "runId", "turnId"])
def test_a_call_of_another_execution_identity_is_an_identity_conflict(key: str) -> None:
    """A response is of its call's session, run and turn."""
    assert ("identity_conflict", "e3") in issues(user(), call(), response(**{key: "other"}))


@pytest.mark.parametrize("given", [{}, refs("b", "op-a"), refs("a", "op-b"), {"operationId": "op-a"}], ids=str)
def test_refs_name_the_bound_operation(given: dict[str, str]) -> None:
    """Where T1 bound the operation, the response's refs name it and its call."""
    assert issues(user(), call(), t1(), response(refs=given)) == [("identity_conflict", "e4")]
    assert issues(user(), call(), t1(), response()) == [("identity_conflict", "e4")]
    assert issues(user(), call(), t1(), t2()) == []


def test_more_refs_do_no_harm() -> None:
    """A response may refer to other things besides."""
    assert issues(user(), call(), t1(), t2(refs={**refs(), "stepId": "s", "storedMessageId": "m"})) == []


@pytest.mark.parametrize("given", [{}, refs("b", "op-b"), {"stepId": "s"}], ids=str)
def test_without_a_dispatch_refs_are_free(given: dict[str, str]) -> None:
    """Where no T1 bound the operation, the response's refs are not compared."""
    assert issues(user(), call(), response(refs=given)) == []


def test_a_response_in_conflict_is_attached() -> None:
    """A response in conflict is the operation's response all the same."""
    assert decided(user(), call(), response(name="Other")).response_event_id == "e3"


def test_siblings_are_settled_in_any_order() -> None:
    """Parallel calls take their responses in whatever order they come."""
    rows = (user(), call("a"), call("b"), t1("a"), t1("b"), t2("b"), t2("a"))
    assert issues(*rows) == []
    assert [decision.response_event_id for decision in recovered(*rows).decisions] == ["e7", "e6"]
