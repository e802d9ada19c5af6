"""Contract section 4, rule 3: the actions of a response."""

from typing import Any

import pytest

from resume_gate.events.codec import decode_event
from resume_gate.verdict.recovery import recover
from tests.kit.builders import call, issues, ledger, response, text_of, user

_CONFLICT = [("semantic_lane_conflict", "e2")]


@pytest.mark.parametrize("duration", [0, 3, -1, 1.5, 1e300, 2**70])
def test_a_response_may_be_timed(duration: float) -> None:
    """A state delta with a finite duration fits a response."""
    assert issues(user(), call(), response(actions={"stateDelta": {"durationMs": duration}})) == []


@pytest.mark.parametrize(
    "delta",
    [
        {},
        {"durationMs": "3"},
        {"durationMs": None},
        {"durationMs": True},
        {"durationMs": [3]},
        {"durationMs": 3, "other": 1},
        {"duration": 3},
    ],
    ids=str,
)
def test_a_state_delta_of_anything_else_is_a_conflict(delta: Any) -> None:
    """An empty state delta, another key or a duration that is no number does not fit a response."""
    assert issues(user(), response(actions={"stateDelta": delta})) == _CONFLICT


@pytest.mark.parametrize("duration", [b"1e400", b"-1e400"])
def test_a_duration_that_overflows_is_a_conflict(duration: bytes) -> None:
    """A duration is finite."""
    row = text_of({"id": "e2", **response(actions={"stateDelta": {"durationMs": "@"}})}).replace(b'"@"', duration)
    found = recover([*ledger(user()), decode_event(row)])
    assert [tuple(issue) for issue in found.issues] == _CONFLICT


@pytest.mark.parametrize(
    "actions",
    [{}, {"endInvocation": True}, {"stateDelta": {"durationMs": 1}, "tokenUsage": {}}, {"artifactDelta": {"a": 1}}],
    ids=str,
)
def test_a_response_has_no_other_actions(actions: Any) -> None:
    """Empty actions, or any action but the state delta, do not fit a response."""
    assert issues(user(), response(actions=actions)) == _CONFLICT
