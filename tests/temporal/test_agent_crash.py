"""A drive whose process is killed inside its tool: the run goes to the gate, never to a blind retry."""

import asyncio

from temporalio import activity

from resume_gate.contract import DriveRequest
from resume_gate.temporal.devserver import DevServer
from tests.temporal.agents import TIGHT, agent_parked, start_agent, steps
from tests.temporal.drive_process import PROCESS_DRIVE
from tests.temporal.drives import DRIVE
from tests.temporal.processes import drive_process, inside_tool
from tests.temporal.support import Site, decide, decision, gate_of, gate_shows, new_run


async def test_a_killed_drive_goes_to_the_gate(site: Site, server: DevServer) -> None:
    """After SIGKILL the run parks on the open call, and is driven again only when a person released it."""
    run, queue = new_run(), "killed-drive"
    async with drive_process(site, server.address, queue) as doomed:
        agent = await start_agent(site, run, drive_activity=PROCESS_DRIVE, drive_task_queue=queue)
        await inside_tool(site.store, run)
        doomed.kill()
        plan = await agent_parked(site, run)
        assert [operation.status for operation in plan.open_operations] == ["indeterminate"]
        assert (await steps(agent)).count(PROCESS_DRIVE) == 1
        async with drive_process(site, server.address, queue):
            await decide(gate_of(site, run), decision("release", plan))
            assert (await agent.result()).outcome == 2
        assert await steps(agent) == ["open_run", "resume_gate", PROCESS_DRIVE, "resume_gate", "child", PROCESS_DRIVE]


async def test_the_last_heartbeat_is_the_next_minimum(site: Site) -> None:
    """A lost drive that told of more events than the ledger holds means lost evidence: the gate blocks."""
    run = new_run()

    async def lost(_request: DriveRequest) -> object:
        activity.heartbeat({"highWater": 5})
        await asyncio.sleep(60)
        return None

    site.drives.script(run, lost)
    agent = await start_agent(site, run)
    status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "parked")
    assert status.plan is not None
    assert status.plan.rejection_reasons == ("runtime_offset_mismatch",)
    assert "at least 5 expected, 1 found" in status.plan.diagnostics[0].message
    await decide(gate_of(site, run), decision("abandon", status.plan))
    assert (await agent.result()).kind == "abandoned"


async def test_a_drive_that_takes_too_long_goes_to_the_gate(site: Site) -> None:
    """A drive that outlives its time is lost like one that died: the gate decides what comes next."""
    run = new_run()

    async def slow(_request: DriveRequest) -> object:
        while True:
            activity.heartbeat()
            await asyncio.sleep(0.1)

    site.drives.script(run, slow, site.drives.settles())
    agent = await start_agent(site, run, host=TIGHT | {"start_to_close_timeout": 1.0})
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "resume_gate", DRIVE]


async def test_a_heartbeat_of_another_shape_says_nothing(site: Site) -> None:
    """An author's own heartbeat details are no high-water, and do not hold the run up."""
    run = new_run()

    async def lost(_request: DriveRequest) -> object:
        activity.heartbeat("half way", {"percent": 50})
        await asyncio.sleep(60)
        return None

    site.drives.script(run, lost, site.drives.settles())
    assert (await (await start_agent(site, run)).result()).kind == "settled"
