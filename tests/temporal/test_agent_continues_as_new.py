"""A run whose history grows long goes on in a new execution, and forgets nothing."""

from datetime import timedelta

import pytest

from resume_gate.contract import agent_run_workflow_id
from resume_gate.temporal import passing
from tests.temporal import ledgers
from tests.temporal.agents import agent_parked, start_agent
from tests.temporal.support import (
    Handle,
    Site,
    decide,
    decision,
    eventually,
    gate_of,
    gate_shows,
    new_run,
    parked,
    start_gate,
)

_RETRY = {"kind": "waiting", "reason": "retry", "notBefore": 0}


async def _start(site: Site, run: object, **request: object) -> Handle:
    """Start a run, and return a handle that follows it from execution to execution."""
    await start_agent(site, run, **request)  # type: ignore[arg-type]
    return site.client.get_workflow_handle(agent_run_workflow_id(run))  # type: ignore[arg-type]


async def _continued(handle: Handle) -> bool:
    described = await handle.describe()
    return bool(described.raw_info.first_run_id != described.run_id)


async def test_attempts_and_their_names_go_on(short_site: Site) -> None:
    """Attempts are counted on over executions, and no drive gets an invocation or turn id that another had."""
    run = new_run()
    drives = short_site.drives
    drives.script(run, *[drives.answers(_RETRY, events=1)] * 5, drives.settles("done"))
    agent = await _start(short_site, run)
    assert (await agent.result())["outcome"] == "done"
    assert await _continued(agent)
    requests = drives.requests[run]
    assert [request.attempt for request in requests] == [1, 2, 3, 4, 5, 6]
    assert len({request.invocation_id for request in requests} | {request.turn_id for request in requests}) == 6
    assert [request.replay.high_water for request in requests] == [1, 2, 3, 4, 5, 6]


async def test_idle_drives_are_counted_on(short_site: Site) -> None:
    """The limit of drives without progress holds over executions, and the last error is still known."""
    run = new_run()
    short_site.drives.script(run, short_site.drives.fails("no model answers"))
    agent = await _start(short_site, run, host={"no_progress_limit": 5})
    status = await gate_shows(gate_of(short_site, run), lambda seen: seen.phase == "parked")
    assert await _continued(agent)
    assert len(short_site.drives.requests[run]) == 5
    assert status.hold is not None
    assert status.hold.detail == "RuntimeError: no model answers"
    await agent.cancel()


async def test_a_question_is_still_asked(short_site: Site) -> None:
    """A drive's question parks the run also where it comes with the execution's last drive."""
    run = new_run()
    drives = short_site.drives
    asks = drives.answers({"kind": "action_required", "action": "which order?"})
    drives.script(run, drives.answers(_RETRY, events=1), asks, drives.settles())
    agent = await _start(short_site, run)
    status = await gate_shows(gate_of(short_site, run), lambda seen: seen.phase == "parked")
    assert await _continued(agent)
    assert status.hold is not None
    assert status.hold.detail == "which order?"
    await decide(gate_of(short_site, run), decision("answer", await agent_parked(short_site, run), payload=8))
    assert (await agent.result())["kind"] == "settled"


async def test_waiting_for_an_open_gate_does_not_fill_the_history(
    short_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose gate somebody else holds open for days continues as new between its tries."""
    monkeypatch.setattr(passing, "FIRST_PAUSE", timedelta(milliseconds=50))
    run = new_run()
    ledgers.dangling(short_site.store, run)
    gate = await start_gate(short_site, run)
    plan = await parked(gate)
    short_site.drives.script(run, short_site.drives.settles())
    agent = await _start(short_site, run)

    async def continued() -> bool | None:
        return await _continued(agent) or None

    await eventually(continued)
    assert short_site.drives.requests[run] == []
    await decide(gate, decision("release", plan))
    assert (await agent.result())["kind"] == "settled"
