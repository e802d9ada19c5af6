"""Contract section 6: the four prefixes of one call, in a ledger without the protocol marker."""

import pytest

from tests.kit.builders import Row, call, end, opened, plan, replay, response, t1, t2, user

_UNTIL_T2: list[Row] = [user(), call(), response()]


def test_before_any_call_the_run_is_safe() -> None:
    """Nothing was asked for: safe, without an operation."""
    found = plan(user())
    assert (found.disposition, found.operations) == ("safe_replay", ())


def test_after_the_call_the_run_is_blocked() -> None:
    """The call may have run: blocked, indeterminate, and absent from the replay."""
    found = plan(user(), call())
    assert (found.disposition, found.rejection_reasons) == ("blocked", ("dangling_tool_state",))
    assert [operation.status for operation in found.operations] == ["indeterminate"]
    assert replay(user(), call()) == ["e1"]


def test_after_t1_it_stays_so() -> None:
    """T1 alone does not say that the tool ended."""
    found = plan(user(), call(), t1())
    assert (found.disposition, found.operations[0].status) == ("blocked", "indeterminate")
    assert "e2" not in replay(user(), call(), t1())


@pytest.mark.parametrize(("is_error", "status"), [(False, "succeeded"), (True, "failed")])
def test_after_the_response_the_run_is_safe(is_error: bool, status: str) -> None:
    """The outcome is known: safe, and call and response are both in the replay."""
    rows = (user(), call(), response(is_error=is_error))
    found = plan(*rows)
    assert (found.disposition, found.operations[0].status) == ("safe_replay", status)
    assert replay(*rows) == ["e1", "e2", "e3"]


def test_after_the_terminal_event_the_plan_is_that_of_the_prefix_before() -> None:
    """The terminal event stays in the ledger and changes nothing but the terminal status and the high-water."""
    before, after = plan(*_UNTIL_T2), plan(*_UNTIL_T2, end())
    same = {"terminal_status", "source_high_water", "plan_digest"}
    assert before.model_dump(exclude=same) == after.model_dump(exclude=same)
    assert (after.terminal_status, after.source_high_water) == ("completed", 4)
    assert replay(*_UNTIL_T2, end())[-1] == "e4"


def test_with_the_marker_a_call_without_t1_is_blocked_as_well() -> None:
    """The call never ran, and the run is blocked until that is recorded."""
    found = plan(opened(), call())
    assert (found.disposition, found.operations[0].status) == ("blocked", "not_dispatched")


def test_with_the_marker_t1_makes_it_indeterminate() -> None:
    """From T1 on the marker changes nothing."""
    assert plan(opened(), call(), t1()).operations[0].status == "indeterminate"
    assert plan(opened(), call(), t1(), t2()).operations[0].status == "succeeded"
