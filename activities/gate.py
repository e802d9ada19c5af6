"""The gate's activity: reads, never writes, and answers with a plan whatever it read."""

from __future__ import annotations

import logging
from functools import partial

from temporalio import activity
from temporalio.common import RawValue

from activities.alive import alive
from activities.conversion import as_failures
from resume_gate.contract import RESUME_GATE, GateRequest
from resume_gate.errors import ContractMisuse
from resume_gate.gate import judge
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.sessions.gate import SessionGate
from resume_gate.temporal.payloads import NOTHING, decode
from resume_gate.verdict.plan import ResumePlan, blocked_plan

_log = logging.getLogger(__name__)


class GateActivities:
    """``resume_gate`` over one store; a disk that does not answer is tried ``io_attempts`` times."""

    def __init__(self, store: RuntimeEventStore, *, io_attempts: int, sessions: SessionGate | None = None) -> None:
        self._store = store
        self._io_attempts = io_attempts
        self._sessions = sessions

    @activity.defn(name=RESUME_GATE, no_thread_cancel_exception=True)
    def resume_gate(self, given: RawValue = NOTHING) -> ResumePlan:
        """Take a ``GateRequest``, read the run's committed prefix under the writer lock, return its bounded plan."""
        with as_failures(), alive():
            request = decode(given, GateRequest)
            plan = self._judge(request)
        _log.info("gate %s: %s %s", request.run, plan.disposition, ",".join(plan.rejection_reasons))
        return plan

    def _judge(self, request: GateRequest) -> ResumePlan:
        try:
            return self._read_and_judge(request)
        except OSError as error:
            if activity.info().attempt < self._io_attempts:
                raise
            return blocked_plan(request.run, "runtime_ledger_unavailable", f"{type(error).__name__}: {error}")

    def _read_and_judge(self, request: GateRequest) -> ResumePlan:
        if request.session is None:
            return judge(
                request.run,
                partial(self._store.read, request.run),
                expected_high_water=request.expected_high_water,
                minimum_high_water=request.minimum_high_water,
            )
        if self._sessions is None:
            raise ContractMisuse("this worker judges no foreign sessions: set RESUME_GATE_SESSIONS to their root")
        return self._sessions.judge(request.run, request.session)
