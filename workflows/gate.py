"""Where a run parks: gate; while blocked, take a person's decision as a fact, and gate again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RawValue
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from resume_gate.contract import (
        DECIDE,
        DECISION,
        RECORD_DECISION,
        RELEASE,
        RESUME_GATE_WORKFLOW,
        STATUS,
        DecisionAnswer,
        GateKind,
        GateRequest,
        GateResult,
        GateStatus,
        Phase,
        ReleaseSignal,
    )
    from resume_gate.decisions import Decision, DecisionRecord, short_release
    from resume_gate.errors import ContractMisuse
    from resume_gate.operators.report import commands, report
    from resume_gate.temporal.passing import (
        CONTROL_HEARTBEAT,
        GATE_RETRY,
        NOT_DECIDED_YET,
        cause_of,
        gate,
        was_cancelled,
    )
    from resume_gate.temporal.payloads import MAX_DECISION_BYTES, NOTHING, decode, decode_continued, refuse_start
    from resume_gate.verdict.plan import ResumePlan
    from workflows.desk import ContinuedGate, Desk, Refused

_RECORD_SECONDS = timedelta(seconds=60)
_FIRST_LOOK = timedelta(seconds=1)
_LAST_LOOK = timedelta(seconds=30)
_TAKEN = "recorded as {added} events; the gate runs again"
_ENDED = "the gate ended first, {kind}: there is nothing to decide any more"
_NO_SIGNAL = (
    "there is no signal {name!r}: a decision comes as the signal 'decision' (kind, operator, reason, decisionId, "
    "planDigest), its short form as 'release', and any by the command resume-gate"
)
_HANDED_OVER = "not decided yet: the gate goes on in a new run, which keeps the decision for the plan it names"


@workflow.defn(name=RESUME_GATE_WORKFLOW)
class ResumeGateWorkflow:
    """One run's gate. Started with a ``GateRequest``, it ends with a ``GateResult``: cleared, finished, abandoned."""

    def __init__(self) -> None:
        self._desk = Desk()
        self._phase: Phase = "gating"
        self._plan: ResumePlan | None = None
        self._request: GateRequest | None = None
        self._handing_over = False

    @workflow.run
    async def run(self, request: RawValue = NOTHING) -> GateResult:
        """Gate until the plan is safe or a person abandons the run."""
        try:
            self._take_over(request)
        except ContractMisuse as error:
            raise refuse_start(error) from error
        kind = await self._gate_until_decided()
        self._desk.close(_ENDED.format(kind=kind))
        await workflow.wait_condition(workflow.all_handlers_finished)
        self._phase = "done"
        return GateResult(kind=kind, plan=self._current, decisions=tuple(self._desk.taken))

    def _take_over(self, given: RawValue) -> None:
        continued = decode_continued(given, ContinuedGate)
        if continued is None:
            self._request = decode(given, GateRequest)
        else:
            self._request = continued.request
            self._desk.restore(continued.desk)

    @property
    def _current(self) -> ResumePlan:
        if self._plan is None:
            raise RuntimeError("no plan yet")
        return self._plan

    @property
    def _asked(self) -> GateRequest:
        if self._request is None:
            raise RuntimeError("not started")
        return self._request

    async def _gate_until_decided(self) -> GateKind:
        look_again = _FIRST_LOOK
        while True:
            await self._gate_once()
            if self._current.safe and self._asked.hold is None:
                return "finished" if self._current.finished else "cleared"
            decision = await self._next_decision(look_again)
            look_again = min(look_again * 2, _LAST_LOOK) if decision is None else _FIRST_LOOK
            if decision is not None and decision.kind == "abandon":
                self._desk.take(decision, "abandoned: nothing more is dispatched", 0)
                return "abandoned"
            if decision is not None:
                await self._apply(decision)
            await self._continue_as_new_if_long()

    async def _gate_once(self) -> None:
        self._phase = "gating"
        self._plan = await gate(self._asked)
        self._request = self._asked.knowing(self._plan)
        self._phase = "waiting" if self._plan.rejection_reasons == ("ledger_writer_active",) else "parked"
        self._desk.show(self._plan)
        self._tell()

    async def _next_decision(self, look_again: timedelta) -> Decision | None:
        """Return the next decision that the plan allows; ``None`` when it is time to look at the ledger again."""
        settled = self._phase == "parked"
        while True:
            decision = self._desk.choose(self._current, self._asked.hold, settled=settled)
            self._tell()
            if decision is not None:
                return decision
            try:
                await workflow.wait_condition(
                    lambda: any(self._desk.waiting_for(self._current, settled=settled)),
                    timeout=None if settled else look_again,
                )
            except TimeoutError:
                return None

    async def _apply(self, decision: Decision) -> None:
        hold = self._asked.hold
        update: dict[str, object] = {}
        if decision.kind == "recheck":
            if decision.accept_high_water is not None:
                update = dict.fromkeys(("expected_high_water", "minimum_high_water"), decision.accept_high_water)
            if hold is not None and hold.reason == "no_progress":
                update["hold"] = None
            self._desk.take(decision, "the gate runs again", 0)
        else:
            high_water = await self._record(decision)
            if high_water is None:
                return
            update = dict.fromkeys(("expected_high_water", "minimum_high_water"), high_water)
            if decision.kind == "answer":
                update["hold"] = None
            added = high_water - self._current.source_high_water
            self._desk.take(decision, _TAKEN.format(added=added), added)
        self._request = self._asked.model_copy(update=update)

    async def _record(self, decision: Decision) -> int | None:
        self._phase = "recording"
        plan = self._current
        record = DecisionRecord(
            run=self._asked.run,
            decision=decision,
            high_water=plan.source_high_water,
            prefix_digest=plan.prefix_digest or "",
            ts=int(workflow.now().timestamp() * 1000),
        )
        try:
            high_water: int = await workflow.execute_activity(
                RECORD_DECISION,
                record,
                result_type=int,
                start_to_close_timeout=_RECORD_SECONDS,
                heartbeat_timeout=CONTROL_HEARTBEAT,
                retry_policy=GATE_RETRY,
                summary=f"{decision.kind} by {decision.operator}"[:190],
            )
        except ActivityError as error:
            if was_cancelled():
                raise asyncio.CancelledError from error
            cause = error.cause if isinstance(error.cause, ApplicationError) else None
            moved = cause is not None and cause.type == "StalePlan"
            # Any other end leaves a try of which nobody heard: what it may have added, the next plan shows.
            certain = cause is not None and cause.non_retryable
            why = f"{'could not be recorded' if certain else 'not known to be recorded'}: {cause_of(error)}"
            self._desk.refuse(why, decision, kind="StalePlan" if moved else "Refused")
            return None
        return high_water

    async def _continue_as_new_if_long(self) -> None:
        if workflow.info().is_continue_as_new_suggested():
            self._handing_over = True  # a sender that waits for its plan would otherwise hold this run open for ever
            await workflow.wait_condition(workflow.all_handlers_finished)
            workflow.continue_as_new(ContinuedGate(request=self._asked, desk=self._desk.state()))

    def _tell(self) -> None:
        workflow.set_current_details(self._text())

    def _text(self) -> str:
        if self._plan is None:
            return "The gate reads the ledger for the first time."
        hold = self._request.hold if self._request else None
        return report(self._plan, self._phase, hold, tuple(self._desk.refused))

    @workflow.query(name=STATUS)
    def status(self) -> GateStatus:
        """Return what a person on call needs to see."""
        hold = self._request.hold if self._request else None
        return GateStatus(
            phase=self._phase,
            text=self._text(),
            plan=self._plan,
            hold=hold,
            decisions=tuple(self._desk.taken),
            refused=tuple(self._desk.refused),
            commands=commands(self._plan, hold) if self._plan else (),
        )

    @workflow.signal(name=DECISION)
    def decision(self, decision: RawValue = NOTHING) -> None:
        """Take a ``Decision``; a bad one shows in ``status.refused``."""
        try:
            self._desk.offer(_decision(decision))
        except ContractMisuse as error:
            self._desk.refuse(str(error))

    @workflow.signal(name=RELEASE)
    def release(self, release: RawValue = NOTHING) -> None:
        """Take the short form of a release: operator, reason, planDigest."""
        try:
            short = decode(release, ReleaseSignal)
            self._desk.offer(short_release(short.operator, short.reason, short.plan_digest))
        except ContractMisuse as error:
            self._desk.refuse(str(error))

    @workflow.signal(dynamic=True)
    def unknown(self, name: str, _payloads: Sequence[RawValue]) -> None:
        """Show a signal that does not exist, which its sender was told had succeeded."""
        self._desk.refuse(_NO_SIGNAL.format(name=name[:100]))

    @workflow.update(name=DECIDE)
    async def decide(self, decision: RawValue = NOTHING) -> DecisionAnswer:
        """Take a ``Decision`` and answer what became of it."""
        given = _decision(decision)
        self._desk.offer(given)
        await workflow.wait_condition(lambda: self._handing_over or self._desk.outcome(given.decision_id) is not None)
        outcome = self._desk.outcome(given.decision_id)
        if isinstance(outcome, DecisionAnswer):
            return outcome
        refused = outcome or Refused(_HANDED_OVER, NOT_DECIDED_YET)
        raise ApplicationError(refused.why, type=refused.kind, non_retryable=True)

    @decide.validator
    def _validate_decide(self, decision: RawValue = NOTHING) -> None:
        try:
            given = _decision(decision)
        except ContractMisuse as error:
            raise refuse_start(error) from error
        if self._phase == "parked" and self._plan is not None and self._desk.outcome(given.decision_id) is None:
            why = self._desk.why_stale(given, self._plan)
            if why is not None:
                raise ApplicationError(why, type="StalePlan", non_retryable=True)


def _decision(sent: RawValue) -> Decision:
    return decode(sent, Decision, most=MAX_DECISION_BYTES)
