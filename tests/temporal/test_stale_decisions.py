"""A decision holds for the plan that its person saw, and for no other."""

from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, parked, refused, signal, start_gate

_NEVER = "sha256:" + "0" * 64


async def test_a_stale_update_is_refused_with_what_changed(site: Site) -> None:
    """The refusal is a ``StalePlan`` that tells the plan decided on from the plan that is there now."""
    run = new_run()
    ledgers.dangling(site.store, run, calls=2)
    gate = await start_gate(site, run)
    first = await parked(gate)
    named = [{"callEventId": first.open_operations[0].call_event_id, "outcome": "failed"}]
    await decide(gate, decision("settle", first, calls=named))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and seen.plan != first)
    kind, why = await refused(gate, decision("release", first))
    assert kind == "StalePlan"
    assert status.plan is not None
    assert first.plan_digest in why
    assert status.plan.plan_digest in why
    assert "blocked, 5 events, 2 open" in why
    assert "blocked, 7 events, 1 open" in why
    await gate.terminate()


async def test_a_stale_signal_is_shown(site: Site) -> None:
    """A signal has no answer: its refusal stands in the status, and the gate stays parked."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await parked(gate)
    await signal(gate, decision("release", _NEVER, decision_id="d-1"))
    status = await gate_shows(gate, lambda seen: bool(seen.refused))
    assert [(found.decision_id, "a plan this gate never showed" in found.why) for found in status.refused] == [
        ("d-1", True)
    ]
    assert status.phase == "parked"
    assert "d-1" in status.text
    await gate.terminate()


async def test_a_ledger_that_moved_since_the_plan_is_not_written_to(site: Site) -> None:
    """A decision on a plan that the gate still shows but the ledger left behind is refused when it is recorded."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    with ledgers.writing(site.store, run, "2") as turn:
        turn.say("somebody else was here")
    moved = site.store.read(run).digest
    kind, why = await refused(gate, decision("release", plan))
    assert "StalePlan" in f"{kind} {why}"
    assert site.store.read(run).digest == moved
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and seen.plan != plan)
    assert status.plan is not None
    assert status.plan.source_high_water == 4
    await gate.terminate()
