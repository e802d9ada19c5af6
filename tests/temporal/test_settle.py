"""Settling records what a person found out, call by call."""

from typing import Any

import pytest

from resume_gate import ResumePlan
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, parked, refused, signal, start_gate


def _calls(plan: ResumePlan, *outcomes: str, **parts: Any) -> list[dict[str, Any]]:
    pairs = zip(plan.open_operations, outcomes, strict=False)
    return [{"callEventId": operation.call_event_id, "outcome": outcome, **parts} for operation, outcome in pairs]


@pytest.mark.parametrize(
    ("outcome", "status"), [("succeeded", "succeeded"), ("failed", "failed"), ("not_executed", "failed")]
)
async def test_what_a_person_found_is_what_the_plan_says(site: Site, outcome: str, status: str) -> None:
    """A settled call counts as its outcome says; one that was not executed is an error to the model."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    await decide(gate, decision("settle", plan, calls=_calls(plan, outcome, result={"found": 1})))
    result = await gate.result()
    assert (result.kind, [operation.status for operation in result.plan.operations]) == ("cleared", [status])


async def test_a_call_that_is_not_named_stays_open(site: Site) -> None:
    """After a part of the calls is settled the gate parks again, with the rest open and a new digest."""
    run = new_run()
    ledgers.dangling(site.store, run, calls=2)
    gate = await start_gate(site, run)
    first = await parked(gate)
    await decide(gate, decision("settle", first, calls=_calls(first, "succeeded")))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and seen.plan != first)
    second = status.plan
    assert second is not None
    assert [operation.tool_call_id for operation in second.open_operations] == ["c2"]
    await signal(gate, decision("settle", second, calls=_calls(second, "not_executed")))
    result = await gate.result()
    assert (result.kind, [taken.kind for taken in result.decisions]) == ("cleared", ["settle", "settle"])


async def test_a_call_that_is_not_open_cannot_be_settled(site: Site) -> None:
    """Naming a call that is not open is refused with its event id, and nothing is written."""
    run = new_run()
    ledgers.dangling(site.store, run)
    before = site.store.read(run).digest
    gate = await start_gate(site, run)
    plan = await parked(gate)
    kind, why = await refused(
        gate, decision("settle", plan, calls=[{"callEventId": "no-such-event", "outcome": "failed"}])
    )
    assert kind == "Refused"
    assert "no-such-event" in why
    assert site.store.read(run).digest == before
    await gate.terminate()
