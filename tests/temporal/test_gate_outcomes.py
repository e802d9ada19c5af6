"""How a gate ends by itself: a safe run is cleared, a finished one is never dispatched again."""

import pytest

from resume_gate.agent.recorder import EndStatus
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, new_run, parked, start_gate


async def test_a_safe_run_is_cleared(site: Site) -> None:
    """A run whose calls all have their results is cleared at once, with the plan that says so."""
    run = new_run()
    ledgers.safe(site.store, run)
    result = await (await start_gate(site, run)).result()
    assert (result.kind, result.plan.disposition, result.decisions) == ("cleared", "safe_replay", ())


@pytest.mark.parametrize("status", ["completed", "aborted", "cancelled"])
async def test_a_run_that_reached_its_end_is_finished(site: Site, status: EndStatus) -> None:
    """A run whose ledger holds such an end is finished, not cleared."""
    run = new_run()
    ledgers.ended(site.store, run, status)
    result = await (await start_gate(site, run)).result()
    assert (result.kind, result.plan.terminal_status) == ("finished", status)


async def test_a_run_that_failed_may_be_driven_again(site: Site) -> None:
    """The end ``failed`` is no reason not to try again."""
    run = new_run()
    ledgers.ended(site.store, run, "failed")
    assert (await (await start_gate(site, run)).result()).kind == "cleared"


async def test_an_abandoned_run_ends_blocked(site: Site) -> None:
    """Abandoning ends the gate with the plan that was blocked, says who did it, and adds nothing to the ledger."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    before = site.store.read(run).digest
    await decide(gate, decision("abandon", await parked(gate)))
    result = await gate.result()
    assert (result.kind, result.plan.disposition) == ("abandoned", "blocked")
    assert [(taken.kind, taken.operator) for taken in result.decisions] == [("abandon", "alice")]
    assert site.store.read(run).digest == before
