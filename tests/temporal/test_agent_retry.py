"""An outcome that waits for a time: a durable timer, then the gate."""

import time

from tests.temporal.agents import agent_shows, start_agent, steps
from tests.temporal.drives import DRIVE
from tests.temporal.support import Site, new_run

_DAY_MS = 24 * 3600 * 1000


async def test_a_retry_waits_until_its_time_then_gates(site: Site) -> None:
    """The run waits on a timer until ``notBefore`` and passes the gate before it drives again."""
    run = new_run()
    soon = int(time.time() * 1000) + 700
    wait = site.drives.answers({"kind": "waiting", "reason": "retry", "notBefore": soon}, events=1)
    site.drives.script(run, wait, site.drives.settles())
    agent = await start_agent(site, run)
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "timer", "resume_gate", DRIVE]


async def test_a_time_that_is_past_is_not_waited_for(site: Site) -> None:
    """A ``notBefore`` in the past goes straight to the gate."""
    run = new_run()
    wait = site.drives.answers({"kind": "waiting", "reason": "retry", "notBefore": 1.5}, events=1)
    site.drives.script(run, wait, site.drives.settles())
    agent = await start_agent(site, run)
    await agent.result()
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "resume_gate", DRIVE]


async def test_a_far_time_is_waited_for(site: Site) -> None:
    """The latest time that the contract allows is a timer like any other, and a wake does not cut it short."""
    run = new_run()
    far = site.drives.answers({"kind": "waiting", "reason": "retry", "notBefore": 4_102_444_800_000}, events=1)
    site.drives.script(run, far)
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    await agent.signal("wake")
    await agent_shows(agent, "waiting")
    assert (await steps(agent)).count(DRIVE) == 1
    await agent.terminate()
