"""``worker.py`` as an operator runs it."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore
from resume_gate.settings import Settings
from resume_gate.temporal import connect
from resume_gate.temporal.devserver import DevServer, free_port
from tests.temporal import ledgers
from tests.temporal.processes import Process, environment, port_pair, process, says
from tests.temporal.support import REPOSITORY, Site, decision, new_run, parked, refused, start_gate

_WORKER = str(REPOSITORY / "worker.py")


async def _end(started: Process) -> tuple[int, str]:
    _, errors = await asyncio.to_thread(started.communicate)
    return started.returncode, errors.decode()


async def test_it_serves_and_stops_cleanly(site: Site, server: DevServer, tmp_path: Path) -> None:
    """It serves its queue on the configured server, and ends with 0 on SIGTERM."""
    env = environment(
        RESUME_GATE_ROOT=str(tmp_path), RESUME_GATE_TASK_QUEUE="as-process", TEMPORAL_ADDRESS=server.address
    )
    run = new_run()
    ledgers.safe(RuntimeEventStore(tmp_path), run)
    async with process(_WORKER, env=env) as started:
        await says(started, f"serving {tmp_path} on queue as-process, Temporal at {server.address}\n")
        settings = Settings(root=tmp_path, task_queue="as-process")
        gate = await start_gate(replace(site, settings=settings), run)
        assert (await gate.result()).kind == "cleared"
        started.send_signal(signal.SIGTERM)
        code, errors = await _end(started)
    assert code == 0, errors
    assert "Traceback" not in errors


async def test_a_refusal_is_one_line_of_its_log(site: Site, server: DevServer, tmp_path: Path) -> None:
    """What a person gets told is no failure of the worker: its log names run and error class, without a traceback."""
    env = environment(
        RESUME_GATE_ROOT=str(tmp_path), RESUME_GATE_TASK_QUEUE="refusing", TEMPORAL_ADDRESS=server.address
    )
    run = new_run()
    ledgers.dangling(RuntimeEventStore(tmp_path), run)
    async with process(_WORKER, env=env) as started:
        await says(started, "serving")
        gate = await start_gate(replace(site, settings=Settings(root=tmp_path, task_queue="refusing")), run)
        calls = [{"callEventId": "no-such-event", "outcome": "failed"}]
        kind, _ = await refused(gate, decision("settle", await parked(gate), calls=calls))
        assert kind == "Refused"
        await gate.terminate()
        started.send_signal(signal.SIGTERM)
        _, errors = await _end(started)
    assert f"record_decision of {gate.id}: ContractMisuse" in errors
    assert "Traceback" not in errors


async def test_it_brings_its_own_server_where_none_is_configured(tmp_path: Path) -> None:
    """Without a configured server it starts the embedded one, beside the ledgers, and ends it on an interrupt."""
    port = port_pair()
    env = environment(RESUME_GATE_ROOT=str(tmp_path), RESUME_GATE_PORT=str(port), HOME=str(tmp_path))
    async with process(_WORKER, env=env) as started:
        await says(started, f"Temporal at 127.0.0.1:{port}, web page http://127.0.0.1:{port + 1000}\n")
        started.send_signal(signal.SIGINT)
        code, errors = await _end(started)
    assert code == 0, errors
    assert (tmp_path / "temporal.db").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="finds the server among the worker's children in /proc")
async def test_it_ends_when_its_own_server_died(site: Site, tmp_path: Path) -> None:
    """A worker whose embedded server was killed says so and ends with 2, for whoever starts it again."""
    port = port_pair()
    env = environment(RESUME_GATE_ROOT=str(tmp_path), RESUME_GATE_PORT=str(port), HOME=str(tmp_path))
    async with process(_WORKER, env=env) as started:
        await says(started, "serving")
        client = await connect(address=f"127.0.0.1:{port}")
        await parked(await start_gate(replace(site, client=client), new_run()))
        (keeper,) = _children(started.pid)
        (server,) = _children(keeper)
        os.kill(server, signal.SIGKILL)
        code, errors = await _end(started)
    assert (code, "the embedded server died: start again" in errors) == (2, True), errors


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        pytest.param({}, "set RESUME_GATE_ROOT", id="no root"),
        pytest.param({"RESUME_GATE_ROOT": "{tmp}/missing"}, "is not a directory; create it", id="a missing root"),
        pytest.param(
            {"RESUME_GATE_ROOT": "{tmp}", "RESUME_GATE_PORT": "no"}, "RESUME_GATE_PORT", id="a port that is no number"
        ),
        pytest.param(
            {"RESUME_GATE_ROOT": "{tmp}", "RESUME_GATE_LOG_LEVEL": "loud"}, "RESUME_GATE_LOG_LEVEL", id="no log level"
        ),
        pytest.param({"RESUME_GATE_ROOT": "{tmp}", "RESUME_GATE_SHUTDOWN_GRACE": "ten"}, "ISO 8601", id="no duration"),
        pytest.param(
            {"RESUME_GATE_ROOT": "{tmp}", "RESUME_GATE_SESSIONS": "{tmp}/missing"},
            "RESUME_GATE_SESSIONS: ",
            id="a missing sessions root",
        ),
        pytest.param(
            {"RESUME_GATE_ROOT": "{tmp}", "RESUME_GATE_DECLARED_FORMATS": "pi"},
            "says nothing without RESUME_GATE_SESSIONS",
            id="formats without sessions",
        ),
        pytest.param(
            {"RESUME_GATE_ROOT": "{tmp}", "TEMPORAL_ADDRESS": "127.0.0.1:{free}"},
            "no Temporal server answers",
            id="no server",
        ),
    ],
)
async def test_what_it_cannot_use_is_said_in_a_line(tmp_path: Path, variables: dict[str, str], why: str) -> None:
    """It ends with 2 and one line that says what to set."""
    given = {name: value.format(tmp=tmp_path, free=free_port()) for name, value in variables.items()}
    async with process(_WORKER, env=environment(**given)) as started:
        code, errors = await _end(started)
    assert (code, why in errors, errors.count("\n")) == (2, True, 1), errors
