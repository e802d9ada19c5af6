"""Judges made-up session files as the gate does: the reader translates, the plan decides."""

import json
from typing import Any, Protocol

from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source
from resume_gate.verdict.plan import ResumePlan, build_resume_plan

Row = dict[str, Any]


class Reader(Protocol):
    """What each reader's module offers."""

    FORMAT: str

    def why_not(self, source: Source) -> str | None:
        """Say why the content is not of this format."""

    def sessions(self, source: Source) -> list[str]:
        """Return the ids of the sessions in it."""

    def read(self, source: Source, session: str, *, declared: bool = False) -> SessionReading:
        """Return one session."""


def jsonl(*rows: Row) -> bytes:
    """Write rows as a JSONL file's bytes."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def reading(reader: Any, data: bytes, *, declared: bool = False) -> SessionReading:
    """Read the one session of a file that the reader takes for its own."""
    source = Source("made-up", data)
    assert reader.why_not(source) is None
    (session,) = reader.sessions(source)
    found: SessionReading = reader.read(source, session, declared=declared)
    assert found.format == reader.FORMAT
    return found


def plan(reader: Any, data: bytes, *, declared: bool = False) -> ResumePlan:
    """Plan the session of a file, its end left aside."""
    return build_resume_plan(reading(reader, data, declared=declared).events)


def verdict(reader: Any, data: bytes, *, declared: bool = False) -> str:
    """Return the disposition of a file's session, blocked also where its end hides something."""
    found = reading(reader, data, declared=declared)
    return "blocked" if found.hides else build_resume_plan(found.events).disposition


def statuses(reader: Any, data: bytes) -> dict[str, str]:
    """Return the status of each operation by its call id."""
    return {operation.tool_call_id: operation.status for operation in plan(reader, data).operations}
