"""Reads the threads of LangGraph's SQLite saver: checkpoints, and the writes that were not yet in one.

Whether a call is in the store before its tool runs depends on the durability, which the store does not show. A database
that was closed is taken to be complete. One case escapes that: an ``async`` turn that died before even its input was
stored, in a database that another program has opened and closed since.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from resume_gate.sessions.formats.langgraph.ends import hidden
from resume_gate.sessions.formats.langgraph.messages import Finder, Found, Message, messages_in
from resume_gate.sessions.formats.langgraph.store import Checkpoint, has_tables, thread, thread_ids
from resume_gate.sessions.linking import At, Links, id_of, when, words_of
from resume_gate.sessions.making import Maker
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, damage_named
from resume_gate.verdict.words import Evidence

FORMAT = "langgraph"

_NO_OUTCOME = re.compile(
    r"User rejected the tool call for `|Tool call .* was cancelled - another message came in before it could be"
)


def why_not(source: Source) -> str | None:
    """Say why a source holds no threads of this format; ``None`` where it does."""
    if source.database is None:
        return "It is no SQLite database."
    return None if has_tables(source) else "It has no tables of checkpoints and their writes."


def sessions(source: Source) -> list[str]:
    """Return the ids of all threads."""
    with damage_named():
        return thread_ids(source)


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:
    """Read one thread, all its branches; ``CorruptLedger`` where a value of it is damaged."""
    with damage_named():
        found = thread(source, session)
    maker = Maker(session)
    reader = _Reader(maker)
    for checkpoint in found.checkpoints:
        reader.take(checkpoint)
    hides = hidden(found, declared=declared)
    evidence: Evidence = "declared" if declared else "none"
    return SessionReading(FORMAT, session, tuple(maker.events), evidence, hides, reader.path())


class _Reader:
    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._links = Links(maker)
        self._finder = Finder()
        self._called: Counter[tuple[int, str]] = Counter()
        self._asked: dict[int, Any] = {}
        self._ids: set[str] = set()
        self._turn = 0
        self._numbers: list[int] = []
        self._latest: set[int] = set()

    def take(self, checkpoint: Checkpoint) -> None:
        """Take what is new in a checkpoint and in what its tasks wrote."""
        seen = self._finder.in_checkpoint(checkpoint)
        for found in seen:
            self._message(checkpoint, found)
            self._numbers += [found.number] * (len(self._maker.events) - len(self._numbers))
        if not checkpoint.namespace:
            shows = any(True for _ in messages_in(list(checkpoint.values.values())))
            self._latest = {found.number for found in seen} if shows else set()

    def path(self) -> frozenset[str] | None:
        """Return the events of the messages that the latest checkpoint has; ``None`` where it does not show them."""
        events = zip(self._maker.events, self._numbers, strict=True)
        path = frozenset(event.id for event, number in events if number in self._latest)
        return path if 0 < len(path) < len(self._numbers) else None

    def _message(self, checkpoint: Checkpoint, found: Found) -> None:
        message = found.message
        if not found.is_new and message.kind != "ai":
            return
        self._turn += found.is_new and message.kind == "human"
        at = At(f"message-{found.number + 1}", f"turn-{self._turn}", when(checkpoint.ts))
        if found.is_new:
            self._new(at, message)
        if message.kind == "ai" or (message.kind == "call" and not self._is_known(message)):
            self._calls(at, found)

    def _new(self, at: At, message: Message) -> None:
        data = message.data
        if message.kind == "human":
            self._maker.user(at.row, at.turn, at.ts, words_of(data.get("content")))
        elif message.kind == "ai" and (words := words_of(data.get("content"))):
            self._maker.model(at.row, at.turn, at.ts, words)
        elif message.kind == "tool":
            self._result(at, data)

    def _calls(self, at: At, found: Found) -> None:
        if not found.is_new and found.message.data.get("tool_calls") == self._asked.get(found.number):
            return
        self._asked[found.number] = found.message.data.get("tool_calls")
        times: Counter[str] = Counter()
        for call in found.message.calls:
            name = call.call_id or ""
            times[name] += 1
            if self._called[found.number, name] < times[name]:  # a copy of the message has the same ones
                self._called[found.number, name] += 1
                self._ids |= {call.call_id} if call.call_id else set()
                self._links.call(at, f"step-{found.number + 1}", call.call_id, call.name, call.args)

    def _is_known(self, message: Message) -> bool:
        return all(call.call_id in self._ids for call in message.calls)

    def _result(self, at: At, data: dict[str, Any]) -> None:
        call_id, name, content = id_of(data.get("tool_call_id")), id_of(data.get("name")), data.get("content")
        if _NO_OUTCOME.match(words_of(content)):
            self._links.stand_in(at, call_id, name, content)
        else:
            self._links.result(at, call_id, name, content, is_error=data.get("status") == "error")
