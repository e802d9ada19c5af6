"""The online commands: what they print, and how they end."""

import asyncio
import json
import os

import pytest

from resume_gate.contract import GateRequest, Hold
from resume_gate.temporal.devserver import DevServer, free_port
from tests.temporal import ledgers
from tests.temporal.commands import Said, typed
from tests.temporal.support import Site, eventually, new_run, parked, start_gate

_TIMES = int(os.environ.get("RESUME_GATE_TEST_REPEATS", "10"))
_NEVER = "sha256:" + "0" * 64


@pytest.fixture
def address(server: DevServer) -> dict[str, str]:
    """Return the variable that names the server."""
    return {"TEMPORAL_ADDRESS": server.address}


async def test_runs_lists_what_is_parked(site: Site, address: dict[str, str]) -> None:
    """Each parked run is a line with why and how much is open; a gate under another id does no harm."""
    run, other = new_run(), new_run()
    ledgers.dangling(site.store, run, calls=2)
    gate = await start_gate(site, run)
    await parked(gate)
    odd = await site.client.start_workflow(
        "ResumeGateWorkflow", GateRequest(run=other), id=f"odd-{other.run_id}", task_queue=site.settings.task_queue
    )
    await parked(odd)

    async def listed() -> Said | None:
        said = await typed("runs", "--json", **address)
        return said if {run.run_id, odd.id} <= {row["runId"] for row in json.loads(said.out)} else None

    said, plain = await eventually(listed), await typed("runs", **address)
    rows = {row["runId"]: row for row in json.loads(said.out)}
    shown = rows[run.run_id]
    assert (shown["sessionId"], shown["phase"], shown["open"]) == (run.session_id, "parked", 2)
    assert (shown["why"], rows[odd.id]["sessionId"]) == ("dangling_tool_state", "?")
    assert plain.code == 0
    assert any(run.run_id in line and "dangling_tool_state" in line for line in plain.out.splitlines())
    await asyncio.gather(gate.terminate(), odd.terminate())


async def test_show_tells_what_to_type_and_release_does_it(site: Site, address: dict[str, str]) -> None:
    """``show`` prints a command that, typed as it is, clears the run."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    plain, as_json = await asyncio.gather(
        typed("show", run.session_id, run.run_id, **address),
        typed("show", run.session_id, run.run_id, "--json", **address),
    )
    assert (plain.code, as_json.code) == (0, 0)
    assert plan.open_operations[0].call_event_id in plain.out
    (command,) = [line.strip() for line in plain.out.splitlines() if line.strip().startswith("resume-gate release")]
    assert command in [line["command"] for line in json.loads(as_json.out)["commands"]]
    done = await typed(*command.replace("'...'", "looked").split()[1:], "--operator", "dora", **address)
    assert done.code == 0, done
    assert "recorded as 2 events" in done.out
    result = await gate.result()
    assert [(taken.kind, taken.operator) for taken in result.decisions] == [("release", "dora")]


async def test_settle_and_recheck(site: Site, address: dict[str, str]) -> None:
    """``settle`` records outcomes and results by call event; ``recheck`` reads again and says how the run stands."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    event, named = plan.open_operations[0].call_event_id, (run.session_id, run.run_id, "--plan", plan.plan_digest)
    again = await typed("recheck", *named, "--reason", "looked", **address)
    assert (again.code, "is blocked (dangling_tool_state)" in again.out) == (0, True), again
    call = ("--call", f"{event}=succeeded", "--result", f'{event}={{"charged": 7}}')
    twice = await typed("settle", *named, "--reason", "looked", *call, "--result", f"{event}=8", **address)
    assert (twice.code, "names a call twice" in twice.err) == (2, True), twice
    done = await typed("settle", *named, "--reason", "looked", *call, **address)
    assert (done.code, "The gate of run" in done.out) == (0, True), done
    assert (await gate.result()).plan.operations[0].status == "succeeded"


async def test_answer_and_abandon(site: Site, address: dict[str, str]) -> None:
    """``answer`` goes to a run that asked; ``abandon`` gives one up."""
    asked, doomed = new_run(), new_run()
    ledgers.safe(site.store, asked)
    ledgers.dangling(site.store, doomed)
    first = await start_gate(site, asked, hold=Hold(reason="action_required", detail="which?"))
    second = await start_gate(site, doomed)
    plans = [await parked(first), await parked(second)]
    said = await asyncio.gather(
        typed("answer", *_on(asked.run_id, plans[0].plan_digest), "--payload", "order 8", **address),
        typed("abandon", *_on(doomed.run_id, plans[1].plan_digest), **address),
    )
    assert [one.code for one in said] == [0, 0], said
    assert [(await gate.result()).kind for gate in (first, second)] == ["cleared", "abandoned"]


async def test_a_refused_decision_is_3_and_an_unknown_run_4(site: Site, address: dict[str, str]) -> None:
    """A stale plan is refused with what changed; a run without a gate has nothing to decide or show."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await parked(gate)
    stale, unknown, unseen, bad, unsafe = await asyncio.gather(
        typed("release", *_on(run.run_id, _NEVER), **address),
        typed("release", *_on("no-such-run", _NEVER), **address),
        typed("show", "ses-1", "no-such-run", **address),
        typed("release", *_on(run.run_id, "latest"), **address),
        typed("show", "ses-1", "..", **address),
    )
    assert (stale.code, "stale: decided on" in stale.err) == (3, True), stale
    assert (unknown.code, "no gate is open for run ses-1/no-such-run" in unknown.err) == (4, True), unknown
    assert (unseen.code, bad.code, unsafe.code) == (4, 2, 2)
    assert bad.err.startswith("--plan: "), bad
    await gate.terminate()
    ended = await typed("show", run.session_id, run.run_id, **address)
    assert (ended.code, "ended, terminated" in ended.err) == (4, True), ended


async def test_no_server_is_5() -> None:
    """A server that does not answer is named, and no other one is asked; nor is there one for a missing file."""
    refused, unnamed = await asyncio.gather(
        typed("runs", TEMPORAL_ADDRESS=f"127.0.0.1:{free_port()}"),
        typed("runs", TEMPORAL_CONFIG_FILE="missing.toml"),
    )
    assert (refused.code, "no Temporal server answers at" in refused.err) == (5, True), refused
    assert (unnamed.code, "missing.toml, which does not exist" in unnamed.err) == (5, True), unnamed


async def test_a_short_command_ends_cleanly_every_time(site: Site, address: dict[str, str]) -> None:
    """However soon the process ends after its call, it ends with 0 and whole output."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await parked(gate)
    at_once = asyncio.Semaphore(2)

    async def show() -> Said:
        async with at_once:
            return await typed("show", run.session_id, run.run_id, "--json", **address)

    said = await asyncio.gather(*(show() for _ in range(_TIMES)))
    assert [one for one in said if one.code != 0 or json.loads(one.out)["phase"] != "parked"] == []
    await gate.terminate()


def _on(run_id: str, digest: str) -> tuple[str, ...]:
    return ("ses-1", run_id, "--plan", digest, "--reason", "looked")
