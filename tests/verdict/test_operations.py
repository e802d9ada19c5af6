"""Contract section 6: the operations that a plan lists."""

import pytest
from msgspec import Raw

from resume_gate.verdict.plan import PlannedOperation
from tests.kit.builders import (
    HIDDEN,
    OTHER_TURN,
    Row,
    call,
    opened,
    plan,
    reconciled,
    recovery_decision,
    response,
    t1,
    t2,
    user,
)

_STATUS: dict[str, tuple[list[Row], str]] = {
    "succeeded": ([user(), call(), response()], "succeeded"),
    "succeeded, said so": ([user(), call(), response(is_error=False)], "succeeded"),
    "failed": ([user(), call(), response(is_error=True)], "failed"),
    "indeterminate": ([user(), call()], "indeterminate"),
    "indeterminate after T1": ([opened(), call(), t1()], "indeterminate"),
    "not dispatched": ([opened(), call()], "not_dispatched"),
    "parked": ([user(), call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"])], "parked"),
    "corruption": ([user(), call(), call()], "corruption"),
    "recovered": (
        [user(), call(), t1(), reconciled(), t2(), recovery_decision(["e2", "e3", "e4", "e5"], outcome="e5")],
        "succeeded",
    ),
}


@pytest.mark.parametrize("name", _STATUS)
def test_an_operation_has_one_of_six_statuses(name: str) -> None:
    """A completed call succeeded or failed; every other status keeps its meaning."""
    rows, status = _STATUS[name]
    assert [operation.status for operation in plan(*rows).operations] == [status]


def test_an_operation_holds_what_its_call_said() -> None:
    """Call id, tool name and arguments are the call's; the event ids are call's and response's."""
    (operation,) = plan(user(), call("c", "Write", {"path": ["x", None, 1.5]}), response("c", "Write")).operations
    assert operation == PlannedOperation(
        tool_call_id="c",
        tool_name="Write",
        args_text=Raw(b'{"path": ["x", null, 1.5]}'),
        status="succeeded",
        call_event_id="e2",
        response_event_id="e3",
        is_error=False,
    )


def test_an_open_call_has_no_response() -> None:
    """Where there is no response, its event id and error flag are null."""
    (operation,) = plan(user(), call()).operations
    assert (operation.response_event_id, operation.is_error) == (None, None)


def test_only_visible_calls_are_listed() -> None:
    """Hidden calls, and operations that have no call, are no operations of the plan."""
    rows = (user(), call("a", **HIDDEN), response("a", **HIDDEN), response("b"), t1("c"), call("d"))
    assert [operation.tool_call_id for operation in plan(*rows).operations] == ["d"]


def test_operations_are_in_the_order_they_were_opened() -> None:
    """The plan lists operations in ledger order, whatever order they ended in."""
    rows = (user(), call("b"), call("a"), response("a"), response("b"))
    assert [operation.tool_call_id for operation in plan(*rows).operations] == ["b", "a"]


def test_a_call_id_used_twice_is_two_operations() -> None:
    """Two invocations that reuse a call id have an operation each."""
    rows = (user(), call(), response(), user(**OTHER_TURN), call(**OTHER_TURN))
    assert [(operation.call_event_id, operation.status) for operation in plan(*rows).operations] == [
        ("e2", "succeeded"),
        ("e5", "indeterminate"),
    ]


def test_a_call_opened_by_its_response_names_the_calls_tool() -> None:
    """The tool of a corrupt operation is the one that its call names."""
    (operation,) = plan(user(), response(name="Other"), call(name="Bash")).operations
    assert (operation.tool_name, operation.status) == ("Bash", "corruption")


def test_no_call_is_no_operation() -> None:
    """A ledger without a call, and an empty one, list nothing."""
    assert plan().operations == plan(user(), response()).operations == ()
