"""Agent runs as tests start them, and what their histories and parents tell."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from temporalio.api.enums.v1 import EventType

from resume_gate import ResumePlan, RunRef
from resume_gate.contract import (
    AGENT_RUN_WORKFLOW,
    AgentRunRequest,
    AgentRunResult,
    agent_run_workflow_id,
)
from resume_gate.contract import STATUS as STATUS_QUERY
from tests.temporal.drives import DRIVE, DRIVES
from tests.temporal.support import Handle, Site, eventually, gate_of, parked, quiet
from workflows.progress import AgentRunStatus

T1 = "t1_after_preflight_v1"
TIGHT = {"heartbeat_timeout": 1.0, "start_to_close_timeout": 60.0}


async def start_agent(site: Site, run: RunRef, **request: Any) -> Handle:
    """Start an agent's run, by default on the scripted drives, with a drive that commits T1."""
    given = {"drive_activity": DRIVE, "drive_task_queue": DRIVES, "tool_boundary": T1, "host": TIGHT, **request}
    return await start_agent_on(
        site, run, AgentRunRequest.model_validate({"run": run, "text": "charge order 7", **given})
    )


async def start_agent_on(site: Site, run: RunRef, *arguments: Any, **options: Any) -> Handle:
    """Start an agent's run on these arguments."""
    return await site.client.start_workflow(
        AGENT_RUN_WORKFLOW,
        args=arguments,
        id=agent_run_workflow_id(run),
        task_queue=site.settings.task_queue,
        result_type=AgentRunResult,
        **options,
    )


async def agent_shows(handle: Handle, phase: str, *, attempt: int = 1) -> AgentRunStatus:
    """Return an agent run's status as soon as it is quiet in this phase, after so many attempts."""

    async def look() -> AgentRunStatus | None:
        if not await quiet(handle):
            return None
        status: AgentRunStatus = await handle.query(STATUS_QUERY, result_type=AgentRunStatus)
        return status if (status.phase, status.attempt) == (phase, attempt) else None

    return await eventually(look)


async def agent_parked(site: Site, run: RunRef) -> ResumePlan:
    """Return the plan that an agent's run is parked on."""
    return await parked(gate_of(site, run))


async def steps(handle: Handle) -> list[str]:
    """List what a run's history holds, in order: its activities by name, ``child``, ``timer``."""
    return [step async for step in _steps(handle)]


async def _steps(handle: Handle) -> AsyncIterator[str]:
    async for event in handle.fetch_history_events():
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            yield event.activity_task_scheduled_event_attributes.activity_type.name
        elif event.event_type == EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED:
            yield "child"
        elif event.event_type == EventType.EVENT_TYPE_TIMER_STARTED:
            yield "timer"
