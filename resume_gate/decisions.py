"""What a person may decide about a parked run, and the events it becomes (design, Temporal).

A decision never bypasses the gate: it adds facts to the ledger, and the gate runs again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, Self

from msgspec import UNSET, Raw
from pydantic import AfterValidator, Field, model_validator

from resume_gate.errors import ContractMisuse
from resume_gate.events.canonical import printable
from resume_gate.events.event import Actions, FunctionResponse, Refs, RuntimeEvent, Text, call_of
from resume_gate.verdict.recovery import ToolDecision, recover
from resume_gate.verdict.words import DIRECTIVE
from resume_gate.wire import BoundedJson, Request, RunRef


def _told(text: str) -> str:
    if not text.strip():
        raise ValueError("blank: say it in words")
    return text


DecisionKind = Literal["release", "settle", "recheck", "answer", "abandon"]
DecisionId = Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]
Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Operator = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_told)]
Reason = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_told)]
HighWater = Annotated[int, Field(ge=0, strict=True)]


class CallOutcome(Request):
    """What a person found out about one open call; ``result`` is any JSON, for the model to see."""

    call_event_id: Annotated[str, Field(min_length=1)]
    outcome: Literal["succeeded", "failed", "not_executed"]
    result: BoundedJson = None


class Decision(Request):
    """What a person decided about the plan with the digest ``plan_digest``."""

    kind: DecisionKind
    operator: Operator
    reason: Reason
    decision_id: DecisionId
    plan_digest: Sha256
    calls: tuple[CallOutcome, ...] | None = None
    payload: BoundedJson = None
    accept_high_water: HighWater | None = None

    @model_validator(mode="after")
    def _parts_fit_the_kind(self) -> Self:
        parts = {"settle": ("calls", self.calls), "answer": ("payload", self.payload)}
        for kind, (name, value) in parts.items():
            if (self.kind == kind) != (value is not None and value != ()):
                raise ValueError(f"{name} goes with {kind}, and {kind} needs {name}")
        if self.accept_high_water is not None and self.kind != "recheck":
            raise ValueError("acceptHighWater goes with recheck alone")
        named = [call.call_event_id for call in self.calls or ()]
        if len(set(named)) != len(named):
            raise ValueError("calls names a call twice")
        return self


class DecisionRecord(Request):
    """A decision, and the prefix that it adds to; ``ts`` (Unix ms) is the time of every row it becomes."""

    run: RunRef
    decision: Decision
    high_water: HighWater
    prefix_digest: Sha256
    ts: int


def short_release(operator: str, reason: str, plan_digest: str) -> Decision:
    """Return the decision that the signal ``release`` is the short form of."""
    return Decision(
        kind="release",
        operator=operator,
        reason=reason,
        plan_digest=plan_digest,
        decision_id=f"release:{plan_digest}",
    )


def decision_events(record: DecisionRecord, events: Sequence[RuntimeEvent]) -> list[RuntimeEvent]:
    """Return the rows that a decision adds to the prefix it was taken on; the same input gives the same rows.

    Raises ``ContractMisuse`` where it names a call that is not open. ``recheck`` and ``abandon`` add nothing.
    """
    decision = record.decision
    if decision.kind not in ("release", "settle", "answer") or not events:
        return []
    rows = _Rows(record)
    open_calls = [found for found in recover(events).decisions if found.is_open]
    if decision.kind == "answer":
        added = [rows.answer(events[-1])]
    elif decision.kind == "release":
        added = [rows.response(found, *_released(found)) for found in open_calls]
    else:
        added = [rows.response(found, *_settled(call)) for found, call in _named(decision, open_calls)]
    if not added:
        raise ContractMisuse("no call of this run is open: there is nothing to settle; recheck, or abandon")
    return [*added, rows.audit(added[0])]


def _named(decision: Decision, open_calls: list[ToolDecision]) -> Iterator[tuple[ToolDecision, CallOutcome]]:
    for call in decision.calls or ():
        fitting = [found for found in open_calls if printable(found.call_event_id or "") == call.call_event_id]
        if len(fitting) != 1:
            many = f"names {len(fitting)} open calls" if fitting else "is not an open call"
            raise ContractMisuse(f"call event {call.call_event_id!r} {many} of this run")
        yield fitting[0], call


def _released(found: ToolDecision) -> tuple[Any, bool]:
    if found.status == "definitely_not_dispatched":
        return {"outcome": "not_executed", "note": "The run was interrupted before this call was started."}, True
    return {"outcome": "unknown", "note": "A person accepted that the outcome is unknown. " + DIRECTIVE}, True


def _settled(call: CallOutcome) -> tuple[Any, bool]:
    if call.outcome == "not_executed":
        note = "A person found that this call had no effect."
        return {"outcome": "not_executed", "note": note, "result": call.result}, True
    return call.result, call.outcome == "failed"


class _Rows:
    """Numbers the rows of one decision."""

    def __init__(self, record: DecisionRecord) -> None:
        self._record = record
        self._count = 0

    def _event(self, beside: RuntimeEvent, **parts: Any) -> RuntimeEvent:
        self._count += 1
        return RuntimeEvent(
            id=f"decision:{self._record.decision.decision_id}:{self._count}",
            invocation_id=beside.invocation_id,
            run_id=beside.run_id,
            session_id=beside.session_id,
            turn_id=beside.turn_id,
            ts=self._record.ts,
            partial=False,
            **parts,
        )

    def response(self, found: ToolDecision, result: Any, is_error: bool) -> RuntimeEvent:  # noqa: FBT001 - one pair from above
        call = found.operation.call
        assert call is not None  # an open operation has one  # noqa: S101
        content = FunctionResponse(
            id=call_of(call).id,
            name=call_of(call).name,
            result=Raw(json.dumps(result).encode()),
            is_error=True if is_error else UNSET,
        )
        linked = found.operation_id is not None
        refs = Refs(operation_id=found.operation_id or "", tool_call_id=call_of(call).id) if linked else UNSET
        return self._event(
            call, role="tool", author="tool", content=content, refs=refs, model_visibility=call.model_visibility
        )

    def answer(self, last: RuntimeEvent) -> RuntimeEvent:
        payload = self._record.decision.payload
        text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
        return self._event(last, role="user", author="user", content=Text(text=text))

    def audit(self, first: RuntimeEvent) -> RuntimeEvent:
        decision = self._record.decision
        facts = {
            "decisionId": decision.decision_id,
            "kind": decision.kind,
            "operator": decision.operator,
            "reason": decision.reason,
            "planDigest": decision.plan_digest,
        }
        delta = {"resumeGate": Raw(json.dumps(facts).encode())}
        actions = Actions(state_delta=delta)
        return self._event(first, role="system", author="host", model_visibility="hidden", actions=actions)
