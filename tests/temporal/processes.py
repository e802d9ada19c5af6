"""Processes that tests start, and may stop and kill: none outlives its test."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from resume_gate import RunRef, RuntimeEventStore
from tests.temporal.drive_process import in_tool
from tests.temporal.support import REPOSITORY, Site, eventually

Process = subprocess.Popen[bytes]


def environment(**variables: str) -> dict[str, str]:
    """Return this process's environment, without what would configure the project, and with these variables."""
    ours = ("RESUME_GATE_", "TEMPORAL_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | variables


@asynccontextmanager
async def process(*arguments: str, env: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """Start a Python process with these arguments; kill it at the end, stopped or not."""
    started = subprocess.Popen(  # noqa: ASYNC220 - starting it is quick, and its end is awaited in a thread
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=REPOSITORY,
        env=env or environment(),
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        # The read end of its output stays open until it is gone: a full pipe must not keep it.
        await asyncio.to_thread(started.communicate)


def port_pair() -> int:
    """Return a port that is free, as is its web page's, and that no connection gets by itself in the meantime."""
    while True:
        port = random.randrange(20_000, 30_000)  # noqa: S311 - a port is no secret
        with socket.socket() as server, socket.socket() as page, suppress(OSError):
            server.bind(("127.0.0.1", port))
            page.bind(("127.0.0.1", port + 1000))
            return port


async def says(started: Process, word: str) -> str:
    """Return the next line of the process's output; it must hold the word."""
    assert started.stdout is not None
    line = (await asyncio.to_thread(started.stdout.readline)).decode()
    assert word in line, line
    return line


@asynccontextmanager
async def drive_process(site: Site, address: str, queue: str) -> AsyncIterator[Process]:
    """Start a drive worker as a process of its own, and wait until it serves the queue."""
    root = str(site.settings.root)
    async with process("-m", "tests.temporal.drive_process", address, queue, root) as started:
        await says(started, "ready")
        yield started


async def inside_tool(store: RuntimeEventStore, run: RunRef) -> None:
    """Wait until the run's first drive is inside its tool."""

    async def look() -> bool | None:
        return in_tool(store, run).exists() or None

    await eventually(look)


def stop(started: Process) -> None:
    """Stop the process where it stands, as a machine that hangs does."""
    started.send_signal(signal.SIGSTOP)


def go_on(started: Process) -> None:
    """Let a stopped process go on."""
    started.send_signal(signal.SIGCONT)
