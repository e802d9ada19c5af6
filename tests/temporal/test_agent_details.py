"""What the Temporal UI shows of a run that waits: for whom, and what was wrong last."""

from temporalio.api.sdk.v1 import WorkflowMetadata

from resume_gate.contract import WAKE
from tests.temporal.agents import agent_shows, start_agent
from tests.temporal.support import Handle, Site, eventually, new_run

_DEFERRED = {"kind": "waiting", "reason": "deferred", "deferred": {"ticket": 5}}


async def _details(agent: Handle) -> str:
    metadata = await agent.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    return str(metadata.current_details)


async def test_a_run_without_a_drive_worker_names_the_queue_it_waits_for(site: Site) -> None:
    """A drive that nobody takes is not retried and not failed: the details say which queue nobody may poll."""
    agent = await start_agent(site, new_run(), drive_task_queue="nobody-polls-this")

    async def driving() -> str | None:
        details = await _details(agent)
        return details if "nobody-polls-this" in details else None

    assert "waits until one polls it" in await eventually(driving)
    await agent.terminate()


async def test_a_deferred_run_names_the_signal_it_waits_for(site: Site) -> None:
    """Whoever finds a deferred run in the UI reads how to end its wait."""
    run = new_run()
    site.drives.script(run, site.drives.answers(_DEFERRED), site.drives.settles())
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    assert "the signal wake" in await _details(agent)
    await agent.signal(WAKE)
    await agent.result()
