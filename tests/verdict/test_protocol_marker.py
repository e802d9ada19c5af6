"""Contract section 4, rule 9: the protocol marker."""

import pytest

from tests.kit.builders import MARKER, Row, call, diagnostics, end, event, issues, opened, plan, recovered, user


def test_the_marker_is_legal_on_the_first_event() -> None:
    """A ledger may open with the marker."""
    assert issues(opened()) == []
    assert recovered(opened()).protocol


@pytest.mark.parametrize(
    "row", [event("system", "host", actions=MARKER), user(partial=True, actions=MARKER), end(actions=MARKER)]
)
def test_any_first_event_may_carry_it(row: Row) -> None:
    """Which event comes first is free; a marker on it counts."""
    assert recovered(row).protocol


def test_a_ledger_without_it_has_no_protocol() -> None:
    """Without the marker nothing says when a tool may have started."""
    assert not recovered(user()).protocol
    assert not recovered().protocol


def test_the_marker_is_illegal_on_a_later_event() -> None:
    """Anywhere but on the first event it is protocol_marker_invalid, and does not count."""
    assert issues(user(), user(actions=MARKER)) == [("protocol_marker_invalid", "e2")]
    assert not recovered(user(), user(actions=MARKER)).protocol


def test_a_second_marker_is_illegal_and_the_first_still_counts() -> None:
    """A second marker is an issue that does not take the first one back."""
    assert issues(opened(), user(actions=MARKER)) == [("protocol_marker_invalid", "e2")]
    assert recovered(opened(), user(actions=MARKER)).protocol


def test_a_late_marker_on_a_partial_event_is_illegal_too() -> None:
    """That a partial event is skipped does not make its marker legal."""
    assert issues(user(), user(partial=True, actions=MARKER)) == [("protocol_marker_invalid", "e2")]


def test_marker_issues_come_before_all_others() -> None:
    """Whatever the scan found before, issues about the marker are listed first, in file order."""
    rows = (user(), user(id="e1"), call(), call(), user(actions=MARKER), user(actions=MARKER))
    assert issues(*rows) == [
        ("protocol_marker_invalid", "e5"),
        ("protocol_marker_invalid", "e6"),
        ("duplicate_event_id", "e1"),
        ("duplicate_call", "e4"),
    ]


def test_other_issues_are_in_file_order() -> None:
    """All other issues are listed as the pass found them."""
    rows = (user(), call("b"), call("b"), call("a", branch="x"), user(id="e1"), call("b"))
    assert issues(*rows) == [
        ("duplicate_call", "e3"),
        ("semantic_lane_conflict", "e4"),
        ("duplicate_event_id", "e1"),
        ("duplicate_call", "e6"),
    ]


def test_the_plan_names_it() -> None:
    """The plan's diagnostic has the issue's own code, and blocks."""
    assert diagnostics(user(), user(actions=MARKER)) == [("protocol_marker_invalid", "e2", None)]
    assert not plan(user(), user(actions=MARKER)).safe
