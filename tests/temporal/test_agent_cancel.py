"""Cancelling an agent's run reaches its drive, and nothing is dispatched after it."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from temporalio import activity
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError
from temporalio.exceptions import CancelledError

from resume_gate.contract import DriveRequest
from tests.temporal import ledgers
from tests.temporal.agents import TIGHT, agent_parked, agent_shows, start_agent
from tests.temporal.support import PATIENCE, Handle, Site, gate_of, new_run

Drive = Callable[[DriveRequest], Awaitable[object]]


def _beats(running: asyncio.Event, ends: Callable[[DriveRequest], object]) -> Drive:
    async def step(request: DriveRequest) -> object:
        running.set()
        try:
            while True:
                activity.heartbeat()
                await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            return ends(request)

    return step


def _gives_in(_request: DriveRequest) -> object:
    raise asyncio.CancelledError


def _fails(_request: DriveRequest) -> object:
    raise RuntimeError("could not stop well")


def _goes_on(request: DriveRequest) -> object:
    return {
        "kind": "waiting",
        "reason": "retry",
        "notBefore": 0,
        "operationId": request.options.operation_id,
    }


async def _is_cancelled(handle: Handle) -> None:
    with pytest.raises(WorkflowFailureError) as caught:
        await asyncio.wait_for(handle.result(), PATIENCE)
    assert isinstance(caught.value.cause, CancelledError)
    assert (await handle.describe()).status is WorkflowExecutionStatus.CANCELED


@pytest.mark.parametrize("ends", [_gives_in, _fails, _goes_on])
async def test_cancelling_reaches_the_drive(site: Site, ends: Callable[[DriveRequest], object]) -> None:
    """The drive is told through its heartbeat; however it then ends, the run is cancelled and not driven again."""
    run = new_run()
    running = asyncio.Event()
    site.drives.script(run, _beats(running, ends))
    agent = await start_agent(site, run)
    await asyncio.wait_for(running.wait(), PATIENCE)
    await agent.cancel()
    await _is_cancelled(agent)
    assert len(site.drives.requests[run]) == 1


async def test_a_drive_that_settles_all_the_same_ends_the_run(site: Site) -> None:
    """An outcome that is final is kept, though the run was to be cancelled."""
    run = new_run()
    running = asyncio.Event()
    outcome = {"kind": "settled", "outcome": 1}
    site.drives.script(run, _beats(running, lambda request: outcome | {"operationId": request.options.operation_id}))
    agent = await start_agent(site, run)
    await asyncio.wait_for(running.wait(), PATIENCE)
    await agent.cancel()
    assert (await agent.result()).outcome == 1


async def test_cancelling_a_parked_run_ends_its_gate(site: Site) -> None:
    """The gate of a cancelled run does not stay behind."""
    run = new_run()
    ledgers.dangling(site.store, run)
    agent = await start_agent(site, run)
    await agent_parked(site, run)
    await agent.cancel()
    await _is_cancelled(agent)
    assert (await gate_of(site, run).describe()).status is WorkflowExecutionStatus.CANCELED


async def test_cancelling_a_waiting_run_ends_it(site: Site) -> None:
    """A run that waits for a time or a wake is cancelled at once."""
    run = new_run()
    wait = {"kind": "waiting", "reason": "deferred", "deferred": 1}
    site.drives.script(run, site.drives.answers(wait))
    agent = await start_agent(site, run, host=TIGHT)
    await agent_shows(agent, "waiting")
    await agent.cancel()
    await _is_cancelled(agent)
