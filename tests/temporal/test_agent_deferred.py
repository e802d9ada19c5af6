"""An outcome that is ready elsewhere, later: a wake, or a poll, brings the next drive."""

import asyncio
from typing import Any

from resume_gate.contract import WAKE, DriveRequest
from tests.temporal.agents import TIGHT, agent_shows, start_agent, steps
from tests.temporal.drives import DRIVE
from tests.temporal.support import Site, new_run

_DEFERRED = {"kind": "waiting", "reason": "deferred", "deferred": {"ticket": 5}}


async def test_a_wake_brings_the_next_drive(site: Site) -> None:
    """A deferred run waits for the signal ``wake``, with whatever payload, then gates and drives."""
    run = new_run()
    site.drives.script(run, site.drives.answers(_DEFERRED), site.drives.settles())
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    await agent.signal(WAKE, args=["ticket", 5])
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "resume_gate", DRIVE]


async def test_a_wake_during_the_drive_counts_for_its_wait(site: Site) -> None:
    """What becomes ready while the drive still runs wakes the run as soon as it would wait."""
    run = new_run()
    running, go_on = asyncio.Event(), asyncio.Event()

    async def step(request: DriveRequest) -> Any:
        running.set()
        await go_on.wait()
        return {**_DEFERRED, "operationId": request.options.operation_id}

    site.drives.script(run, step, site.drives.settles())
    agent = await start_agent(site, run, host=TIGHT | {"heartbeat_timeout": 30})
    await running.wait()
    await agent.signal(WAKE)
    go_on.set()
    assert (await agent.result()).kind == "settled"


async def test_a_wake_before_the_drive_does_not(site: Site) -> None:
    """A wake that came before the drive was given out says nothing about what that drive defers."""
    run = new_run()
    site.drives.script(run, site.drives.answers(_DEFERRED), site.drives.answers(_DEFERRED), site.drives.settles())
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    await agent.signal(WAKE)
    await agent_shows(agent, "waiting", attempt=2)
    assert len(site.drives.requests[run]) == 2
    await agent.signal(WAKE)
    assert (await agent.result()).kind == "settled"


async def test_a_polling_run_is_driven_again_and_again(site: Site) -> None:
    """With ``pollDeferred`` no wake is needed, and waiting elsewhere is no lack of progress."""
    run = new_run()
    site.drives.script(run, *[site.drives.answers(_DEFERRED)] * 4, site.drives.settles())
    options = {"operation_id": "op-1", "poll_deferred": True}
    agent = await start_agent(site, run, options=options, host=TIGHT | {"deferred_poll": 0.1})
    assert (await agent.result()).kind == "settled"
    assert (await steps(agent)).count("timer") == 4
