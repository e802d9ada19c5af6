"""Reads the vectors, and says our answers in their words."""

import json
from pathlib import Path
from typing import Any

from resume_gate.errors import CorruptLedger
from resume_gate.events.codec import decode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.verdict.recovery import Recovery, recover
from resume_gate.verdict.replay import replay_events

_DATA = Path(__file__).parents[1] / "data"
_DECISION = {
    "toolCallId": "tool_call_id",
    "toolName": "tool_name",
    "operationId": "operation_id",
    "status": "status",
    "reason": "reason",
    "callRuntimeEventId": "call_event_id",
    "dispatchRuntimeEventId": "dispatch_event_id",
    "responseRuntimeEventId": "response_event_id",
    "responseIsError": "is_error",
    "settlementOrigin": "settlement_origin",
}
_OPERATION = {
    "toolCallId": "tool_call_id",
    "toolName": "tool_name",
    "args": "args",
    "status": "status",
    "callRuntimeEventId": "call_event_id",
    "responseRuntimeEventId": "response_event_id",
    "responseIsError": "is_error",
}
_DIAGNOSTIC = {"code": "code", "eventId": "event_id", "toolCallId": "tool_call_id"}

Vector = dict[str, Any]


def read(name: str) -> list[Vector]:
    """Read one file of vectors."""
    # Split at newlines alone: the strings hold U+2028 and its like.
    return [json.loads(line) for line in (_DATA / name).read_bytes().split(b"\n") if line]


def events_of(vector: Vector) -> list[RuntimeEvent]:
    """Decode a vector's ledger."""
    return [decode_event(json.dumps(event).encode()) for event in vector["events"]]


def replay_ids(events: list[RuntimeEvent]) -> list[str] | None:
    """List the replayed events' ids; ``None`` where a corrupt ledger has no replay."""
    try:
        return [event.id for event in replay_events(events)]
    except CorruptLedger:
        return None


def answer(vector: Vector) -> Vector:
    """Say plan, decisions and replay of a vector's ledger as the vectors do."""
    events = events_of(vector)
    plan = build_resume_plan(events, expected_high_water=vector["expectedHighWater"])
    return _said_plan(plan) | _said_recovery(recover(events)) | {"replayEventIds": replay_ids(events)}


def expected(vector: Vector) -> Vector:
    """Return what a vector expects, with every key that it may leave out."""
    return {"replayEventIds": None, "toolBoundaryProtocol": None, **vector["expected"]}


def _said(thing: object, names: dict[str, str], keep: str = "") -> Vector:
    # The vectors leave out what is undefined; arguments may really be null.
    values = {theirs: getattr(thing, ours) for theirs, ours in names.items()}
    return {name: value for name, value in values.items() if value is not None or name == keep}


def _said_plan(plan: ResumePlan) -> Vector:
    return {
        "disposition": plan.disposition,
        "rejectionReasons": list(plan.rejection_reasons),
        "requiresVerification": plan.requires_verification,
        "sourceRuntimeEventHighWater": plan.source_high_water,
        "operations": [_said(operation, _OPERATION, "args") for operation in plan.operations],
        "diagnostics": [_said(diagnostic, _DIAGNOSTIC) for diagnostic in plan.diagnostics],
    }


def _said_recovery(recovery: Recovery) -> Vector:
    return {
        "toolDecisions": [_said(decision, _DECISION) for decision in recovery.decisions],
        "ledgerIssues": [{"code": issue.code, "eventId": issue.event_id} for issue in recovery.issues],
        "hasCorruption": recovery.has_corruption,
        "toolBoundaryProtocol": "t1_after_preflight_v1" if recovery.protocol else None,
    }
