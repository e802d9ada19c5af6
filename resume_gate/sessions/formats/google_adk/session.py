"""Reads the sessions of Google's ADK: an SQLite session database, or events as JSON.

The runner stores an event before it goes on, so a call is in the database before its tool runs. A file of events says
nothing about when it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from resume_gate.sessions.formats.google_adk.events import (
    Event,
    Part,
    database_keys,
    events_of,
    file_events,
    file_why_not,
    has_tables,
)
from resume_gate.sessions.linking import At, Links, id_of, words_of
from resume_gate.sessions.making import Maker
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, damage_named
from resume_gate.sessions.unknown import in_words
from resume_gate.verdict.words import Evidence

FORMAT = "google-adk"

_FINAL = frozenset({"approved", "complete", "completed", "done", "error", "failed", "finished", "success", "succeeded"})
_ABORTED = "INVOCATION_ABORTED"
_NOT_YET = re.compile(
    r"This tool call requires confirmation, please approve or reject\."
    r"|Invocation was aborted by client\.|The function is running asynchronously and the results are pending\."
)
_REJECTED = "This tool call is rejected."
_CONFIRMATION = "adk_request_confirmation"

_EMPTY = "The session has no event, and no event is no evidence: check what was asked of it."
_NODES = (
    "The session is of a workflow, one run of which has no output. Its nodes are functions that act without a call: "
    "check what they did in the world."
)
_UNDECLARED = (
    "A file of events can be older than what the agent did. Check what was asked since, judge the session database "
    "instead, or declare that each event is written before the agent goes on."
)


def why_not(source: Source) -> str | None:
    """Say why a source holds no sessions of this format; ``None`` where it does."""
    if source.database is None:
        return file_why_not(source)
    return None if has_tables(source) else "It has no tables of sessions and their events."


def sessions(source: Source) -> list[str]:
    """Return the ids of all sessions, with app and user where the id alone is not unique."""
    if source.database is None:
        return [file_events(source)[0]]
    with damage_named():
        return list(database_keys(source) or ())


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:
    """Read one session; ``CorruptLedger`` where an event of it is damaged."""
    with damage_named():
        events = events_of(source, session)
    maker = Maker(session)
    _Reader(maker).take(events)
    evidence: Evidence = "write_ahead" if source.database is not None else "declared" if declared else "none"
    hides = in_words(kind for event in events for kind in event.unknown)
    if hides is None:
        hides = _EMPTY if not events else _UNDECLARED if evidence == "none" else _workflow(events)
    return SessionReading(FORMAT, session, tuple(maker.events), evidence, hides)


def _workflow(events: list[Event]) -> str | None:
    """Say what a workflow can hide: its nodes act without a call, so that only its own output proves their end."""
    if not any(event.ran_node for event in events):
        return None
    is_open = False
    for event in events:
        if event.author == "user" and is_open:
            return _NODES
        is_open = event.author == "user" or (is_open and not event.ends_workflow)
    return _NODES if is_open else None


class _Reader:
    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._links = Links(maker)
        self._long: set[str] = set()
        self._last: dict[str, Part] = {}
        self._confirmed: set[str | None] = set()

    def take(self, events: list[Event]) -> None:
        """Take all events, in the order they were stored."""
        for event in events:
            self._long |= event.long_running
            self._last |= {part.call_id: part for part in event.parts if part.is_response and part.call_id}
        self._confirmed = _confirmed(part for event in events for part in event.parts if part.name == _CONFIRMATION)
        for event in events:
            self._event(event)

    def _event(self, event: Event) -> None:
        at = At(event.row, event.turn, event.ts)
        for part in event.parts:
            if part.is_call:
                self._links.call(at, event.row, part.call_id, part.name, part.value)
            elif part.is_response:
                self._response(at, event, part)
            elif part.text:
                say = self._maker.user if event.author == "user" else self._maker.model
                say(at.row, at.turn, at.ts, words_of(part.text))
        if event.error:
            self._maker.end(at.row, at.turn, at.ts, "aborted" if event.error == _ABORTED else "failed")

    def _response(self, at: At, event: Event, part: Part) -> None:
        if part.call_id in self._long and part is not self._last[part.call_id]:
            return  # a long-running call answers several times; the last answer says how it stands
        if self._settles(event, part):
            self._links.result(at, part.call_id, part.name, part.value, is_error=part.is_error)
        else:
            self._links.stand_in(at, part.call_id, part.name, part.value)

    def _settles(self, event: Event, part: Part) -> bool:
        if event.error == _ABORTED or part.call_id in event.asks_first or part.goes_on:
            return False
        value = part.value if isinstance(part.value, dict) else {}
        if value.get("error") == _REJECTED:
            # Asked again, a call that was confirmed before may have run before.
            return self._confirmed.isdisjoint((part.call_id, None))
        if any(isinstance(value.get(key), str) and _NOT_YET.fullmatch(value[key]) for key in ("error", "status")):
            return False
        return part.call_id not in self._long or _is_final(event, value)


def _confirmed(parts: Iterable[Part]) -> set[str | None]:
    """Return the ids of the calls that were not plainly rejected; ``None`` stands for one that is not known."""
    asked: dict[str | None, str | None] = {}
    found: set[str | None] = set()
    for part in parts:
        if part.is_call:
            original = part.value.get("originalFunctionCall") if isinstance(part.value, dict) else None
            asked[part.call_id] = id_of(original.get("id")) if isinstance(original, dict) else None
        elif part.value != {"confirmed": False}:
            found.add(asked.get(part.call_id))
    return found


def _is_final(event: Event, value: dict[str, Any]) -> bool:
    status = value.get("status")
    if isinstance(status, str):
        return status.lower() in _FINAL
    return event.author == "user" and status is None and "progress" not in value
