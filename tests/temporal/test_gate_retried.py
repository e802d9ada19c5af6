"""A gate that a retry policy starts again begins from its own input."""

from datetime import timedelta

from temporalio.common import RetryPolicy

from resume_gate.contract import RESUME_GATE_WORKFLOW, GateRequest, GateResult, gate_workflow_id
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, eventually, gate_of, new_run, parked


async def test_a_gate_that_timed_out_and_is_retried_parks_again(site: Site) -> None:
    """The second run is no continuation: it takes the request that the first one was started with."""
    run = new_run()
    ledgers.dangling(site.store, run)
    first = await site.client.start_workflow(
        RESUME_GATE_WORKFLOW,
        GateRequest(run=run),
        id=gate_workflow_id(run),
        task_queue=site.settings.task_queue,
        result_type=GateResult,
        run_timeout=timedelta(seconds=2),
        retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=100), maximum_attempts=2),
    )

    async def again() -> bool | None:
        return (await gate_of(site, run).describe()).run_id != first.result_run_id or None

    await eventually(again)
    gate = gate_of(site, run)
    await decide(gate, decision("abandon", await parked(gate)))
    assert (await gate.result()).kind == "abandoned"
