"""A decision that is sent while no worker runs is applied when one starts."""

from pathlib import Path

from temporalio.client import Client

from resume_gate import RuntimeEventStore
from resume_gate.contract import RESUME_GATE_WORKFLOW, GateRequest, GateResult, gate_workflow_id
from resume_gate.settings import Settings
from resume_gate.temporal.devserver import DevServer
from tests.temporal import ledgers
from tests.temporal.support import decision, new_run, parked, serving, signal


async def test_a_signal_waits_for_a_worker(server: DevServer, author: Client, tmp_path: Path) -> None:
    """A signal that comes while the control worker is down is taken up by the next one, and clears the run."""
    settings = Settings(root=tmp_path, task_queue="no-worker")
    store, run = RuntimeEventStore(tmp_path), new_run()
    ledgers.dangling(store, run)
    async with serving(server.address, settings):
        gate = await author.start_workflow(
            RESUME_GATE_WORKFLOW,
            GateRequest(run=run),
            id=gate_workflow_id(run),
            task_queue=settings.task_queue,
            result_type=GateResult,
        )
        plan = await parked(gate)
    await signal(gate, decision("release", plan, operator="carol"))
    assert store.read(run).high_water == plan.source_high_water
    async with serving(server.address, settings):
        result = await gate.result()
    assert (result.kind, [taken.operator for taken in result.decisions]) == ("cleared", ["carol"])
