"""Drives that add nothing: after a few the run parks, with the last error, for a person."""

import pytest

from tests.temporal.agents import TIGHT, agent_parked, start_agent, steps
from tests.temporal.drives import DRIVE, Step
from tests.temporal.support import Site, decide, decision, gate_of, gate_shows, new_run

_LIMIT = TIGHT | {"no_progress_limit": 2}


async def test_a_drive_that_fails_parks_at_the_limit(site: Site) -> None:
    """Three failed drives park the run on a safe plan, and the last error is what the person sees."""
    run = new_run()
    site.drives.script(run, site.drives.fails("no model answers"))
    agent = await start_agent(site, run)
    status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "parked")
    assert await steps(agent) == ["open_run", *["resume_gate", DRIVE] * 3, "resume_gate", "child"]
    assert status.hold is not None
    assert (status.hold.reason, status.hold.detail) == ("no_progress", "RuntimeError: no model answers")
    assert status.plan is not None
    assert (status.plan.safe, len(site.drives.requests[run])) == (True, 3)
    await decide(gate_of(site, run), decision("abandon", status.plan))


async def test_a_recheck_starts_the_count_again(site: Site) -> None:
    """After a recheck the run is driven as often again before it parks anew."""
    run = new_run()
    site.drives.script(run, *[site.drives.fails()] * 3, site.drives.settles())
    agent = await start_agent(site, run, host=_LIMIT)
    await decide(gate_of(site, run), decision("recheck", await agent_parked(site, run)))
    assert (await agent.result()).kind == "settled"
    assert len(site.drives.requests[run]) == 4


async def test_a_drive_with_new_events_is_progress(site: Site) -> None:
    """Drives that end without an outcome but commit events are given out as often as it takes."""
    run = new_run()
    retry = {"kind": "waiting", "reason": "retry", "notBefore": 0}
    site.drives.script(run, *[site.drives.answers(retry, events=1)] * 4, site.drives.settles())
    agent = await start_agent(site, run, host=_LIMIT)
    assert (await agent.result()).kind == "settled"


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        pytest.param({"operationId": "other", "kind": "settled", "outcome": 1}, "for operation 'other'", id="wrong id"),
        pytest.param("fine, thanks", "not a DriveOutcome", id="garbage"),
        pytest.param(None, "not a DriveOutcome", id="void"),
        pytest.param({"kind": "settled", "outcome": "x" * 65_536}, "65536 are allowed", id="over 64 KiB"),
        pytest.param({"kind": "settled", "outcome": 1, "deadline": 2}, "deadline", id="an unknown key"),
        pytest.param({"kind": "waiting", "reason": "retry", "notBefore": -1}, "notBefore", id="a time before 1970"),
    ],
)
async def test_a_bad_outcome_is_no_progress(site: Site, outcome: object, why: str) -> None:
    """An outcome that is none goes to the gate and, in the end, to a person, even where events were committed."""
    run = new_run()
    step: Step = site.drives.answers(outcome, events=1)
    site.drives.script(run, step)
    await start_agent(site, run, host=_LIMIT)
    status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "parked")
    assert status.hold is not None
    assert (status.hold.reason, why in str(status.hold.detail)) == ("no_progress", True)
    assert status.plan is not None
    assert status.plan.source_high_water == 3
    await decide(gate_of(site, run), decision("abandon", status.plan))
