"""Takes decisions on ledgers, as the activity that records them does."""

from collections.abc import Sequence
from typing import Any

from resume_gate.decisions import CallOutcome, Decision, DecisionKind, DecisionRecord, decision_events
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.wire import RunRef
from tests.kit.builders import DIGEST

DECIDED_AT = 1_790_000_000_000


def record(kind: DecisionKind, events: Sequence[RuntimeEvent], **parts: Any) -> DecisionRecord:
    """Take a decision on the plan of these events."""
    decision = Decision(
        kind=kind,
        operator=parts.pop("operator", "ann"),
        reason=parts.pop("reason", "looked at the till"),
        decision_id=parts.pop("decision_id", "d-1"),
        plan_digest=build_resume_plan(events).plan_digest,
        **parts,
    )
    run = RunRef("ses-1", "run-1")
    return DecisionRecord(run=run, decision=decision, high_water=len(events), prefix_digest=DIGEST, ts=DECIDED_AT)


def decide(kind: DecisionKind, events: Sequence[RuntimeEvent], **parts: Any) -> list[RuntimeEvent]:
    """Return the rows of a decision, through their encoding as in a file."""
    rows = decision_events(record(kind, events, **parts), events)
    return [decode_event(encode_event(row)) for row in rows]


def found_out(call_event_id: str, outcome: str = "succeeded", result: Any = "done") -> CallOutcome:
    """Say what a person found out about a call."""
    return CallOutcome.model_validate({"call_event_id": call_event_id, "outcome": outcome, "result": result})
