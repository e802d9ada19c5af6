"""Reads pi's session files: a tree of entries in JSONL, a call written before its tool starts."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.background import leaves_behind, says_running
from resume_gate.sessions.making import Maker, unix_ms
from resume_gate.sessions.pairing import Pairs, Place, call_id_of
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.rows import Loose, Rows, first_rows, name_of, strict_blocks, text_of
from resume_gate.sessions.source import Source
from resume_gate.sessions.trees import Tree
from resume_gate.sessions.unknown import in_words, like_a_call

FORMAT = "pi"

_TORN = "The last row is only half written; it may be a call whose tool then ran."
_EMPTY = "The file has no row in it: what it held is not known."
_MISSING = (
    "An entry is missing: another goes on from {row}, which is not in the file, and may have been a call whose tool "
    "then ran. Check what changed in the world since the entry before it."
)
_KNOWN = frozenset(
    {
        *("session", "message", "compaction", "branch_summary", "custom", "custom_message", "context_edit", "label"),
        *("model_change", "thinking_level_change", "session_info"),
    }
)
_ROLES = ("system", "bashExecution", "custom", "branchSummary", "compactionSummary")
_WORDS = ("text", "thinking", "image")
# pi looks for calls to run only in a message that ended by itself.
_NEVER_RAN = ("error", "aborted")
_ENDS = {"stop": "completed", "error": "failed", "aborted": "aborted"}
_ABORTED = re.compile(r"(?:^|\n)(?:Command|Operation|Request was|Tool execution) aborted\.?\s*$", re.IGNORECASE)
_UNKNOWN = re.compile(r"interrupted.{0,200}\bunknown|\bunknown.{0,200}interrupted", re.IGNORECASE | re.DOTALL)
_NEAR = 600


class _Message(Struct, rename="camel"):
    role: Any = None
    content: Any = None
    stop_reason: Any = None
    tool_call_id: Any = None
    is_error: Any = None


class _Row(Struct, rename="camel"):
    type: Any = None
    id: Any = None
    parent_id: Any = None
    timestamp: Any = None
    version: Any = None
    cwd: Any = None
    session_id: Any = None
    payload: Any = None
    message: _Message | Loose = None


def why_not(source: Source) -> str | None:
    """Return why a file is no session of pi, or ``None`` where it is one."""
    if source.database is not None:
        return "it is a database"
    rows = first_rows(source.data, _Row)
    if rows and _is_header(rows[0]):
        return None
    return "it does not begin with the header of pi's sessions"


def _is_header(row: _Row) -> bool:
    told = isinstance(row.cwd, str) or isinstance(row.version, int)
    return row.type == "session" and isinstance(row.id, str) and told and row.session_id is None and row.payload is None


def sessions(source: Source) -> list[str]:
    """Return the id of the one session in the file."""
    rows = first_rows(source.data, _Row)
    return [name_of(rows[0].id if rows else None, "unnamed")]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - it cannot know
    """Read the session; ``CorruptLedger`` where a row before the last is damaged.

    What a host declares does not count: the program writes its files itself, and when is measured.
    """
    reader = _Reader(session)
    rows = Rows(source.data, _Row)
    for row in rows:
        reader.take(row, rows.number)
        if name_of(row.type) not in _KNOWN and like_a_call(rows.raw):
            reader.unknown.append(f"entry of type {name_of(row.type)!r}")
    hides = _TORN if rows.torn else reader.hides() if rows.number else _EMPTY
    return SessionReading(FORMAT, session, tuple(reader.maker.events), "write_ahead", hides, reader.tree.path())


class _Reader:
    def __init__(self, session: str) -> None:
        self.maker = Maker(session)
        self.tree = Tree()
        self.unknown: list[str] = []
        self._pairs = Pairs(self.maker)

    def hides(self) -> str | None:
        """Say what the file can hide beside the calls in it."""
        missing = self.tree.missing()
        return in_words(self.unknown) if missing is None else _MISSING.format(row=missing)

    def take(self, row: _Row, number: int) -> None:
        if row.type == "session":
            return
        self._pairs.row(is_copy=self.tree.add(row.id, row.parent_id))
        if row.type == "message":
            if not isinstance(row.message, _Message):
                raise CorruptLedger("a message entry has no message", row=number)
            name = name_of(row.id, f"row-{number}")
            before = len(self.maker.events)
            self._message(row.message, Place(name, name, unix_ms(row.timestamp)), number)
            self.tree.made(row.id, self.maker.events[before:])

    def _message(self, message: _Message, place: Place, number: int) -> None:
        blocks = strict_blocks(message.content, number)
        match message.role:
            case "user":
                self.maker.user(place.row, place.turn, place.ts, text_of(message.content))
            case "assistant":
                self._assistant(message, blocks, place)
            case "toolResult":
                self._result(message, place)
            case role if name_of(role) not in _ROLES and like_a_call([name_of(role), blocks]):
                self.unknown.append(f"message of role {name_of(role)!r}")

    def _assistant(self, message: _Message, blocks: list[dict[str, Any]], place: Place) -> None:
        text = text_of(message.content)
        if text:
            self.maker.model(place.row, place.turn, place.ts, text)
        for block in blocks:
            if block.get("type") == "toolCall":
                self._call(message, block, place)
            elif block.get("type") not in _WORDS and like_a_call(block):
                self.unknown.append(f"block of type {name_of(block.get('type'))!r}")
        if isinstance(message.stop_reason, str) and message.stop_reason in _ENDS:
            self.maker.end(place.row, place.turn, place.ts, _ENDS[message.stop_reason])

    def _call(self, message: _Message, block: dict[str, Any], place: Place) -> None:
        call_id, args = call_id_of(block.get("id")), block.get("arguments")
        self._pairs.call(place, call_id, name_of(block.get("name"), "unknown"), args, leaves_behind(args))
        if message.stop_reason in _NEVER_RAN:
            self._pairs.not_run(place, call_id)

    def _result(self, message: _Message, place: Place) -> None:
        call_id, is_error = call_id_of(message.tool_call_id), message.is_error is True
        if self._pairs.note(call_id) is True or not _is_outcome(text_of(message.content), is_error=is_error):
            self._pairs.unsettled(place, call_id, message.content)
        else:
            self._pairs.result(place, call_id, message.content, is_error=is_error)


def _is_outcome(text: str, *, is_error: bool) -> bool:
    """Tell whether a result is the tool's: pi writes its own where it stopped a tool, or misses one on a resume."""
    if _ABORTED.search(text[-_NEAR:]) or (is_error and _UNKNOWN.search(text[:_NEAR])):
        return False
    return not says_running(text, at_start=True)
