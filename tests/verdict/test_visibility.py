"""Contract section 6: a completed call with one half visible and the other hidden."""

from tests.kit.builders import (
    HIDDEN,
    call,
    diagnostics,
    opened,
    plan,
    reconciled,
    recovery_decision,
    replay,
    response,
    t1,
    t2,
    user,
)


def test_a_visible_call_with_a_hidden_response_is_a_conflict() -> None:
    """The conflict's event is the visible call."""
    assert diagnostics(user(), call(), response(**HIDDEN)) == [("tool_visibility_conflict", "e2", "a")]


def test_a_hidden_call_with_a_visible_response_is_a_conflict() -> None:
    """The conflict's event is the visible response, which is unmatched besides."""
    assert diagnostics(user(), call(**HIDDEN), response()) == [
        ("tool_visibility_conflict", "e3", "a"),
        ("unmatched_tool_result", "e3", "a"),
    ]


def test_halves_of_one_visibility_are_no_conflict() -> None:
    """Both halves seen, or neither, is as it should be."""
    assert diagnostics(user(), call(), response()) == []
    assert diagnostics(user(), call(**HIDDEN), response(**HIDDEN)) == []


def test_visible_and_absent_are_the_same() -> None:
    """A call that says visible and a response that says nothing are both seen."""
    assert diagnostics(user(), call(modelVisibility="visible"), response()) == []


def test_the_visibility_of_t1_does_not_count() -> None:
    """T1 is no half of a call: whether it is seen makes no conflict."""
    assert diagnostics(user(), call(), t1(**HIDDEN), t2()) == []


def test_a_call_that_recovery_completed_counts() -> None:
    """A half-hidden call is in conflict however it was completed."""
    decision = recovery_decision(["e2", "e3", "e4", "e5"], outcome="e5")
    assert diagnostics(user(), call(), t1(), reconciled(), t2(**HIDDEN), decision) == [
        ("tool_visibility_conflict", "e2", "a")
    ]


def test_an_operation_that_is_not_completed_is_in_no_visibility_conflict() -> None:
    """A corrupt operation is named for its corruption alone."""
    codes = {code for code, _, _ in diagnostics(user(), call(), response(name="Other", **HIDDEN))}
    assert codes == {"tool_ledger_corruption", "tool_recovery_corruption"}


def test_a_conflict_blocks_and_replays_neither_half() -> None:
    """The plan is blocked, and the visible half is not in the replay."""
    rows = (opened(), call(), response(**HIDDEN))
    assert plan(*rows).rejection_reasons == ("dangling_tool_state",)
    assert replay(*rows) == ["e1"]


def test_a_conflict_is_not_open() -> None:
    """There is nothing that a person could settle."""
    assert plan(user(), call(), response(**HIDDEN)).open_operations == ()
