"""What most tests here share: waiting without a clock, decisions, and one site with a server, a root and workers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from temporalio.client import Client, WorkflowHandle, WorkflowUpdateFailedError
from temporalio.service import RPCError, RPCStatusCode

import worker as control
from resume_gate import ResumePlan, RunRef, RuntimeEventStore
from resume_gate.contract import (
    DECIDE,
    DECISION,
    RESUME_GATE_WORKFLOW,
    STATUS,
    DecisionAnswer,
    GateRequest,
    GateResult,
    GateStatus,
    gate_workflow_id,
)
from resume_gate.decisions import Decision
from resume_gate.settings import Settings
from resume_gate.temporal import connect, wait_until_ready
from tests.temporal.drives import Drives

Found = TypeVar("Found")
Handle = WorkflowHandle[Any, Any]

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds for which something that must happen is waited for; only a failing test ever uses them up."""


@dataclass(frozen=True)
class Site:
    """One ledger root with its control worker, and a worker for scripted drives, on one server."""

    client: Client
    settings: Settings
    store: RuntimeEventStore
    drives: Drives


@asynccontextmanager
async def serving(address: str, settings: Settings) -> AsyncIterator[Client]:
    """Serve a root as ``worker.py`` does, without a workflow cache: every task replays its whole history."""
    client = await connect(address=address, plugin=control.plugin(settings))
    await wait_until_ready(client)
    with ThreadPoolExecutor(16) as executor:
        async with control.worker(client, settings, executor, max_cached_workflows=0):
            yield client


def new_run() -> RunRef:
    """Return a run that no other test uses."""
    return RunRef("ses-1", f"run-{uuid.uuid4().hex[:12]}")


async def eventually(look: Callable[[], Awaitable[Found | None]], *, seconds: float = PATIENCE) -> Found:
    """Return what is found, as soon as there is something."""
    async with asyncio.timeout(seconds):
        while True:
            found = await look()
            if found is not None:
                return found
            await asyncio.sleep(0.05)


async def quiet(handle: Handle) -> bool:
    """Tell whether a workflow waits for something outside: no task or activity of it is under way.

    With no workflow cache, the SDK loses a workflow task that comes while it answers a query, for the ten seconds until
    the server sends it again: queries are only for workflows that are quiet.
    """
    try:
        described = (await handle.describe()).raw_description
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise
    return not described.pending_activities and not described.HasField("pending_workflow_task")


async def status_of(handle: Handle) -> GateStatus | None:
    """Return a gate's status; ``None`` where there is no such gate yet, or it is busy."""
    if not await quiet(handle):
        return None
    status: GateStatus = await handle.query(STATUS, result_type=GateStatus)
    return status


async def gate_shows(handle: Handle, wanted: Callable[[GateStatus], bool]) -> GateStatus:
    """Return the gate's status as soon as it is as wanted."""

    async def look() -> GateStatus | None:
        status = await status_of(handle)
        return status if status is not None and wanted(status) else None

    return await eventually(look)


async def parked(handle: Handle) -> ResumePlan:
    """Return the plan that a gate parks on."""
    status = await gate_shows(handle, lambda status: status.phase == "parked")
    assert status.plan is not None
    return status.plan


async def start_gate(site: Site, run: RunRef, *arguments: Any, **request: Any) -> Handle:
    """Start a run's gate: on these arguments, or else on the run's ``GateRequest``."""
    return await site.client.start_workflow(
        RESUME_GATE_WORKFLOW,
        args=arguments or [GateRequest(run=run, **request)],
        id=gate_workflow_id(run),
        task_queue=site.settings.task_queue,
        result_type=GateResult,
    )


def gate_of(site: Site, run: RunRef) -> Handle:
    """Return the handle of a run's gate, wherever it was started."""
    return site.client.get_workflow_handle(gate_workflow_id(run), result_type=GateResult)


def decision(kind: str, plan: ResumePlan | str, **parts: Any) -> Decision:
    """Return a decision on a plan, or on its digest."""
    digest = plan if isinstance(plan, str) else plan.plan_digest
    given = {"operator": "alice", "reason": "looked", "decision_id": f"{kind}:{uuid.uuid4().hex}", **parts}
    return Decision.model_validate({"kind": kind, "plan_digest": digest, **given})


async def decide(handle: Handle, given: Any) -> DecisionAnswer:
    """Send a decision as an update."""
    answer: DecisionAnswer = await handle.execute_update(DECIDE, given, result_type=DecisionAnswer)
    return answer


async def signal(handle: Handle, given: Any) -> None:
    """Send a decision as a signal."""
    await handle.signal(DECISION, given)


async def refused(handle: Handle, given: Any) -> tuple[str | None, str]:
    """Send a decision as an update that must be refused; return the refusal's type and its words."""
    try:
        answer = await decide(handle, given)
    except WorkflowUpdateFailedError as error:
        return getattr(error.cause, "type", None), str(error.cause)
    raise AssertionError(f"taken: {answer}")
