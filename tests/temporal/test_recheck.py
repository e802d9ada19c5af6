"""A recheck adds nothing: the gate reads the ledger again, after a repair or for a high-water that a person accepts."""

from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, parked, refused, signal, start_gate


async def test_a_recheck_after_a_repair_clears(site: Site) -> None:
    """A ledger with a torn row is blocked; once a person cut it back, a recheck clears the run."""
    run = new_run()
    ledgers.safe(site.store, run)
    path = ledgers.file_of(site.store, run)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id":"torn')
    gate = await start_gate(site, run)
    plan = await parked(gate)
    assert plan.rejection_reasons == ("runtime_ledger_unreadable",)
    path.write_bytes(whole)
    await decide(gate, decision("recheck", plan))
    assert (await gate.result()).kind == "cleared"


async def test_a_recheck_of_the_same_ledger_parks_on_the_same_plan(site: Site) -> None:
    """Reading again what did not change changes nothing, and the decision is counted."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    await signal(gate, decision("recheck", plan))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and bool(seen.decisions))
    assert status.plan == plan
    await gate.terminate()


async def test_a_lost_tail_is_blocked_until_its_high_water_is_accepted(site: Site) -> None:
    """Fewer events than the minimum block; a recheck that accepts the number that is there clears."""
    run = new_run()
    ledgers.safe(site.store, run)
    gate = await start_gate(site, run, minimum_high_water=9)
    plan = await parked(gate)
    assert (plan.rejection_reasons, plan.source_high_water) == (("runtime_offset_mismatch",), 4)
    await decide(gate, decision("recheck", plan))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and bool(seen.decisions))
    assert status.plan == plan
    await decide(gate, decision("recheck", plan, accept_high_water=4))
    assert (await gate.result()).kind == "cleared"


async def test_another_high_water_than_the_one_there_is_refused(site: Site) -> None:
    """A recheck may accept only the number of events that the plan shows."""
    run = new_run()
    ledgers.safe(site.store, run)
    gate = await start_gate(site, run, expected_high_water=5)
    kind, why = await refused(gate, decision("recheck", await parked(gate), accept_high_water=5))
    assert kind == "Refused"
    assert "the plan shows 4 events, not 5" in why
    await gate.terminate()


async def test_a_ledger_that_shrank_since_the_gate_saw_it_is_lost_evidence(site: Site) -> None:
    """An older copy in the ledger's place is no repair: the gate remembers how many events it saw."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    path = ledgers.file_of(site.store, run)
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    await decide(gate, decision("recheck", plan))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and bool(seen.decisions))
    assert status.plan is not None
    assert status.plan.rejection_reasons == ("runtime_offset_mismatch",)
    await gate.terminate()
