"""An old attempt that still lives: the new one waits for it, and never runs beside it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from resume_gate import RunRef
from resume_gate.temporal.devserver import DevServer
from tests.temporal.agents import agent_parked, start_agent, steps
from tests.temporal.drive_process import PROCESS_DRIVE
from tests.temporal.processes import Process, drive_process, go_on, inside_tool, stop
from tests.temporal.support import Handle, Site, decide, decision, gate_of, gate_shows, new_run


@asynccontextmanager
async def _stopped(site: Site, server: DevServer, run: RunRef) -> AsyncIterator[tuple[Process, Handle]]:
    queue = f"stopped-{run.run_id}"
    async with drive_process(site, server.address, queue) as old:
        agent = await start_agent(site, run, drive_activity=PROCESS_DRIVE, drive_task_queue=queue)
        await inside_tool(site.store, run)
        stop(old)
        yield old, agent


@pytest.mark.parametrize("end", [go_on, Process.kill])
async def test_the_wait_ends_with_the_old_attempt(
    site: Site, server: DevServer, end: Callable[[Process], None]
) -> None:
    """A drive stopped beyond its heartbeat is waited for; when it goes on, or dies, the gate sees what it left."""
    run = new_run()
    async with _stopped(site, server, run) as (old, agent):
        status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "waiting")
        assert status.plan is not None
        assert status.plan.rejection_reasons == ("ledger_writer_active",)
        assert (await steps(agent)).count(PROCESS_DRIVE) == 1
        end(old)
        plan = await agent_parked(site, run)
        assert [operation.status for operation in plan.open_operations] == ["indeterminate"]
        assert (await steps(agent)).count(PROCESS_DRIVE) == 1
        await decide(gate_of(site, run), decision("abandon", plan))
        assert (await agent.result()).kind == "abandoned"


async def test_recheck_and_abandon_act_at_once_meanwhile(site: Site, server: DevServer) -> None:
    """While the old attempt lives a person may have the gate look again, or give the run up; nothing can be settled."""
    run = new_run()
    async with _stopped(site, server, run) as (_old, agent):
        gate = gate_of(site, run)
        plan = (await gate_shows(gate, lambda seen: seen.phase == "waiting")).plan
        assert plan is not None
        await decide(gate, decision("recheck", plan))
        await gate_shows(gate, lambda seen: seen.phase == "waiting" and bool(seen.decisions))
        await decide(gate, decision("abandon", plan))
        assert (await agent.result()).kind == "abandoned"
