"""Reads Gemini CLI's chat files: a call and its result are one object, written when the tool has ended.

So no end of such a file proves anything: one that was killed inside a tool looks like a finished answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from resume_gate.sessions.background import asks_for_background, leaves_behind, says_running
from resume_gate.sessions.making import Maker, unix_ms
from resume_gate.sessions.pairing import Pairs, Place, call_id_of
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.rows import Loose, Rows, blocks_of, first_rows, name_of, text_of, whole
from resume_gate.sessions.source import Source

FORMAT = "gemini-cli"

_HIDES = (
    "Gemini CLI writes a call only when its tool has ended, so any end of its file can hide one that ran. "
    "Unless it is known from elsewhere that the program ended by itself, check what changed in the world after {since}."
)
_TORN = "The last row is only half written; it may be a call with its result. "
_FAILED = re.compile(r"^Exit Code: (?!0\b)-?\d|^Error: (?!\(none\))", re.MULTILINE)
_CANCELLED = re.compile(r"\b(?:cancell?ed|aborted)\b", re.IGNORECASE)
_NEAR = 300
_HEAD = 4096


class _Changes(Struct):
    messages: Any = None


class _Row(Struct, rename="camel"):
    """A row, which is the session's head, a message or a change; or the whole file of an older version."""

    session_id: Any = None
    project_hash: Any = None
    start_time: Any = None
    id: Any = None
    timestamp: Any = None
    type: Any = None
    content: Any = None
    tool_calls: Any = None
    messages: Any = None
    payload: Any = None
    changes: _Changes | Loose = field(default=None, name="$set")


def why_not(source: Source) -> str | None:
    """Return why a file is no chat of Gemini CLI, or ``None`` where it is one."""
    if source.database is not None:
        return "it is a database"
    rows = first_rows(source.data, _Row)
    if _is_head(rows[0]) if rows else _is_spread(source.data):
        return None
    return "it does not begin with the sessionId, projectHash and startTime of Gemini CLI's chats"


def _is_head(row: _Row) -> bool:
    started = isinstance(row.project_hash, str) or isinstance(row.start_time, str)
    return isinstance(row.session_id, str) and started and row.type is None and row.payload is None


def _is_spread(data: bytes) -> bool:
    """Tell whether this is one object over many lines, as older versions wrote it."""
    head = data[:_HEAD].strip()
    return head.startswith(b"{") and b"\n" in head and b'"sessionId"' in head and b'"projectHash"' in head


def sessions(source: Source) -> list[str]:
    """Return the id of the one session in the file."""
    rows = first_rows(source.data, _Row)
    if not rows and _is_spread(source.data):
        rows = [whole(source.data, _Row)]
    return [name_of(rows[0].session_id if rows else None, "unnamed")]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - it cannot know
    """Read the session; ``CorruptLedger`` where a row before the last is damaged, though the program skips such.

    What a host declares does not count: the program writes its files itself, and when is measured.
    """
    chat = _Chat()
    torn = False
    if _is_spread(source.data) and not first_rows(source.data, _Row):
        chat.take(whole(source.data, _Row))
    else:
        rows = Rows(source.data, _Row)
        for row in rows:
            chat.take(row)
        torn = rows.torn
    maker = Maker(session)
    for message in chat.messages:
        message.add_to(maker, Pairs(maker))
    hides = (_TORN if torn else "") + _HIDES.format(since=chat.last or "the session began")
    return SessionReading(FORMAT, session, tuple(maker.events), "none", hides)


class _Chat:
    """Every message that was ever in the chat, as it was written last; none is dropped for a rewind."""

    def __init__(self) -> None:
        self.last = ""
        self._messages: dict[str, _Message] = {}

    @property
    def messages(self) -> Iterator[_Message]:
        yield from self._messages.values()

    def take(self, row: _Row) -> None:
        for message in (*blocks_of(row.messages), *_changed(row)):
            self._put(message)
        if row.type is not None and row.id is not None:
            self._put(
                {
                    "id": row.id,
                    "type": row.type,
                    "timestamp": row.timestamp,
                    "content": row.content,
                    "toolCalls": row.tool_calls,
                }
            )

    def _put(self, values: dict[str, Any]) -> None:
        name = name_of(values.get("id"), f"message-{len(self._messages) + 1}")
        message = self._messages.setdefault(name, _Message(name))
        message.put(values)
        stamp = values.get("timestamp")
        self.last = max(self.last, stamp) if isinstance(stamp, str) else self.last


def _changed(row: _Row) -> list[dict[str, Any]]:
    return blocks_of(row.changes.messages) if isinstance(row.changes, _Changes) else []


class _Message:
    """One message and every call that was ever in it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._values: dict[str, Any] = {}
        self._calls: dict[tuple[str, int], dict[str, Any]] = {}

    def put(self, values: dict[str, Any]) -> None:
        """Replace the message; a call of an earlier version that is not in this one stays."""
        self._values = values
        times: Counter[str] = Counter()
        for place, call in enumerate(blocks_of(values.get("toolCalls"))):
            call_id = call_id_of(call.get("id")) or f"call-{place}"
            times[call_id] += 1  # a second one of that id in one row is another call
            self._calls[call_id, times[call_id]] = call

    def add_to(self, maker: Maker, pairs: Pairs) -> None:
        """Add the message's events."""
        ts, text = unix_ms(self._values.get("timestamp")), text_of(self._values.get("content"))
        if text and self._values.get("type") == "user":
            maker.user(self._name, self._name, ts, text)
        elif text and self._values.get("type") == "gemini":
            maker.model(self._name, self._name, ts, text)
        place = Place(self._name, self._name, ts)
        for (call_id, _), call in self._calls.items():
            pairs.call(place, call_id, name_of(call.get("name"), "unknown"), call.get("args"))
        for (call_id, _), call in self._calls.items():
            value = call.get("result")
            if _is_outcome(call):
                pairs.result(place, call_id, value, is_error=_failed(call))


def _is_outcome(call: dict[str, Any]) -> bool:
    status, args, text = call.get("status"), call.get("args"), _said(call.get("result"))
    if status == "error":
        return bool(call.get("result")) and _CANCELLED.search(text[:_NEAR]) is None and not leaves_behind(args)
    if status != "success" or not call.get("result"):
        return False
    return not (asks_for_background(args) or leaves_behind(args) or says_running(text))


def _failed(call: dict[str, Any]) -> bool:
    return call.get("status") == "error" or _FAILED.search(_said(call.get("result"))) is not None


def _said(result: Any) -> str:
    """Return the words of a result: a text, or function responses with an output or an error."""
    if isinstance(result, str):
        return result
    words = []
    for part in blocks_of(result):
        response = part.get("functionResponse")
        answer = response.get("response") if isinstance(response, dict) else None
        found = [answer.get(key) for key in ("output", "error")] if isinstance(answer, dict) else []
        words += [word for word in found if isinstance(word, str)]
    return "\n".join(words) or text_of(result)
