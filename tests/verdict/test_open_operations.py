"""Contract section 6: what a person would have to settle."""

import pytest

from tests.kit.builders import HIDDEN, Row, call, opened, plan, reconciled, recovery_decision, response, t1, t2, user


def _open(*rows: Row) -> list[str]:
    return [operation.tool_call_id for operation in plan(*rows).open_operations]


def test_an_indeterminate_call_is_open() -> None:
    """A call that may have run is to be settled, with T1 or without."""
    assert _open(user(), call()) == _open(user(), call(), t1()) == _open(opened(), call(), t1()) == ["a"]


def test_a_hidden_indeterminate_call_is_open_too() -> None:
    """That the model never saw a call does not make its effect known."""
    assert _open(user(), call(**HIDDEN)) == _open(opened(), call(**HIDDEN), t1()) == ["a"]


def test_a_visible_call_that_never_ran_is_open() -> None:
    """The model waits for a result of it."""
    assert _open(opened(), call()) == ["a"]


def test_a_hidden_call_that_never_ran_is_not_open() -> None:
    """A call that never ran and that nobody saw needs nobody."""
    assert _open(opened(), call(**HIDDEN)) == []


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([call(), response()], id="completed"),
        pytest.param([call(), response(is_error=True)], id="failed"),
        pytest.param([call(), call()], id="corrupt"),
        pytest.param([call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"])], id="parked"),
        pytest.param([t1()], id="orphan dispatch"),
        pytest.param([response()], id="orphan response"),
    ],
)
def test_nothing_else_is_open(rows: list[Row]) -> None:
    """What is settled, parked or corrupt cannot be settled by a person's word."""
    assert _open(user(), *rows) == []


def test_open_operations_say_where_they_stand() -> None:
    """Invocation, operation id, reason and visibility tell a person which call it is."""
    (found,) = plan(user(), call(), t1()).open_operations
    assert (found.invocation_id, found.operation_id) == ("inv-1", "op-a")
    assert (found.reason, found.hidden) == ("dispatch_without_response", False)


def test_a_call_without_t1_has_no_operation_id() -> None:
    """An operation id comes with T1."""
    (found,) = plan(user(), call(**HIDDEN)).open_operations
    assert (found.operation_id, found.reason, found.hidden) == (None, "legacy_dispatch_unknown", True)


def test_since_is_the_time_of_t1() -> None:
    """A dispatched call is open since its T1."""
    (found,) = plan(user(ts=1), call(ts=2), t1(ts=3.5), user(ts=9)).open_operations
    assert found.since == 3.5


def test_since_is_the_time_of_the_call_without_t1() -> None:
    """A call without T1 is open since it was made."""
    (found,) = plan(user(ts=1), call(ts=2), user(ts=9)).open_operations
    assert found.since == 2


def test_an_open_operation_is_also_an_operation() -> None:
    """An open visible call stands in both lists, with the same facts."""
    found = plan(user(), call("a", "Write", {"x": 1}), t1("a", "Write", {"x": 1}))
    (operation,), (opened_one,) = found.operations, found.open_operations
    same = ("tool_call_id", "tool_name", "args", "status", "call_event_id", "response_event_id", "is_error")
    assert [getattr(operation, name) for name in same] == [getattr(opened_one, name) for name in same]


def test_open_siblings_are_listed_one_by_one() -> None:
    """Of parallel calls only those without a result are open."""
    rows = (user(), *(call(name) for name in "abc"), t1("a"), t1("b"), t1("c"), t2("b"))
    assert _open(*rows) == ["a", "c"]


def test_a_safe_plan_has_none() -> None:
    """Nothing is open where the run may go on."""
    found = plan(opened(), call(), t1(), t2(), call("n", **HIDDEN))
    assert found.safe
    assert found.open_operations == ()
