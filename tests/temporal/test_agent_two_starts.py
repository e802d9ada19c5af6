"""Two starts of one run: one of them drives."""

import pytest
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError
from temporalio.exceptions import WorkflowAlreadyStartedError

from resume_gate.contract import AGENT_RUN_WORKFLOW, AgentRunResult
from tests.temporal import ledgers
from tests.temporal.agents import agent_parked, start_agent, steps
from tests.temporal.support import Site, decide, decision, eventually, gate_of, new_run, parked, start_gate


async def test_a_second_start_of_a_running_run_is_refused(site: Site) -> None:
    """The workflow id names the run, so the server refuses the second start."""
    run = new_run()
    ledgers.dangling(site.store, run)
    agent = await start_agent(site, run)
    with pytest.raises(WorkflowAlreadyStartedError):
        await start_agent(site, run)
    await agent.cancel()
    with pytest.raises(WorkflowFailureError):
        await agent.result()


async def test_a_start_after_the_end_finds_the_run_finished(site: Site) -> None:
    """A run that ended may be started again: it is found finished."""
    run = new_run()
    site.drives.script(run, site.drives.settles())
    assert (await (await start_agent(site, run)).result()).kind == "settled"
    assert await (await start_agent(site, run)).result() == AgentRunResult(kind="finished")


async def test_a_gate_that_is_open_already_is_waited_for(site: Site) -> None:
    """Where the run's gate was started by somebody else, the agent's run tries again until that gate ended."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    site.drives.script(run, site.drives.settles())
    agent = await start_agent(site, run)

    async def waits() -> bool | None:
        return "timer" in await steps(agent) or None

    await eventually(waits)
    assert site.drives.requests[run] == []
    await decide(gate, decision("release", plan))
    assert (await agent.result()).kind == "settled"
    assert AGENT_RUN_WORKFLOW in (await agent.describe()).workflow_type


async def test_a_gate_that_was_terminated_cleared_nothing(site: Site) -> None:
    """Ending the gate from outside does not let the run go: it parks again."""
    run = new_run()
    ledgers.dangling(site.store, run)
    agent = await start_agent(site, run)
    first = gate_of(site, run)
    await agent_parked(site, run)
    ended = (await first.describe()).run_id
    await first.terminate()

    async def again() -> bool | None:
        described = await gate_of(site, run).describe()
        return (described.run_id != ended and described.status is WorkflowExecutionStatus.RUNNING) or None

    await eventually(again)
    assert site.drives.requests[run] == []
    await decide(gate_of(site, run), decision("abandon", await agent_parked(site, run)))
    assert (await agent.result()).kind == "abandoned"
