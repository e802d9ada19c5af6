"""Contract section 4, rule 1: an event id seen before."""

from tests.kit.builders import MARKER, call, diagnostics, issues, plan, recovered, response, t1, user


def test_an_id_seen_before_is_an_issue() -> None:
    """The second event of an id is duplicate_event_id."""
    assert issues(user(), user(id="e1")) == [("duplicate_event_id", "e1")]


def test_each_repetition_is_an_issue() -> None:
    """Every further event of the id is an issue of its own."""
    assert issues(user(), user(id="e1"), user(id="e1")) == [("duplicate_event_id", "e1")] * 2


def test_an_equal_event_is_a_duplicate_too() -> None:
    """That the content is the same does not make the repetition legal."""
    assert issues(user(id="x"), user(id="x")) == [("duplicate_event_id", "x")]


def test_a_duplicate_is_skipped() -> None:
    """A repeated event opens, dispatches and settles nothing."""
    found = recovered(user(), call("a", id="e1"), t1("a", id="e1"), response("a", id="e1"))
    assert found.decisions == []
    assert {issue.code for issue in found.issues} == {"duplicate_event_id"}


def test_a_skipped_duplicate_binds_no_invocation() -> None:
    """A repeated event of another turn is no second issue."""
    assert issues(user(), user(id="e1", turnId="turn-9")) == [("duplicate_event_id", "e1")]


def test_a_skipped_duplicate_still_counts_for_the_marker() -> None:
    """A repeated event that carries the protocol marker is named for that as well."""
    assert issues(user(), user(id="e1", actions=MARKER)) == [
        ("protocol_marker_invalid", "e1"),
        ("duplicate_event_id", "e1"),
    ]


def test_a_duplicate_is_named_in_the_plan() -> None:
    """The plan's diagnostic has the issue's own code, and blocks."""
    assert diagnostics(user(), user(id="e1")) == [("duplicate_event_id", "e1", None)]
    assert plan(user(), user(id="e1")).rejection_reasons == ("dangling_tool_state",)
