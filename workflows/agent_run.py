"""Opens a run and drives it to its end: every drive, the first one too, behind the gate."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RawValue, RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.exceptions import TimeoutError as ActivityTimeout

with workflow.unsafe.imports_passed_through():
    from resume_gate.contract import (
        AGENT_RUN_WORKFLOW,
        OPEN_RUN,
        STATUS,
        WAKE,
        AgentRunRequest,
        AgentRunResult,
        DriveRequest,
        GateRequest,
        GateResult,
        Heartbeat,
        Hold,
        OpenRunRequest,
        gate_workflow_id,
    )
    from resume_gate.drive import ActionRequired, AnyOutcome, Settled, WaitingDeferred, WaitingRetry, accept_outcome
    from resume_gate.errors import ContractMisuse
    from resume_gate.ledger.prefix import ReplayReference
    from resume_gate.temporal.passing import (
        CONTROL_HEARTBEAT,
        FIRST_PAUSE,
        LONGEST_PAUSE,
        cause_of,
        try_gate,
        was_cancelled,
    )
    from resume_gate.temporal.payloads import NOTHING, decode, decode_continued, refuse_start
    from workflows.progress import AgentRunStatus, ContinuedRun, Progress

_OPEN_SECONDS = timedelta(seconds=60)
# A ledger that is held, or a disk that is not there yet, is waited for: nothing is lost while nothing was begun.
_OPEN_RETRY = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30))
_ONCE = RetryPolicy(maximum_attempts=1)


@workflow.defn(name=AGENT_RUN_WORKFLOW)
class AgentRunWorkflow:
    """One run, from an ``AgentRunRequest`` to an ``AgentRunResult``: settled, finished, abandoned."""

    def __init__(self) -> None:
        self._progress = Progress()
        self._phase = "opening"
        self._woken = False

    @workflow.run
    async def run(self, request: RawValue = NOTHING) -> AgentRunResult:
        """Drive until an outcome is settled, or the run turns out to be finished or is abandoned."""
        try:
            asked = self._take_over(request)
        except ContractMisuse as error:
            raise refuse_start(error) from error
        if self._phase == "opening":
            await self._open(asked)
        return await self._drive_to_its_end(asked)

    def _take_over(self, given: RawValue) -> AgentRunRequest:
        continued = decode_continued(given, ContinuedRun)
        if continued is None:
            return decode(given, AgentRunRequest)
        self._phase, self._progress = "gating", continued.progress
        return continued.request

    async def _drive_to_its_end(self, asked: AgentRunRequest) -> AgentRunResult:
        while True:
            self._continue_as_new_if_long(asked)
            passed = await self._pass_gate(asked)
            if passed.kind != "cleared":
                return AgentRunResult(kind=passed.kind)
            outcome = await self._drive(asked, passed)
            if isinstance(outcome, Settled):
                return AgentRunResult(kind="settled", outcome=outcome.outcome)
            if was_cancelled():  # a drive may end as if it had not been asked to stop
                raise asyncio.CancelledError
            if outcome is not None:
                await self._wait(asked, outcome)

    def _enter(self, phase: str, text: str) -> None:
        self._phase = phase
        error = self._progress.last_error
        workflow.set_current_details(f"{text}\n\nThe last error: {error}" if error else text)

    def _continue_as_new_if_long(self, asked: AgentRunRequest) -> None:
        if workflow.info().is_continue_as_new_suggested():
            workflow.continue_as_new(ContinuedRun(request=asked, progress=self._progress))

    def _name(self, attempt: int) -> str:
        # Unique over every execution that ever drives this run, a reset one too: a call id is then never used twice in
        # an invocation.
        return f"{workflow.info().run_id}/{attempt}"

    async def _open(self, asked: AgentRunRequest) -> None:
        request = OpenRunRequest(
            run=asked.run,
            invocation_id=self._name(0),
            turn_id=self._name(0),
            event_id=f"open:{workflow.info().run_id}",
            ts=int(workflow.now().timestamp() * 1000),
            text=asked.text,
            tool_boundary=asked.tool_boundary,
        )
        try:
            high_water: int = await workflow.execute_activity(
                OPEN_RUN,
                request,
                result_type=int,
                start_to_close_timeout=_OPEN_SECONDS,
                heartbeat_timeout=CONTROL_HEARTBEAT,
                retry_policy=_OPEN_RETRY,
            )
            self._progress = self._progress.opened(high_water)
        except ActivityError as error:
            if was_cancelled():
                raise asyncio.CancelledError from error
            corrupt = isinstance(error.cause, ApplicationError) and error.cause.type == "CorruptLedger"
            if not corrupt:  # a corrupt ledger is for the gate to say and a person to mend
                raise

    async def _pass_gate(self, asked: AgentRunRequest) -> GateResult:
        passed = await self._gate(asked, self._progress.question)
        hold = self._progress.stuck(asked.host.no_progress_limit)
        if hold is not None and passed.kind == "cleared":
            passed = await self._gate(asked, hold)
            self._progress = self._progress.rechecked()
        return passed

    async def _gate(self, asked: AgentRunRequest, hold: Hold | None) -> GateResult:
        self._enter("gating", f"The gate judges the run; where it parks, see workflow {gate_workflow_id(asked.run)}.")
        request = GateRequest(run=asked.run, minimum_high_water=self._progress.minimum, hold=hold)
        pause = FIRST_PAUSE
        while (passed := await try_gate(request, task_queue=workflow.info().task_queue)) is None:
            self._continue_as_new_if_long(asked)
            await workflow.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        self._progress = self._progress.gated(passed.plan.source_high_water)
        return passed

    async def _drive(self, asked: AgentRunRequest, passed: GateResult) -> AnyOutcome | None:
        self._woken = False
        self._progress = self._progress.dispatched(passed.plan.source_high_water)
        attempt = self._progress.attempt
        queue = asked.drive_task_queue
        self._enter("driving", f"Drive {attempt} is with a worker of queue {queue}, or waits until one polls it.")
        request = DriveRequest(
            run=asked.run,
            options=asked.drive_options,
            attempt=attempt,
            invocation_id=self._name(attempt),
            turn_id=self._name(attempt),
            replay=ReplayReference(
                high_water=passed.plan.source_high_water, prefix_digest=passed.plan.prefix_digest or ""
            ),
        )
        try:
            raw: RawValue = await workflow.execute_activity(
                asked.drive_activity,
                request,
                result_type=RawValue,
                task_queue=queue,
                heartbeat_timeout=asked.host.heartbeat_timeout,
                start_to_close_timeout=asked.host.start_to_close_timeout,
                retry_policy=_ONCE,  # nothing dispatches again but the gate
                cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
                summary=f"drive {attempt} of {asked.run}"[:190],
            )
            outcome = accept_outcome(raw.payload.data, asked.drive_options)
        except ActivityError as error:
            if was_cancelled():
                raise asyncio.CancelledError from error
            self._progress = self._progress.failed(cause_of(error), high_water=_last_heartbeat(error))
            return None
        except ContractMisuse as error:
            self._progress = self._progress.answered_badly(str(error))
            return None
        return outcome

    async def _wait(self, asked: AgentRunRequest, outcome: WaitingRetry | WaitingDeferred | ActionRequired) -> None:
        if isinstance(outcome, ActionRequired):
            self._progress = self._progress.asked_for(outcome.action)
        elif isinstance(outcome, WaitingRetry):
            self._enter("waiting", "The last drive asked to be tried again later; the run waits until then.")
            await self._sleep_until(outcome.not_before)
        else:
            self._progress = self._progress.put_off()
            self._enter("waiting", "The last drive waits for something elsewhere; the signal wake ends the wait.")
            await self._sleep_until_woken(asked.host.deferred_poll if asked.drive_options.poll_deferred else None)

    async def _sleep_until(self, not_before: float) -> None:
        seconds = not_before / 1000 - workflow.now().timestamp()
        if seconds > 0:
            await workflow.sleep(seconds)

    async def _sleep_until_woken(self, poll: timedelta | None) -> None:
        try:
            await workflow.wait_condition(lambda: self._woken, timeout=poll)
        except TimeoutError:
            return

    @workflow.signal(name=WAKE)
    def wake(self, _payload: RawValue = NOTHING) -> None:
        """Drive again: what was deferred is ready. One that comes during a drive counts for its wait."""
        self._woken = True

    @workflow.query(name=STATUS)
    def status(self) -> AgentRunStatus:
        """Return where the run stands."""
        return AgentRunStatus(phase=self._phase, attempt=self._progress.attempt, last_error=self._progress.last_error)


def _last_heartbeat(error: ActivityError) -> int | None:
    details = error.cause.last_heartbeat_details if isinstance(error.cause, ActivityTimeout) else ()
    for item in details:
        try:
            return Heartbeat.model_validate(item).high_water
        except ValueError:  # somebody else's heartbeat says nothing about the ledger
            continue
    return None
