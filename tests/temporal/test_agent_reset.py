"""A run that an operator resets goes through its gate again, under names that no drive had before."""

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import ResetWorkflowExecutionRequest

from resume_gate.contract import AgentRunResult, agent_run_workflow_id
from tests.temporal.agents import agent_shows, start_agent
from tests.temporal.support import Site, new_run

_FIRST_TASK_ENDED = 4


async def test_a_reset_run_is_gated_under_new_names(site: Site) -> None:
    """Reset to its first task, a run drives on from what its ledger holds, in invocations of its own."""
    run = new_run()
    drives = site.drives
    drives.script(run, drives.answers({"kind": "waiting", "reason": "deferred", "deferred": 1}, events=1))
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    drives.script(run, drives.settles())
    await site.client.workflow_service.reset_workflow_execution(
        ResetWorkflowExecutionRequest(
            namespace=site.client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=agent.id, run_id=agent.result_run_id or ""),
            reason="test",
            request_id=run.run_id,
            workflow_task_finish_event_id=_FIRST_TASK_ENDED,
        )
    )
    again = site.client.get_workflow_handle(agent_run_workflow_id(run), result_type=AgentRunResult)
    assert (await again.result()).kind == "settled"
    first, second = drives.requests[run]
    assert first.invocation_id != second.invocation_id
    assert (first.replay.high_water, second.replay.high_water) == (1, 2)
