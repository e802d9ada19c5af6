"""Reads a RuntimeEvent ledger, ours or Maka's, as one format among the others."""

from __future__ import annotations

from resume_gate.errors import InvalidEvent
from resume_gate.events.codec import decode_event
from resume_gate.ledger.prefix import first_run, read_prefix
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source

FORMAT = "runtime-events"


def why_not(source: Source) -> str | None:
    """Say why the first row is no RuntimeEvent; ``None`` where it is one."""
    try:
        decode_event(source.data.partition(b"\n")[0])
    except InvalidEvent as error:
        return f"its first row is no RuntimeEvent: {error}"
    return None


def sessions(source: Source) -> list[str]:
    """Return the one run that the first row names, with its session."""
    return [str(first_run(source.data))]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - the ledger says
    """Return the whole ledger; its own events say what they prove, so its end hides nothing more."""
    prefix = read_prefix(first_run(source.data), source.data)
    return SessionReading(FORMAT, session, prefix.events, "write_ahead")
