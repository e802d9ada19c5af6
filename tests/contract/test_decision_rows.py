"""Design, Temporal: the rows that every decision adds."""

import json

import pytest

from resume_gate.decisions import DecisionKind, decision_events
from resume_gate.events.codec import encode_event
from resume_gate.events.event import Actions, RuntimeEvent
from resume_gate.verdict.plan import build_resume_plan
from tests.kit.builders import HIDDEN, OTHER_TURN, call, ledger, opened, t1, user
from tests.kit.deciding import DECIDED_AT, decide, found_out, record

_EVENTS = ledger(user(), call("a"), t1("a"), call("b"))
_TURNS = ledger(user(), call("a", **OTHER_TURN), call("b"))


def _audit(row: RuntimeEvent) -> dict[str, str]:
    assert isinstance(row.actions, Actions)
    assert isinstance(row.actions.state_delta, dict)
    found: dict[str, str] = json.loads(bytes(row.actions.state_delta["resumeGate"]))
    return found


def test_rows_are_numbered_from_the_decision() -> None:
    """Event ids are decision:, the decision's id and the row's number."""
    rows = decide("release", _EVENTS, decision_id="x:y.z")
    assert [row.id for row in rows] == ["decision:x:y.z:1", "decision:x:y.z:2", "decision:x:y.z:3"]


def test_rows_carry_the_time_of_the_request() -> None:
    """Times come from the request, so a repeated request makes the same rows."""
    assert {row.ts for row in decide("release", _EVENTS)} == {DECIDED_AT}


def test_the_same_request_makes_the_same_bytes() -> None:
    """A retry finds its own rows byte for byte."""
    request = record("release", _EVENTS)
    one, other = ([encode_event(row) for row in decision_events(request, _EVENTS)] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("kind", ["recheck", "abandon"])
def test_recheck_and_abandon_add_nothing(kind: DecisionKind) -> None:
    """Neither adds a fact to the ledger."""
    assert decide(kind, _EVENTS) == []


def test_the_last_row_is_a_hidden_audit_event() -> None:
    """A decision ends with one hidden event of the host, in the system role and without content."""
    audit = decide("release", _EVENTS)[-1]
    assert (audit.role, audit.author, audit.hidden, audit.partial) == ("system", "host", True, False)
    assert set(json.loads(encode_event(audit))) == {
        *("id", "invocationId", "runId", "sessionId", "turnId", "ts", "partial", "role", "author"),
        *("modelVisibility", "actions"),
    }


def test_the_audit_says_who_decided_what_and_why() -> None:
    """Decision id, kind, operator, reason and plan digest stand under actions.stateDelta.resumeGate."""
    audit = decide("release", _EVENTS, operator="Zo\u00eb", reason='"ok"\n')[-1]
    assert _audit(audit) == {
        "decisionId": "d-1",
        "kind": "release",
        "operator": "Zo\u00eb",
        "reason": '"ok"\n',
        "planDigest": build_resume_plan(_EVENTS).plan_digest,
    }


def test_the_audit_has_the_identity_of_the_first_settled_call() -> None:
    """The audit stands in the invocation and turn of the first call that was settled."""
    first, _, audit = decide("release", _TURNS)
    assert audit.execution_identity == first.execution_identity == _TURNS[1].execution_identity
    (_, audit) = decide("settle", _TURNS, calls=(found_out("e3"),))
    assert audit.execution_identity == _TURNS[2].execution_identity


def test_responses_copy_the_identity_of_their_call() -> None:
    """Each response stands in session, run, invocation and turn of its own call."""
    rows = decide("release", _TURNS)
    assert [row.execution_identity for row in rows[:2]] == [event.execution_identity for event in _TURNS[1:]]


@pytest.mark.parametrize("visibility", [{}, {"modelVisibility": "visible"}, HIDDEN], ids=str)
def test_responses_copy_the_visibility_of_their_call(visibility: dict[str, str]) -> None:
    """A hidden call gets a hidden response, a visible one a visible one."""
    events = ledger(opened(), call(**visibility), t1())
    response, _ = decide("release", events)
    assert response.model_visibility == events[1].model_visibility


def test_responses_are_the_tools() -> None:
    """A response has role and author tool, whoever decided it, and names its call."""
    response = decide("release", _EVENTS)[0]
    wire = json.loads(encode_event(response))
    assert (wire["role"], wire["author"], wire["partial"]) == ("tool", "tool", False)
    assert (wire["content"]["id"], wire["content"]["name"]) == ("a", "Bash")


def test_a_dispatched_call_is_answered_with_its_refs() -> None:
    """Where there is T1 the response names its operation and its call; where there is none it has no refs."""
    dispatched, bare, _ = (json.loads(encode_event(row)) for row in decide("release", _EVENTS))
    assert dispatched["refs"] == {"operationId": "op-a", "toolCallId": "a"}
    assert "refs" not in bare


def test_an_empty_ledger_gets_no_rows() -> None:
    """Where there is no event there is nothing to decide."""
    assert decide("release", []) == []
