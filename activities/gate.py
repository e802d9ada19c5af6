"""The gate's activity: reads, never writes, and answers with a plan whatever it read."""

from __future__ import annotations

import logging
from functools import partial

from temporalio import activity

from activities.conversion import as_failures
from resume_gate.contract import RESUME_GATE, GateRequest
from resume_gate.gate import judge
from resume_gate.ledger import RuntimeEventStore
from resume_gate.plan import ResumePlan, blocked_plan

_log = logging.getLogger(__name__)


class GateActivities:
    """``resume_gate`` over one store; a disk that does not answer is tried ``io_attempts`` times."""

    def __init__(self, store: RuntimeEventStore, *, io_attempts: int) -> None:
        self._store = store
        self._io_attempts = io_attempts

    @activity.defn(name=RESUME_GATE)
    def resume_gate(self, request: GateRequest) -> ResumePlan:
        """Read the run's committed prefix under the writer lock and return its plan, under 64 KiB."""
        with as_failures():
            plan = self._judge(request)
        _log.info("gate %s: %s %s", request.run, plan.disposition, ",".join(plan.rejection_reasons))
        return plan

    def _judge(self, request: GateRequest) -> ResumePlan:
        try:
            return judge(
                request.run,
                partial(self._store.read, request.run),
                expected_high_water=request.expected_high_water,
                minimum_high_water=request.minimum_high_water,
            )
        except OSError as error:
            if activity.info().attempt < self._io_attempts:
                raise
            return blocked_plan(request.run, "runtime_ledger_unavailable", f"{type(error).__name__}: {error}")
