"""A workflow that imports the core without passing it through the sandbox: every restricted call in it would raise."""

from __future__ import annotations

from typing import Any

from temporalio import workflow

from resume_gate.agent.recorder import now_ms
from resume_gate.contract import GateRequest
from resume_gate.decisions import DecisionRecord, decision_events, short_release
from resume_gate.drive import DriveOptions, accept_outcome
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.operators.report import report
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.recovery import recover
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef


@workflow.defn
class PureWorkflow:
    """Plans, decides and plans again, all of it inside the sandbox."""

    @workflow.run
    async def run(self, rows: list[str]) -> dict[str, Any]:
        """Return what the core made of a dangling ledger, and of the same one after a release."""
        events = [decode_event(row.encode()) for row in rows]
        blocked = bounded(build_resume_plan(events, prefix_digest="sha256:" + "0" * 64))
        decision = short_release("alice", "looked", blocked.plan_digest)
        assert blocked.run is not None
        assert blocked.prefix_digest is not None
        record = DecisionRecord(
            run=blocked.run,
            decision=decision,
            high_water=blocked.source_high_water,
            prefix_digest=blocked.prefix_digest,
            ts=1,
        )
        added = decision_events(record, events)
        outcome = accept_outcome(
            b'{"kind":"settled","operationId":"o","outcome":1}', DriveOptions(operation_id="o", wait_for_retry=True)
        )
        return {
            "text": report(blocked, "parked", None),
            "plan": blocked.model_dump(mode="json"),
            "statuses": [decision.status for decision in recover(events).decisions],
            "added": [encode_event(event).decode() for event in added],
            "safe": build_resume_plan([*events, *added]).safe,
            "replayed": [event.id for event in replay_events([*events, *added])],
            "outcome": outcome.model_dump(mode="json"),
            "request": GateRequest(run=RunRef("s", "r")).model_dump(mode="json"),
        }


@workflow.defn(failure_exception_types=[Exception])
class ImpureWorkflow:
    """Calls what no workflow may."""

    @workflow.run
    async def run(self) -> int:
        """Look at the clock."""
        return now_ms()
