"""What a reader makes of one foreign session: events, and how far the format can be trusted about its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.replay import replay_events
from resume_gate.verdict.words import Evidence


class SessionReading(NamedTuple):
    """One session as RuntimeEvents, every row judged, in the order they were written.

    ``hides`` says in words what this end of the file can hide, and is ``None`` where it hides nothing. ``path`` has the
    ids of the events that the agent itself would go on from; ``None`` means all.
    """

    format: str
    session_id: str
    events: tuple[RuntimeEvent, ...]
    evidence: Evidence
    hides: str | None = None
    path: frozenset[str] | None = None


def replay_session(reading: SessionReading) -> Iterator[RuntimeEvent]:
    """Yield what the agent's next model sees: of all events those on its own path, paired as in a ledger.

    ``CorruptLedger`` where the session contradicts itself, on its path or off it.
    """
    replay_events(reading.events)
    path = reading.path
    return replay_events(event for event in reading.events if path is None or event.id in path)


class Unfitting(NamedTuple):
    """Why a file is not of a format, in words for whoever named the file."""

    format: str
    why: str
