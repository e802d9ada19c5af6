"""The robot operator: walks over the open gates as a person on call would, and decides."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

from temporalio.client import (
    Client,
    WorkflowHandle,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.service import RPCError

from resume_gate.contract import DECIDE, DECISION, STATUS, DecisionAnswer, GateStatus
from resume_gate.decisions import Decision
from resume_gate.errors import BusyLedger
from resume_gate.temporal.passing import cause_of
from tests.chaos.place import Place, draws
from tests.chaos.verdict import decide, outdated, repair, why_parked

_OPEN_GATES = "WorkflowType = 'ResumeGateWorkflow' AND ExecutionStatus = 'Running'"
_ROUND = 0.5
_ANSWER = timedelta(seconds=8)
Gate = WorkflowHandle[Any, Any]


class Robot:
    """Decides every parked run, now and then late, twice, by signal, or on a plan that is gone."""

    def __init__(self, client: Client, place: Place, seed: int) -> None:
        self._client = client
        self._place = place
        self._seed = seed
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._parks: dict[tuple[str, str], str] = {}
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.in_a_hurry = False
        """Set when the torment is over: no more lateness and mistakes."""

    @property
    def parks(self) -> Counter[str]:
        """How many plans runs were seen parked on, by reason."""
        return Counter(self._parks.values())

    async def walk(self) -> None:
        """Walk round after round, until cancelled."""
        try:
            while True:
                await self._round()
                await asyncio.sleep(_ROUND)
        finally:
            for task in self._at_work.values():
                task.cancel()

    async def _round(self) -> None:
        try:
            async for execution in self._client.list_workflows(_OPEN_GATES):
                at_work = self._at_work.get(execution.run_id)
                if at_work is not None and at_work.done():
                    at_work.result()  # a fault of the robot's own must not pass as a run that waits
                if at_work is None or at_work.done():
                    gate = self._client.get_workflow_handle(execution.id, run_id=execution.run_id)
                    self._at_work[execution.run_id] = asyncio.create_task(self._visit(gate))
        except RPCError:
            return

    async def _visit(self, gate: Gate) -> None:
        try:
            status = await gate.query(STATUS, result_type=GateStatus, rpc_timeout=_ANSWER)
            await self._deal_with(gate, status)
        except (RPCError, WorkflowQueryFailedError, BusyLedger):  # the next round looks again
            return

    async def _deal_with(self, gate: Gate, status: GateStatus) -> None:
        plan = status.plan
        if plan is None or status.phase != "parked":
            return
        choice = draws(self._seed, "robot", plan.plan_digest)
        self._parks[gate.run_id or "", plan.plan_digest] = why_parked(status)
        if not self.in_a_hurry and choice.random() < 0.15:
            await asyncio.sleep(3 * choice.random())
        if "runtime_ledger_unreadable" in plan.rejection_reasons and repair(self._place, plan):
            self.counts["repairs"] += 1
        decision = decide(self._place, status, choice)
        if decision is not None:
            await self._send(gate, decision, choice.random())

    async def _send(self, gate: Gate, decision: Decision, way: float) -> None:
        if self.in_a_hurry or way > 0.3:
            await self._say(gate, decision)
        elif way < 0.1:
            await self._say(gate, outdated(decision))
            await self._say(gate, decision)
        elif way < 0.2:
            self.counts["said twice"] += 1
            await asyncio.gather(self._say(gate, decision), self._say(gate, decision))
        else:
            self.counts["by signal"] += 1
            await gate.signal(DECISION, decision)
            await asyncio.sleep(2 * _ROUND)

    async def _say(self, gate: Gate, decision: Decision) -> None:
        try:
            update = gate.execute_update(DECIDE, decision, result_type=DecisionAnswer)
            answer = await asyncio.wait_for(update, _ANSWER.total_seconds())
        except WorkflowUpdateFailedError as error:
            why = cause_of(error)
            self.counts["refused as stale" if "stale" in why.lower() else "refused otherwise"] += 1
            self.refusals[why[:160]] += 1
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
            self.counts["unanswered"] += 1
        else:
            self.counts[answer.kind] += 1
