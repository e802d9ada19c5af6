"""Contract section 6: one diagnostic for each finding."""

import pytest

from tests.kit.builders import (
    HIDDEN,
    OTHER_TURN,
    Row,
    call,
    diagnostics,
    opened,
    plan,
    reconciled,
    recovery_decision,
    response,
    say,
    t1,
    t2,
    user,
)

_PARKED = (call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"]))


def test_an_indeterminate_call_is_pending() -> None:
    """pending_tool_result names call event and call id."""
    assert diagnostics(user(), call()) == [("pending_tool_result", "e2", "a")]
    assert diagnostics(opened(), call(), t1()) == [("pending_tool_result", "e2", "a")]


def test_a_hidden_indeterminate_call_is_pending_too() -> None:
    """A hidden call that may have run blocks as well."""
    assert diagnostics(user(), call(**HIDDEN)) == [("pending_tool_result", "e2", "a")]


def test_a_visible_call_that_never_ran_is_named() -> None:
    """tool_not_dispatched names the call."""
    assert diagnostics(opened(), call()) == [("tool_not_dispatched", "e2", "a")]


def test_a_hidden_call_that_never_ran_blocks_nothing() -> None:
    """A hidden call that never ran is no finding."""
    assert diagnostics(opened(), call(**HIDDEN)) == []
    assert plan(opened(), call(**HIDDEN)).safe


def test_a_parked_operation_is_named() -> None:
    """tool_recovery_parked names the call."""
    assert diagnostics(user(), *_PARKED) == [("tool_recovery_parked", "e2", "a")]


def test_a_hidden_parked_operation_is_named_too() -> None:
    """A hidden call that an earlier recovery could not settle blocks as well."""
    rows = [{**row, **HIDDEN} for row in _PARKED]
    assert diagnostics(user(), *rows) == [("tool_recovery_parked", "e2", "a")]


def test_a_corrupt_operation_is_named_by_its_call() -> None:
    """tool_recovery_corruption has the call's event id where there is a call."""
    assert diagnostics(user(), t1(), call()) == [
        ("tool_ledger_corruption", "e2", None),
        ("tool_recovery_corruption", "e3", "a"),
    ]


def test_a_corrupt_operation_without_call_is_named_by_its_dispatch() -> None:
    """tool_recovery_corruption has the T1's event id where there is no call."""
    assert diagnostics(user(), t1()) == [
        ("tool_ledger_corruption", "e2", None),
        ("tool_recovery_corruption", "e2", "a"),
    ]


def test_a_hidden_corrupt_operation_is_named_too() -> None:
    """A hidden call whose facts contradict one another blocks as well."""
    assert ("tool_recovery_corruption", "e2", "a") in diagnostics(user(), call(**HIDDEN), call(**HIDDEN))


def test_bad_recovery_facts_are_named_without_an_issue() -> None:
    """An operation may be corrupt where the ledger has no issue."""
    assert diagnostics(user(), call(), t1(), reconciled()) == [("tool_recovery_corruption", "e2", "a")]


def test_a_lone_visible_response_is_unmatched() -> None:
    """A response without a call is ledger corruption and unmatched, but no corrupt operation."""
    assert diagnostics(user(), response()) == [
        ("tool_ledger_corruption", "e2", None),
        ("unmatched_tool_result", "e2", "a"),
    ]


def test_a_lone_hidden_response_is_ledger_corruption_alone() -> None:
    """A hidden response without a call is named by its issue only, and blocks."""
    assert diagnostics(user(), response(**HIDDEN)) == [("tool_ledger_corruption", "e2", None)]
    assert plan(user(), response(**HIDDEN)).rejection_reasons == ("dangling_tool_state",)


def test_a_response_is_matched_by_a_call_of_any_invocation() -> None:
    """A response whose call id some visible call of the run has is not unmatched."""
    assert diagnostics(user(), call(), response(), response(**OTHER_TURN)) == [("tool_ledger_corruption", "e4", None)]


def test_a_later_call_matches_too() -> None:
    """For being unmatched, the order of call and response does not count."""
    codes = [code for code, _, _ in diagnostics(user(), response(), call())]
    assert codes == ["tool_ledger_corruption", "tool_recovery_corruption"]


def test_a_hidden_call_does_not_match() -> None:
    """A visible response to a hidden call is unmatched for the model."""
    assert ("unmatched_tool_result", "e3", "a") in diagnostics(user(), call(**HIDDEN), response())


def test_a_partial_response_is_not_unmatched() -> None:
    """A partial response is in conflict with its lane, and nothing else."""
    assert diagnostics(user(), response(partial=True)) == [("semantic_lane_conflict", "e2", None)]


def test_a_response_of_another_name_is_named() -> None:
    """tool_name_mismatch names the response, beside the conflict itself."""
    assert diagnostics(user(), call(), response(name="Other")) == [
        ("tool_ledger_corruption", "e3", None),
        ("tool_name_mismatch", "e3", "a"),
        ("tool_recovery_corruption", "e2", "a"),
    ]


def test_a_call_id_may_name_another_tool_in_another_invocation() -> None:
    """A response is compared with its own call, not with the same call id of another invocation."""
    rows = (user(), call(), response(), user(**OTHER_TURN))
    other = (call(name="Write", **OTHER_TURN), response(name="Write", **OTHER_TURN))
    assert diagnostics(*rows, *other) == []
    assert plan(*rows, *other).safe


@pytest.mark.parametrize("row", [call(branch="b"), response(status="completed"), call(role="user")])
def test_a_lane_conflict_keeps_its_name(row: Row) -> None:
    """semantic_lane_conflict is a diagnostic of the same name, without a call id."""
    assert ("semantic_lane_conflict", "e2", None) in diagnostics(user(), row)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([call(), call()], id="duplicate_call"),
        pytest.param([call(), t1(), t1()], id="duplicate_dispatch"),
        pytest.param([call(), response(), response()], id="duplicate_response"),
        pytest.param([call("b"), t1("b"), call(), t1(op="op-b")], id="duplicate_operation"),
        pytest.param([call(), t1(args={})], id="canonical_args_hash_conflict"),
        pytest.param([call(), t2(), t1()], id="event_order_conflict"),
        pytest.param([call(), response(name="x")], id="identity_conflict"),
        pytest.param([response()], id="orphan_response"),
        pytest.param([say(turnId="turn-2")], id="invocation_identity_conflict"),
    ],
)
def test_every_other_issue_is_ledger_corruption(rows: list[Row]) -> None:
    """All other issues are tool_ledger_corruption, at their event and without a call id."""
    found = diagnostics(user(), *rows)
    assert [row for row in found if row[0] == "tool_ledger_corruption"] == [
        ("tool_ledger_corruption", f"e{len(rows) + 1}", None)
    ]


def test_a_clean_ledger_has_none() -> None:
    """Where nothing is wrong nothing is said."""
    assert diagnostics(user(), call(), t1(), t2(), say()) == []


def test_every_diagnostic_has_words() -> None:
    """A diagnostic says in words what its code means."""
    rows = (user(), call(), call("b"), response("b", "Other"), response("c"))
    assert all(found.message for found in plan(*rows).diagnostics)
