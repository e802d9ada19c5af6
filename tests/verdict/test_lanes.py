"""Contract section 4, rule 3: an event is in at most one lane, and its envelope fits it."""

import pytest

from tests.kit.builders import (
    MARKER,
    Row,
    call,
    end,
    event,
    issues,
    reconciled,
    recovered,
    recovery_decision,
    response,
    say,
    t1,
    user,
)

_CALL = call()["content"]
_RESPONSE = response()["content"]
_DISPATCH = t1()["actions"]
_RECONCILED = reconciled()["actions"]
_LANES: dict[str, Row] = {
    "function_call": call(),
    "function_response": response(),
    "tool_dispatch": t1(),
    "reconcile_result": reconciled(),
    "recovery_decision": recovery_decision(["e1"]),
}
_CONFLICT = [("semantic_lane_conflict", "e2")]


@pytest.mark.parametrize("name", _LANES)
def test_a_fitting_envelope_is_no_conflict(name: str) -> None:
    """Each lane has an envelope that fits."""
    assert "semantic_lane_conflict" not in dict(issues(user(), _LANES[name]))


@pytest.mark.parametrize(
    "row",
    [
        call(actions=_DISPATCH),
        call(actions=_RECONCILED),
        response(actions=_DISPATCH),
        response(actions=_RECONCILED),
        t1(actions={**_DISPATCH, **_RECONCILED}),
        t1(content=_CALL),
        reconciled(content=_RESPONSE),
    ],
)
def test_two_lanes_are_a_conflict(row: Row) -> None:
    """An event in two lanes at once is semantic_lane_conflict."""
    assert issues(user(), row) == _CONFLICT


@pytest.mark.parametrize("name", _LANES)
@pytest.mark.parametrize(
    "keys",
    [
        {"partial": True},
        {"branch": ""},
        {"branch": "b"},
        *({"status": status} for status in ("streaming", "completed", "failed", "aborted", "cancelled")),
    ],
    ids=str,
)
def test_no_lane_has_partial_status_or_branch(name: str, keys: Row) -> None:
    """In every lane a partial event, a status or a branch is a conflict."""
    assert issues(user(), {**_LANES[name], **keys}) == _CONFLICT


_PAIRS = {
    "function_call": ("model", "agent"),
    "function_response": ("tool", "tool"),
    "tool_dispatch": ("system", "system"),
    "reconcile_result": ("system", "system"),
    "recovery_decision": ("system", "system"),
}


@pytest.mark.parametrize("name", _LANES)
@pytest.mark.parametrize("role", ["user", "model", "tool", "system"])
@pytest.mark.parametrize("author", ["user", "host", "agent", "tool", "system"])
def test_each_lane_has_one_role_and_one_author(name: str, role: str, author: str) -> None:
    """In each lane exactly one pair of role and author fits."""
    found = issues(user(), {**_LANES[name], "role": role, "author": author})
    assert (("semantic_lane_conflict", "e2") in found) is ((role, author) != _PAIRS[name])


@pytest.mark.parametrize("name", _LANES)
@pytest.mark.parametrize("keys", [{"modelVisibility": "hidden"}, {"origin": "code_mode"}, {"ts": -1}], ids=str)
def test_visibility_origin_and_time_fit_every_lane(name: str, keys: Row) -> None:
    """Whether the model sees an event, where it came from and when is no part of the envelope."""
    assert "semantic_lane_conflict" not in dict(issues(user(), {**_LANES[name], **keys}))


def test_an_event_in_conflict_is_skipped() -> None:
    """A call, T1 or response in a wrong envelope opens, dispatches and settles nothing."""
    found = recovered(user(), call(branch="b"), t1(branch="b"), response(branch="b"))
    assert found.decisions == []


@pytest.mark.parametrize(
    "row",
    [
        user(status="streaming", branch="b", partial=True),
        say(actions={"stateDelta": {"any": 1}}),
        end(),
        event("system", "host", content={"kind": "error", "message": "m"}, actions={"workspaceFact": {}}),
        event("model", "tool", content={"kind": "thinking", "text": "t"}, status="failed"),
    ],
)
def test_outside_the_lanes_there_is_no_envelope(row: Row) -> None:
    """Events that are in no lane may have any role, author, status, branch and other action."""
    assert issues(user(), row) == []


def test_the_marker_fits_no_lane() -> None:
    """A first event that carries the marker and is in a lane is a conflict, and opens the protocol all the same."""
    found = recovered(call(actions=MARKER))
    assert [issue.code for issue in found.issues] == ["semantic_lane_conflict"]
    assert found.protocol
