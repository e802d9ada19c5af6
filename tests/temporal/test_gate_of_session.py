"""The gate over another agent's session, through a running workflow and its worker."""

from __future__ import annotations

from pathlib import Path

from resume_gate import RunRef
from resume_gate.contract import SessionRef
from tests.cli.test_check_sessions import ANSWER, ASKS, USER, _session
from tests.temporal.support import Handle, Site, decide, decision, new_run, parked, refused, start_gate


def _write(site: Site, run: RunRef, *rows: dict[str, object]) -> SessionRef:
    root = site.settings.sessions
    assert root is not None
    return SessionRef(format="pi", locator=_session(root / f"{run.run_id}.jsonl", *rows).name)


async def _gate(site: Site, run: RunRef, *rows: dict[str, object]) -> Handle:
    return await start_gate(site, run, session=_write(site, run, *rows))


async def test_a_safe_session_is_cleared(site: Site) -> None:
    """A session whose format proves that every call has its result is cleared, under the run's name."""
    run = new_run()
    result = await (await _gate(site, run, USER, ASKS, ANSWER)).result()
    assert (result.kind, result.plan.run, result.plan.evidence) == ("cleared", run, "write_ahead")


async def test_an_open_call_parks_until_its_owner_settles_it(site: Site) -> None:
    """Nothing is written to another agent's file; once its owner has, a recheck clears."""
    run = new_run()
    gate = await _gate(site, run, USER, ASKS)
    plan = await parked(gate)
    assert [call.tool_call_id for call in plan.open_operations] == ["call_1"]
    kind, why = await refused(gate, decision("release", plan))
    assert (kind, "settle it there" in why) == ("Refused", True)
    _write(site, run, USER, ASKS, ANSWER)
    await decide(gate, decision("recheck", plan))
    assert (await gate.result()).kind == "cleared"


async def test_a_compacted_session_is_judged_as_it_is(site: Site) -> None:
    """Unlike a ledger, a session may become shorter while its run is parked: its owner may compact it."""
    run = new_run()
    gate = await _gate(site, run, USER, ASKS)
    plan = await parked(gate)
    _write(site, run, USER)
    await decide(gate, decision("recheck", plan))
    assert (await gate.result()).kind == "cleared"


async def test_a_worker_without_a_sessions_root_says_so(short_site: Site, tmp_path: Path) -> None:
    """Where the operator allows no sessions, the run parks with words that name the setting."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    gate = await start_gate(short_site, new_run(), session=SessionRef(format="pi", locator="x.jsonl"))
    plan = await parked(gate)
    assert plan.rejection_reasons == ("runtime_ledger_unavailable",)
    assert "RESUME_GATE_SESSIONS" in plan.diagnostics[0].message
    await gate.terminate()


async def test_a_free_path_parks_as_none(site: Site, tmp_path: Path) -> None:
    """A locator that leads out of the sessions root is refused in words, and nothing there is read."""
    outside = _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    gate = await start_gate(site, new_run(), session=SessionRef(format="pi", locator=str(outside)))
    plan = await parked(gate)
    assert not plan.safe
    assert "ContractMisuse" in plan.diagnostics[0].message
    await gate.terminate()
