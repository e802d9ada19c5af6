"""Contract section 4, rule 3: the actions of a call."""

from typing import Any

import pytest

from tests.kit.builders import call, issues, user

_CONFLICT = [("semantic_lane_conflict", "e2")]


@pytest.mark.parametrize("key", ["activityKind", "displayName", "intent"])
def test_a_call_may_describe_itself(key: str) -> None:
    """A state delta of strings under the three known keys fits a call."""
    assert issues(user(), call(actions={"stateDelta": {key: "x"}})) == []


def test_a_call_may_describe_itself_in_all_ways() -> None:
    """All three keys together, with any strings, fit a call."""
    delta = {"activityKind": "", "displayName": "\u00e9\ud83d", "intent": "x"}
    assert issues(user(), call(actions={"stateDelta": delta})) == []


@pytest.mark.parametrize(
    "delta",
    [{}, {"other": "x"}, {"intent": "x", "other": "x"}, {"intent": 1}, {"intent": None}, {"intent": ["x"]}],
    ids=str,
)
def test_a_state_delta_of_anything_else_is_a_conflict(delta: Any) -> None:
    """An empty state delta, another key or a value that is no string does not fit a call."""
    assert issues(user(), call(actions={"stateDelta": delta})) == _CONFLICT


@pytest.mark.parametrize(
    "actions",
    [{}, {"endInvocation": False}, {"artifactDelta": {}}, {"stateDelta": {"intent": "x"}, "tokenUsage": {}}],
    ids=str,
)
def test_a_call_has_no_other_actions(actions: Any) -> None:
    """Empty actions, or any action but the state delta, do not fit a call."""
    assert issues(user(), call(actions=actions)) == _CONFLICT


@pytest.mark.parametrize("refs", [{}, {"toolCallId": "x"}, {"operationId": "x", "stepId": "y"}], ids=str)
def test_a_call_may_have_any_refs(refs: Any) -> None:
    """The refs of a call are no part of its envelope."""
    assert issues(user(), call(refs=refs)) == []
