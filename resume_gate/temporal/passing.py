"""Passing the gate from a workflow: where a run is judged, and where it parks."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, ApplicationError, ChildWorkflowError, WorkflowAlreadyStartedError

from resume_gate.contract import (
    RESUME_GATE,
    RESUME_GATE_WORKFLOW,
    TASK_QUEUE,
    GateRequest,
    GateResult,
    gate_workflow_id,
)
from resume_gate.errors import ContractMisuse
from resume_gate.verdict.plan import ResumePlan, blocked_plan

NOT_DECIDED_YET = "NotDecidedYet"
"""The error type of an update whose decision is kept, though its gate cannot answer for it any more."""

GATE_RETRY = RetryPolicy(
    initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30), maximum_attempts=12
)
"""For activities that touch the ledger's disk: some minutes in all."""
CONTROL_HEARTBEAT = timedelta(seconds=10)
"""How long a control activity may be silent before its worker counts as dead and another one tries."""
FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=5)
"""Between two tries of a gate that somebody else has open: a history must not fill up with them."""
_GATE_SECONDS = timedelta(seconds=60)


def cause_of(error: BaseException) -> str:
    """Say what an activity or child failed of, in one line."""
    cause = getattr(error, "cause", None) or error
    kind = getattr(cause, "type", None) or type(cause).__name__
    return f"{getattr(kind, 'name', kind)}: {getattr(cause, 'message', cause)}"[:1000]


def was_cancelled() -> bool:
    """Tell whether the calling task was asked to stop: how its activity or child ended is then no verdict."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def gate(request: GateRequest, *, task_queue: str | None = None) -> ResumePlan:
    """Run the gate activity from a workflow; total: a disk that never answers is a blocked plan too."""
    try:
        plan: ResumePlan = await workflow.execute_activity(
            RESUME_GATE,
            request,
            result_type=ResumePlan,
            task_queue=task_queue,
            start_to_close_timeout=_GATE_SECONDS,
            heartbeat_timeout=CONTROL_HEARTBEAT,
            retry_policy=GATE_RETRY,
            summary=str(request.run),
        )
    except ActivityError as error:
        if was_cancelled():
            raise asyncio.CancelledError from error
        plan = blocked_plan(request.run, "runtime_ledger_unavailable", cause_of(error))
    return plan


async def pass_gate(request: GateRequest, *, task_queue: str = TASK_QUEUE) -> GateResult:
    """Return when the run may be driven, is finished, or was abandoned; parked meanwhile, for as long as it takes.

    For any workflow, on any worker with ``ResumeGatePlugin``: the run parks in its ``ResumeGateWorkflow``, a child of
    the caller. ``kind`` is ``cleared`` only on a plan that is ``safe_replay``.
    """
    pause = FIRST_PAUSE
    while (passed := await try_gate(request, task_queue=task_queue)) is None:
        await workflow.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
    return passed


async def try_gate(request: GateRequest, *, task_queue: str = TASK_QUEUE) -> GateResult | None:
    """Do as ``pass_gate``, but return ``None`` where it should be tried again later.

    That is where the run's gate is open already, or was ended from outside: it cleared nothing, only a new gate may.
    For workflows that continue as new between two tries. ``ApplicationError`` for a request that no gate takes.
    """
    if request.hold is None:
        plan = await gate(request, task_queue=task_queue)
        if plan.safe:
            return GateResult(kind="finished" if plan.finished else "cleared", plan=plan)
        request = request.knowing(plan)
    try:
        return await _park(request, task_queue)
    except WorkflowAlreadyStartedError:
        return None
    except ChildWorkflowError as error:
        if was_cancelled():
            raise asyncio.CancelledError from error
        if isinstance(error.cause, ApplicationError) and error.cause.type == ContractMisuse.__name__:
            raise error.cause from error
        return None


async def _park(request: GateRequest, task_queue: str) -> GateResult:
    result: GateResult = await workflow.execute_child_workflow(
        RESUME_GATE_WORKFLOW,
        request,
        id=gate_workflow_id(request.run),
        task_queue=task_queue,
        result_type=GateResult,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        static_summary=f"parked: {request.run}",
    )
    return result
