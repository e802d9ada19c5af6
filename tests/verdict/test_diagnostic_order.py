"""Contract section 6: diagnostics are sorted by code, event id, call id."""

from resume_gate.verdict.plan import build_resume_plan
from tests.kit.builders import call, diagnostics, ledger, response, user


def test_codes_come_first() -> None:
    """Whatever order the findings are in, their codes are in order."""
    codes = [code for code, _, _ in diagnostics(user(), call("z"), response("y"), user(id="e1"), call("a", branch="b"))]
    assert codes == sorted(codes)
    assert len(codes) == 5


def test_event_ids_come_second() -> None:
    """Findings of one code are in the order of their event ids, as text."""
    found = diagnostics(user(), call("a", id="x10"), call("b", id="x2"), call("c", id="x1"))
    assert [event_id for _, event_id, _ in found] == ["x1", "x10", "x2"]


def test_call_ids_come_last() -> None:
    """Findings of one code about one event id are in the order of their call ids."""
    rows = (user(), response("b", id="x"), response("a", id="x"))
    assert [row for row in diagnostics(*rows) if row[0] == "unmatched_tool_result"] == [
        ("unmatched_tool_result", "x", "a"),
        ("unmatched_tool_result", "x", "b"),
    ]


def test_the_sort_does_not_depend_on_the_ledger() -> None:
    """The same findings in another file order are listed alike."""
    rows = (user(), call("a", id="y"), call("b", id="x"))
    assert diagnostics(*rows) == diagnostics(*rows[::-1])


def test_an_absent_event_id_sorts_first() -> None:
    """A finding about the whole ledger stands before those of its code that name an event."""
    found = build_resume_plan(ledger(user(), call()), expected_high_water=9).diagnostics
    assert [diagnostic.code for diagnostic in found] == ["pending_tool_result", "runtime_offset_mismatch"]
    assert found[1].event_id is found[1].tool_call_id is None
