"""What a person on call sees of a gate: the query, and the same text in the workflow's current details."""

from temporalio.api.sdk.v1 import WorkflowMetadata

from tests.temporal import ledgers
from tests.temporal.support import Site, gate_shows, new_run, parked, start_gate


async def test_the_status_says_what_is_open_and_what_to_type(site: Site) -> None:
    """Calls, since when, what to check, and ready commands with the plan's digest stand in the status."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    plan = status.plan
    assert plan is not None
    facts = ['charge {"order": 7}', "since 2", plan.open_operations[0].call_event_id, "in the world"]
    assert [fact for fact in facts if fact not in status.text] == []
    kinds = [line.command.split()[1] for line in status.commands]
    assert kinds == ["settle", "release", "recheck", "abandon"]
    assert all(f"{run.session_id} {run.run_id} --plan {plan.plan_digest}" in line.command for line in status.commands)
    await gate.terminate()


async def test_the_current_details_are_the_status_text(site: Site) -> None:
    """``temporal workflow metadata`` and the UI show the text of the status."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await parked(gate)
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    metadata = await gate.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    assert metadata.current_details == status.text
    await gate.terminate()


async def test_a_gate_that_ended_still_tells_its_status(site: Site) -> None:
    """The status of a closed gate is ``done`` with the plan it ended on."""
    run = new_run()
    ledgers.safe(site.store, run)
    gate = await start_gate(site, run)
    result = await gate.result()
    status = await gate_shows(gate, lambda seen: seen.phase == "done")
    assert status.plan == result.plan
