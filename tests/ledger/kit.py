"""What the ledger's tests share: a run, its events as rows, and a process that holds the run's lock."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from resume_gate import CorruptLedger, RunRef, RuntimeEvent, RuntimeEventStore, encode_event
from resume_gate.crash.harness import await_report, start_child
from resume_gate.events.event import FunctionCall, FunctionResponse, Text
from resume_gate.ledger.files.paths import ledger_path

RUN = RunRef("session_1", "run_1")
PATIENCE = 0.05
LONG_PATIENCE = 30.0
_NOBODY = 65534


def event(name: str, run: RunRef = RUN, **parts: Any) -> RuntimeEvent:
    """Return a user's event with the id ``name``, unless ``parts`` make it another."""
    standing: dict[str, Any] = {"ts": 1_700_000_000_000, "role": "user", "author": "user", "content": Text(text=name)}
    return RuntimeEvent(
        id=name,
        invocation_id="invocation_1",
        run_id=run.run_id,
        session_id=run.session_id,
        turn_id="turn_1",
        partial=False,
        **(standing | parts),
    )


def call(name: str, call_id: str = "call_1", args: bytes = b"{}") -> RuntimeEvent:
    """Return the event of a tool call."""
    content = FunctionCall(id=call_id, name="charge", args=Raw(args))
    return event(name, role="model", author="agent", content=content)


def response(name: str, call_id: str = "call_1", result: bytes = b"{}") -> RuntimeEvent:
    """Return the event of a tool's result."""
    content = FunctionResponse(id=call_id, name="charge", result=Raw(result))
    return event(name, role="tool", author="tool", content=content)


def row(given: RuntimeEvent | str) -> bytes:
    """Return an event, or the user's event of that name, as a row of a file."""
    return encode_event(event(given) if isinstance(given, str) else given) + b"\n"


def store(root: Path, patience: float = PATIENCE) -> RuntimeEventStore:
    """Return a new store with little patience, that does not wait for the disk."""
    return RuntimeEventStore(root, patience=patience, durability="process")


def syncing(root: Path) -> RuntimeEventStore:
    """Return a new store as it is by default, which waits for the disk."""
    return RuntimeEventStore(root)


def path_of(root: Path) -> Path:
    """Return where the run's ledger lies."""
    return ledger_path(root, RUN)


def write(root: Path, data: bytes) -> Path:
    """Put bytes where the run's ledger lies, as a foreign hand would."""
    path = path_of(root)
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def damage(root: Path, data: bytes) -> CorruptLedger:
    """Return what reading a file of these bytes says is wrong with it."""
    write(root, data)
    with pytest.raises(CorruptLedger) as caught:
        store(root).read(RUN)
    return caught.value


def ids(root: Path) -> list[str]:
    """Return the ids of the run's committed events."""
    return [found.id for found in store(root).read(RUN).events]


def give_up_privileges() -> None:
    """Go on as a user whom permissions bind, if this process is root."""
    if os.geteuid() == 0:
        os.setuid(_NOBODY)


@contextmanager
def public_root() -> Iterator[Path]:
    """Give a root that every user can enter, unlike pytest's own directories."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        yield root


@contextmanager
def child(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a script until it has reported one line; the end of its stdin is its sign to end."""
    with start_child(script, *map(str, arguments)) as started:
        assert await_report(started) == "ready", started.communicate()[1]
        yield started


def answer(script: str, *arguments: object) -> str:
    """Run a script to its end, and return what it printed."""
    with start_child(script, *map(str, arguments)) as started:
        printed, errors = started.communicate(timeout=60)
    assert started.returncode == 0, errors
    return printed.strip()


@contextmanager
def holder(root: Path) -> Iterator[subprocess.Popen[str]]:
    """Hold the run's writer lock in another process."""
    script = Path(__file__).with_name("holder.py")
    with child(str(script), root, RUN.session_id, RUN.run_id) as started:
        yield started
