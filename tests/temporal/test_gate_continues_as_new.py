"""A gate whose history grows long goes on in a new run, and forgets nothing."""

import asyncio

import pytest

from resume_gate.temporal import operations
from tests.temporal import ledgers
from tests.temporal.support import (
    Handle,
    Site,
    decide,
    decision,
    gate_of,
    gate_shows,
    new_run,
    parked,
    refused,
    signal,
    start_gate,
)

_NEVER = "sha256:" + "0" * 64


async def _runs(gate: Handle) -> int:
    described = await gate.describe()
    first, now = described.raw_info.first_run_id, described.run_id
    return 1 if first == now else 2


async def _recheck_until_continued(gate: Handle) -> int:
    for count in range(1, 20):
        given = decision("recheck", await parked(gate))
        await signal(gate, given)
        await gate_shows(gate, lambda seen: seen.phase == "parked" and len(seen.decisions) >= count)  # noqa: B023
        if await _runs(gate) > 1:
            return count
    raise AssertionError("never continued as new")


async def test_decisions_and_refusals_survive(short_site: Site) -> None:
    """What was decided, what was refused and what earlier plans said is there after the gate continued as new."""
    run = new_run()
    ledgers.dangling(short_site.store, run)
    await start_gate(short_site, run)
    gate = gate_of(short_site, run)
    first = await parked(gate)
    await signal(gate, decision("release", _NEVER, decision_id="never"))
    await gate_shows(gate, lambda seen: bool(seen.refused))
    count = await _recheck_until_continued(gate)
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    assert [found.decision_id for found in status.refused] == ["never"]
    again = status.decisions[0]
    answer = await decide(gate, decision("recheck", first, decision_id=again.decision_id))
    assert answer.text == "taken before; one decision is taken once"
    assert status.plan == first
    await decide(gate, decision("release", first))
    result = await gate.result()
    assert [taken.kind for taken in result.decisions] == ["recheck"] * count + ["release"]


async def test_an_update_that_waits_does_not_hold_the_gate_open(
    short_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sender whose decision still waits for its plan is told so, by the command too; the gate goes on anew."""
    run = new_run()
    monkeypatch.setenv("TEMPORAL_ADDRESS", short_site.client.service_client.config.target_host)
    with ledgers.writing(short_site.store, run) as turn:
        turn.user("charge order 7")
        await start_gate(short_site, run)
        gate = gate_of(short_site, run)
        waiting = (await gate_shows(gate, lambda seen: seen.phase == "waiting")).plan
        assert waiting is not None
        sent = asyncio.create_task(refused(gate, decision("release", _NEVER)))
        typed = asyncio.create_task(operations.decide(run, decision("abandon", _NEVER)))
        while not sent.done():
            await signal(gate, decision("recheck", waiting))
            await asyncio.sleep(0.2)
        (kind, why), reply = await sent, await typed
    assert (kind, "keeps the decision" in why) == ("NotDecidedYet", True)
    assert (reply.code, "keeps the" in reply.text) == (operations.NO_ANSWER, True), reply
    assert (await gate.result()).kind == "cleared"
