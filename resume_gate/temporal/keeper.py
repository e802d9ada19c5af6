"""Keeps one Temporal dev server for one parent: it ends with the parent, however that dies.

A process of its own, because only that works everywhere: its standard input is a pipe that nobody writes to, which ends
when the parent does. It speaks one JSON line when the server listens, or when it cannot.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from filelock import lock_descriptor

_START_SECONDS = 20.0
_SETTINGS = (  # measured: without these a step takes 50 ms and a short timer a second
    "--dynamic-config-value",
    "history.transferProcessorMaxPollRPS=2000",
    "--dynamic-config-value",
    'history.timerProcessorMaxTimeShift="50ms"',
)
_DURABLE = ("--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=1")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="resume_gate.temporal.keeper", description=__doc__)
    parser.add_argument("--binary", required=True, help="the temporal executable")
    parser.add_argument("--port", type=int, required=True, help="where the server listens, on loopback")
    parser.add_argument("--database", type=Path, help="the file that keeps its state; without it, memory does")
    parser.add_argument("--ui", action="store_true", help="serve the web page on port + 1000")
    return parser.parse_args()


def _lock(database: Path) -> int:
    fd = os.open(database.with_name(database.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    if not lock_descriptor(fd, blocking=False):
        _say(error=f"{database} is in use by another dev server; use that one, or another file")
        sys.exit(1)
    os.set_inheritable(fd, True)  # noqa: FBT003 - the server keeps the lock should this process be killed
    return fd


def _say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)  # noqa: T201 - the parent reads it


def _command(arguments: argparse.Namespace) -> list[str]:
    command = [arguments.binary, "server", "start-dev", "--ip", "127.0.0.1", "--port", str(arguments.port)]
    command += ["--log-level", "error", *_SETTINGS]
    if not arguments.ui:
        command.append("--headless")
    if arguments.database is not None:
        command += ["--db-filename", str(arguments.database), *_DURABLE]
    return command


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only in the forked child

        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def _start(arguments: argparse.Namespace, fds: tuple[int, ...]) -> subprocess.Popen[bytes]:
    posix = {"pass_fds": fds, "preexec_fn": _die_with_parent} if os.name == "posix" else {}
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]  # noqa: S603 - the operator's own binary
        _command(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **posix
    )


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _wait_until_listening(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _listens(port):
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            _say(error=f"the dev server did not start on port {port}; what it said is on standard error")
            sys.exit(1)
        time.sleep(0.02)


def _end_with_lifeline(server: subprocess.Popen[bytes]) -> None:
    # Not ``sys.stdin.read``: a thread that waits in there holds its lock, and aborts the interpreter's own end.
    os.read(0, 1)
    server.kill()  # its state is on disk with every commit; a slow stop would only let the port linger


def main() -> int:
    """Start the server, say where, and wait for its end or the parent's."""
    arguments = _arguments()
    if _listens(arguments.port):
        _say(error=f"port {arguments.port} is taken; name that server in TEMPORAL_ADDRESS, or choose another port")
        return 1
    fds = () if arguments.database is None else (_lock(arguments.database),)
    server = _start(arguments, fds)
    threading.Thread(target=_end_with_lifeline, args=(server,), daemon=True).start()
    _wait_until_listening(server, arguments.port)
    _say(pid=server.pid, port=arguments.port)
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
