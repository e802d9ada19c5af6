"""A ledger that moved between gate and drive: the drive refuses, and the gate looks again."""

from resume_gate.contract import DriveRequest
from tests.temporal import ledgers
from tests.temporal.agents import start_agent, steps
from tests.temporal.drives import DRIVE
from tests.temporal.support import Site, new_run


async def test_a_stale_plan_goes_back_to_the_gate(site: Site) -> None:
    """A drive on another prefix than the planned one does nothing; the next one gets the prefix that is there."""
    run = new_run()

    async def too_late(request: DriveRequest) -> object:
        with ledgers.writing(site.store, run, "other") as turn:
            turn.say("somebody else was here")
        return await site.drives.settles()(request)

    site.drives.script(run, too_late, site.drives.settles())
    agent = await start_agent(site, run)
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "resume_gate", DRIVE]
    assert [request.replay.high_water for request in site.drives.requests[run]] == [1, 2]
