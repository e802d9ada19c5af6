"""An agent behind the gate, as ``crashresume`` wants its subjects: restarted, stepped, and asked for its state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from resume_gate import Recorder, ResumePlan, RunRef, RuntimeEventStore
from resume_gate.decisions import CallOutcome, Decision, DecisionRecord
from resume_gate.gate import judge
from resume_gate.operators.record import record_decision


class ProcessDeathError(BaseException):
    """The harness's injected crash, as a tool meets a death: nothing that a tool could catch as its own failure."""


class GatedAgent:
    """Does one charge a job; ``ctx`` is the harness's world and its way to crash."""

    def __init__(self, ctx: Any, root: Path) -> None:
        self._ctx = ctx
        self._store = RuntimeEventStore(root, durability="process")
        self._jobs: list[str] = []

    def step(self, job: str) -> None:
        """Do a job that is not done, through the gate."""
        if job not in self._jobs:
            self._jobs.append(job)
        run = self._run(job)
        plan = self._plan(run)
        if plan.open_operations:
            self._settle_as_a_person(run, job, plan)
            plan = self._plan(run)
        if not plan.operations:
            self._charge(run, job)

    def state(self) -> dict[str, list[str]]:
        """Return what the ledgers say of every job."""
        return {job: [call.status for call in self._plan(self._run(job)).operations] for job in self._jobs}

    def _plan(self, run: RunRef) -> ResumePlan:
        return judge(run, lambda: self._store.read(run))

    def _run(self, job: str) -> RunRef:
        return RunRef(self._ctx.run_id, job)

    def _charge(self, run: RunRef, job: str) -> None:
        with self._store.open(run) as ledger:
            turn = Recorder(ledger, invocation_id="invocation_1", turn_id="turn_1")
            turn.user(f"charge {job}")
            with turn.tool("call_1", "charge", {"job": job}) as call:
                try:
                    self._ctx.effect("charge", job, key=f"charge:{job}")
                except RuntimeError as crash:
                    raise ProcessDeathError from crash
                call.result = "charged"

    def _settle_as_a_person(self, run: RunRef, job: str, plan: ResumePlan) -> None:
        there = any(effect.key == f"charge:{job}" for effect in self._ctx.effects.effects)
        call = CallOutcome(
            call_event_id=plan.open_operations[0].call_event_id, outcome="succeeded" if there else "not_executed"
        )
        decision = Decision(
            kind="settle",
            operator="ann",
            reason="looked into the world",
            decision_id=f"settle:{job}",
            plan_digest=plan.plan_digest,
            calls=(call,),
        )
        prefix = self._store.read(run)
        record_decision(
            self._store,
            DecisionRecord(run=run, decision=decision, high_water=prefix.high_water, prefix_digest=prefix.digest, ts=1),
        )
