"""What the record's tests share: a run with an open call, and a decision on it."""

from __future__ import annotations

from pathlib import Path

from resume_gate import Recorder, RunRef, RuntimeEventStore
from resume_gate.decisions import Decision, DecisionRecord
from resume_gate.gate import judge

RUN = RunRef("session_1", "run_1")


def interrupted(root: Path, call_id: str = "call_1") -> RuntimeEventStore:
    """Return a store with one run, whose agent died inside a call."""
    store = RuntimeEventStore(root, durability="process")
    with store.open(RUN) as ledger:
        turn = Recorder(ledger, invocation_id="invocation_1", turn_id="turn_1")
        turn.user("charge order 7")
        turn.tool(call_id, "charge", {"order": 7}).__enter__()
    return store


def released(store: RuntimeEventStore) -> DecisionRecord:
    """Return the release of the run as it is now."""
    plan = judge(RUN, lambda: store.read(RUN))
    decision = Decision(
        kind="release", operator="ann", reason="looked", decision_id="d-1", plan_digest=plan.plan_digest
    )
    return DecisionRecord(
        run=RUN, decision=decision, high_water=plan.source_high_water, prefix_digest=plan.prefix_digest or "", ts=5
    )
