"""No update waits for ever: when its gate ends, whoever sent it is told."""

import asyncio

import pytest
from temporalio.client import WithStartWorkflowOperation, WorkflowUpdateFailedError
from temporalio.common import WorkflowIDConflictPolicy
from temporalio.service import RPCError

from resume_gate.contract import DECIDE, RESUME_GATE_WORKFLOW, DecisionAnswer, GateRequest, GateResult, gate_workflow_id
from tests.temporal import ledgers
from tests.temporal.support import PATIENCE, Site, decision, gate_shows, new_run, refused, start_gate

_NEVER = "sha256:" + "0" * 64


async def test_an_update_for_a_gate_that_clears_at_once_is_told_so(site: Site) -> None:
    """An update sent with the start of a gate that finds a safe run is refused, and the gate ends."""
    run = new_run()
    ledgers.safe(site.store, run)
    start: WithStartWorkflowOperation[object, GateResult] = WithStartWorkflowOperation(
        RESUME_GATE_WORKFLOW,
        GateRequest(run=run),
        id=gate_workflow_id(run),
        task_queue=site.settings.task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
        result_type=GateResult,
    )
    async with asyncio.timeout(PATIENCE):
        with pytest.raises((WorkflowUpdateFailedError, RPCError)) as caught:
            await site.client.execute_update_with_start_workflow(
                DECIDE, decision("release", _NEVER), start_workflow_operation=start, result_type=DecisionAnswer
            )
        handle = await start.workflow_handle()
        assert (await handle.result()).kind == "cleared"
    told = caught.value.cause if isinstance(caught.value, WorkflowUpdateFailedError) else caught.value
    assert "cleared" in str(told) or "completed" in str(told)


async def test_an_update_kept_while_the_old_writer_lives_ends_with_the_gate(site: Site) -> None:
    """A decision on a plan that never came is refused when the old writer ends and the run is safe."""
    run = new_run()
    async with asyncio.timeout(PATIENCE):
        with ledgers.writing(site.store, run) as turn:
            turn.user("charge order 7")
            gate = await start_gate(site, run)
            await gate_shows(gate, lambda seen: seen.phase == "waiting")
            sent = asyncio.create_task(refused(gate, decision("release", _NEVER)))
            await asyncio.sleep(0.2)
        kind, why = await sent
        assert (kind, "cleared" in why) == ("Refused", True)
        assert (await gate.result()).kind == "cleared"
