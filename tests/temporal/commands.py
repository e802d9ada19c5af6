"""The command ``resume-gate`` as a person types it: a process of its own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import NamedTuple

from tests.temporal.processes import environment
from tests.temporal.support import REPOSITORY

SCRIPT = Path(sys.executable).with_name("resume-gate")


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


async def typed(*words: str, **variables: str) -> Said:
    """Run the command to its end."""
    started = await asyncio.create_subprocess_exec(
        SCRIPT,
        *words,
        cwd=REPOSITORY,
        env=environment(COLUMNS="200", **variables),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await started.communicate()
    return Said(started.returncode if started.returncode is not None else -1, out.decode(), err.decode())
