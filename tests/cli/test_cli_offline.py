"""The offline commands: exit codes, output, and no Temporal anywhere."""

import asyncio
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from temporalio.common import RawValue
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.testing import ActivityEnvironment

from activities.gate import GateActivities
from resume_gate import RunRef, RuntimeEventStore
from resume_gate.contract import GateRequest
from tests.temporal import ledgers
from tests.temporal.commands import SCRIPT, typed
from tests.temporal.processes import environment
from tests.temporal.support import REPOSITORY, new_run


@pytest.fixture
def store(tmp_path: Path) -> RuntimeEventStore:
    """Return a store of this test's own."""
    return RuntimeEventStore(tmp_path)


def _torn(store: RuntimeEventStore, run: RunRef) -> None:
    ledgers.put(store, run, b'{"id":"torn')


@pytest.mark.parametrize(
    ("write", "code", "told"),
    [
        pytest.param(ledgers.safe, 0, "is safe to drive on", id="safe"),
        pytest.param(ledgers.dangling, 3, "the tool may have run", id="dangling"),
        pytest.param(_torn, 3, "row 1, byte 0", id="torn"),
    ],
)
async def test_check_answers_as_the_gate_does(store: RuntimeEventStore, write: object, code: int, told: str) -> None:
    """``check`` ends with 0 or 3, in words; with ``--json`` it prints what the gate's activity returns."""
    run = new_run()
    write(store, run)  # type: ignore[operator]
    words = ("check", run.session_id, run.run_id, "--root", str(store.root))
    plain, as_json = await asyncio.gather(typed(*words), typed(*words, "--json"))
    assert (plain.code, told in plain.out, as_json.code) == (code, True, code), plain
    gate = GateActivities(store, io_attempts=1)
    (request,) = pydantic_data_converter.payload_converter.to_payloads([GateRequest(run=run)])
    plan = ActivityEnvironment().run(gate.resume_gate, RawValue(request))
    assert json.loads(as_json.out) == json.loads(plan.model_dump_json())


async def test_the_version_is_the_packages() -> None:
    """``--version`` says which one is installed."""
    said = await typed("--version")
    assert (said.code, said.out.strip()) == (0, version("resume-gate"))


async def test_what_cannot_be_checked_is_no_verdict(tmp_path: Path) -> None:
    """A missing root, an unsafe id or half a name end with 2 and say so on standard error."""
    tried = await asyncio.gather(
        typed("check", "s", "r", "--root", str(tmp_path / "missing")),
        typed("check", "s", "..", "--root", str(tmp_path)),
        typed("check", "s", "r"),
        typed("replay", "s", "r", "--root", str(tmp_path / "missing")),
    )
    assert [said.code for said in tried] == [2, 2, 2, 2]
    assert all(said.err and not said.out for said in tried)
    assert "not mounted" in tried[0].err


async def test_cut_back_takes_a_torn_row_off(store: RuntimeEventStore) -> None:
    """A torn ledger is whole afterwards; one with other damage is left as it is, which is 3."""
    torn, damaged = new_run(), new_run()
    ledgers.safe(store, torn)
    path = ledgers.file_of(store, torn)
    path.write_bytes(path.read_bytes() + b'{"id":"torn')
    ledgers.put(store, damaged, b"{}\n{")
    root = str(store.root)
    done, refused = await asyncio.gather(
        typed("cut-back", torn.session_id, torn.run_id, RESUME_GATE_ROOT=root),
        typed("cut-back", damaged.session_id, damaged.run_id, RESUME_GATE_ROOT=root),
    )
    assert (done.code, "4 events" in done.out, store.read(torn).high_water) == (0, True, 4)
    assert (refused.code, "row 1, byte 0" in refused.err) == (3, True)


async def test_replay_prints_what_the_next_model_sees(store: RuntimeEventStore) -> None:
    """``replay`` prints one event a line; a corrupt ledger has no replay, which is 3."""
    fine, torn = new_run(), new_run()
    ledgers.safe(store, fine)
    _torn(store, torn)
    root = str(store.root)
    good, bad = await asyncio.gather(
        typed("replay", fine.session_id, fine.run_id, RESUME_GATE_ROOT=root),
        typed("replay", torn.session_id, torn.run_id, RESUME_GATE_ROOT=root),
    )
    kinds = [json.loads(line).get("content", {}).get("kind") for line in good.out.splitlines()]
    assert (good.code, kinds) == (0, ["text", "function_call", None, "function_response"])
    assert (bad.code, bad.out) == (3, "")


async def test_nothing_is_no_replay(tmp_path: Path) -> None:
    """An empty or missing ledger has no replay, which is 3; a directory is no ledger, which is 2."""
    (tmp_path / "empty.jsonl").touch()
    names = ("empty.jsonl", "missing.jsonl", ".")
    said = await asyncio.gather(*(typed("replay", str(tmp_path / name)) for name in names))
    assert [one.code for one in said] == [3, 3, 2]
    assert all(one.err and not one.out for one in said)


async def test_failpoints_are_listed() -> None:
    """``failpoints`` lists all twelve, for people and for programs."""
    plain, as_json = await asyncio.gather(typed("failpoints"), typed("failpoints", "--json"))
    assert (plain.code, as_json.code) == (0, 0)
    ids = [point["id"] for point in json.loads(as_json.out)]
    assert ids == [f"P{number}" for number in range(12)]
    assert all(point in plain.out for point in ids)


@pytest.mark.parametrize("words", [("check",), ("check", "--json"), ("replay",), ("failpoints",)])
def test_offline_commands_never_import_temporal(store: RuntimeEventStore, words: tuple[str, ...]) -> None:
    """Judging a ledger needs no Temporal, and does not wait for its import."""
    run = new_run()
    ledgers.safe(store, run)
    named = () if words == ("failpoints",) else (run.session_id, run.run_id, "--root", str(store.root))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", SCRIPT, *words, *named],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPOSITORY,
        env=environment(),
    )
    imported = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    assert "resume_gate.cli.app" in imported
    assert [name for name in imported if name.partition(".")[0] == "temporalio"] == []
