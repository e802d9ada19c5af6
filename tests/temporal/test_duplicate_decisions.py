"""The same decision id is one decision, however often and in whatever form it comes."""

import asyncio

from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, parked, signal, start_gate


async def test_the_same_update_twice_at_once_is_taken_once(site: Site) -> None:
    """Two senders of one decision get one answer, and the ledger gets one decision."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    given = decision("release", await parked(gate))
    first, second = await asyncio.gather(decide(gate, given), decide(gate, given))
    assert first == second
    assert len((await gate.result()).decisions) == 1
    assert site.store.read(run).high_water == 5


async def test_a_decision_that_was_taken_is_not_taken_again(site: Site) -> None:
    """Sent again after it was taken, as a signal and as an update, it is answered as taken and changes nothing."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    given = decision("recheck", await parked(gate))
    first = await decide(gate, given)
    await gate_shows(gate, lambda seen: seen.phase == "parked" and bool(seen.decisions))
    await signal(gate, given)
    assert await decide(gate, given) == first
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    assert (len(status.decisions), status.refused) == (1, ())
    await gate.terminate()


async def test_of_two_decisions_on_one_plan_the_first_is_taken(site: Site) -> None:
    """Two people who decide at once on the same plan: one decision is recorded, the other one is refused."""
    run = new_run()
    ledgers.dangling(site.store, run, calls=2)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    calls = [{"callEventId": plan.open_operations[0].call_event_id, "outcome": "failed"}]
    await signal(gate, decision("settle", plan, calls=calls, decision_id="first"))
    await signal(gate, decision("release", plan, decision_id="second"))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and bool(seen.refused))
    assert [taken.decision_id for taken in status.decisions] == ["first"]
    assert [found.decision_id for found in status.refused] == ["second"]
    assert "stale: decided on" in status.refused[0].why
    await gate.terminate()
