"""A decision that comes before its plan is kept for it; one whose plan never comes is dropped and shown."""

from resume_gate import RunRef
from resume_gate.contract import DECISION, RESUME_GATE_WORKFLOW, GateRequest, GateResult, gate_workflow_id
from resume_gate.decisions import Decision
from resume_gate.gate import judge
from tests.temporal import ledgers
from tests.temporal.support import Handle, Site, decision, gate_shows, new_run


async def _start_with_signal(site: Site, run: RunRef, given: Decision) -> Handle:
    return await site.client.start_workflow(
        RESUME_GATE_WORKFLOW,
        GateRequest(run=run),
        id=gate_workflow_id(run),
        task_queue=site.settings.task_queue,
        start_signal=DECISION,
        start_signal_args=[given],
        result_type=GateResult,
    )


async def test_a_decision_that_comes_before_the_first_plan_is_taken(site: Site) -> None:
    """A person who judged the ledger offline may send the decision with the start."""
    run = new_run()
    ledgers.dangling(site.store, run)
    plan = judge(run, lambda: site.store.read(run))
    gate = await _start_with_signal(site, run, decision("release", plan))
    result = await gate.result()
    assert (result.kind, [taken.kind for taken in result.decisions]) == ("cleared", ["release"])


async def test_a_kept_decision_that_went_stale_is_dropped_and_shown(site: Site) -> None:
    """A decision on a prefix that the gate never finds is refused, and the run parks."""
    run = new_run()
    ledgers.dangling(site.store, run)
    plan = judge(run, lambda: site.store.read(run))
    with ledgers.writing(site.store, run, "2") as turn:
        turn.say("somebody else was here")
    gate = await _start_with_signal(site, run, decision("release", plan, decision_id="early"))
    status = await gate_shows(gate, lambda seen: bool(seen.refused))
    assert [found.decision_id for found in status.refused] == ["early"]
    assert (status.phase, status.decisions) == ("parked", ())
    await gate.terminate()
