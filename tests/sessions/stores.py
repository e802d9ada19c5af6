"""Judges made-up session databases as the gate does, and proves that judging one changes none of its bytes."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import open_source
from resume_gate.verdict.plan import ResumePlan, build_resume_plan

Row = dict[str, Any]
Fill = Callable[[sqlite3.Connection], object]


def store(path: Path, *fills: Fill) -> Path:
    """Make a database that was closed."""
    connection = sqlite3.connect(path)
    for fill in fills:
        fill(connection)
    connection.commit()
    connection.close()
    return path


def unclosed(path: Path, *fills: Fill) -> Path:
    """Make a database as a killed process leaves it: all that was written is still in its WAL."""
    alive = path.with_name("alive.db")
    connection = sqlite3.connect(alive)
    connection.execute("PRAGMA journal_mode=WAL")
    for fill in fills:
        fill(connection)
    connection.commit()
    for suffix in ("", "-wal", "-shm"):
        shutil.copyfile(f"{alive}{suffix}", f"{path}{suffix}")
    connection.close()
    return path


def names(reader: Any, path: Path) -> list[str]:
    """Return the sessions in a database that the reader takes for its own."""
    with open_source(path) as source:
        assert reader.why_not(source) is None
        found: list[str] = reader.sessions(source)
        return found


def reading_of(reader: Any, path: Path, session: str | None = None, *, declared: bool = False) -> SessionReading:
    """Read one session of a database, by default its only one."""
    before = _files(path)
    with open_source(path) as source:
        assert reader.why_not(source) is None
        (only,) = [session] if session else reader.sessions(source)
        found: SessionReading = reader.read(source, only, declared=declared)
    assert _files(path) == before
    assert found.format == reader.FORMAT
    return found


def _files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


def plan_of(reader: Any, path: Path, session: str | None = None, *, declared: bool = False) -> ResumePlan:
    """Plan one session of a database, its end left aside."""
    return build_resume_plan(reading_of(reader, path, session, declared=declared).events)


def verdict_of(reader: Any, path: Path, session: str | None = None, *, declared: bool = False) -> str:
    """Return a session's disposition, blocked also where its end hides something."""
    found = reading_of(reader, path, session, declared=declared)
    return "blocked" if found.hides else build_resume_plan(found.events).disposition


def statuses_of(reader: Any, path: Path, session: str | None = None) -> list[tuple[str, str]]:
    """Return each operation's call id and status, in order."""
    operations = plan_of(reader, path, session).operations
    return [(operation.tool_call_id, operation.status) for operation in operations]


def codes_of(reader: Any, path: Path, session: str | None = None) -> set[str]:
    """Return the codes of what the plan found."""
    return {diagnostic.code for diagnostic in plan_of(reader, path, session).diagnostics}


def text(value: Any) -> str:
    """Return a value's JSON text."""
    return json.dumps(value)
