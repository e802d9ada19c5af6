"""Contract section 4, rule 2: one invocation belongs to one session, run and turn."""

import pytest

from tests.kit.builders import OTHER_TURN, call, diagnostics, issues, response, say, user, verdict


@pytest.mark.parametrize("key", ["sessionId", "runId", "turnId"])
def test_an_invocation_of_two_identities_is_an_issue(key: str) -> None:
    """The same invocation in another session, run or turn is invocation_identity_conflict."""
    assert issues(user(), say(**{key: "other"})) == [("invocation_identity_conflict", "e2")]


def test_two_invocations_may_share_a_turn() -> None:
    """Invocations of their own are in no conflict, whatever turn they are in."""
    assert issues(user(), say(invocationId="inv-2"), say(**OTHER_TURN, id="x")) == [
        ("invocation_identity_conflict", "x"),
    ]
    assert issues(user(), say(invocationId="inv-2"), say()) == []


def test_the_first_event_decides() -> None:
    """Each later event is compared with the invocation's first, not with the one before it."""
    assert issues(user(), say(turnId="turn-2"), say()) == [("invocation_identity_conflict", "e2")]


def test_partial_events_count() -> None:
    """A partial event binds its invocation, and is held to it."""
    assert issues(user(), say(partial=True, turnId="turn-2")) == [("invocation_identity_conflict", "e2")]
    assert issues(user(partial=True), say(turnId="turn-2")) == [("invocation_identity_conflict", "e2")]


def test_the_scan_goes_on() -> None:
    """An event in conflict is scanned all the same: it may settle its operation, in conflict with its call."""
    assert verdict(user(), call(turnId="turn-2"), response(turnId="turn-2")) == ("completed", "matching_response")
    assert issues(user(), call(), response(turnId="turn-2")) == [
        ("invocation_identity_conflict", "e3"),
        ("identity_conflict", "e3"),
    ]


def test_the_conflict_is_ledger_corruption_in_the_plan() -> None:
    """The plan names it tool_ledger_corruption, by the event and without a call."""
    assert diagnostics(user(), say(turnId="turn-2")) == [("tool_ledger_corruption", "e2", None)]
