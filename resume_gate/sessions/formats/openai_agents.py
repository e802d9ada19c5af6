"""Reads the sessions of the OpenAI Agents SDK (``SQLiteSession`` and its kin): one Responses item a row.

A step's items are stored together, after its tools ran, so a session that stops inside a turn can hide calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.linking import At, Links, id_of, name_of, when, words_of
from resume_gate.sessions.making import Maker
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, damage_named
from resume_gate.sessions.tables import (
    Key,
    json_object,
    labelled,
    query,
    quoted,
    tables_with,
)
from resume_gate.sessions.unknown import in_words, like_a_call

FORMAT = "openai-agents"

_MESSAGES = frozenset({"id", "session_id", "message_data", "created_at"})
_SESSIONS = frozenset({"session_id", "created_at", "updated_at"})
_HOSTED = frozenset(
    {"web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"}
)
"""Calls that the model's provider runs: call and result are one item."""
_OUTPUTS = frozenset({"tool_search_output", "program_output", "mcp_approval_response"})
_CALLS = frozenset({"program", "mcp_approval_request"})
_COMPACTIONS = ("compaction", "context_compaction")
_BESIDE = frozenset(
    {
        *("reasoning", "item_reference", "mcp_list_tools", "additional_tools", "configuration_update"),
        *("compaction_trigger", *_COMPACTIONS),
    }
)
"""Kinds of items that are no call, though they may tell of calls and tools."""
_STEPWISE_MS = 2000
_NO_OUTCOME = re.compile(
    r"Tool '.*' timed out after \S+ seconds\.|Tool execution was not approved\."
    r"|An error occurred while running the tool.* Error: Tool execution cancelled\.",
    re.DOTALL,
)
_FAILED = "An error occurred while running the tool."

_OPEN = (
    "A turn has no answer. The SDK stores a step's calls and results together, after its tools ran: calls that ran may "
    "be missing. Check what that turn asked for, even where a later one has its answer."
)
_LATE = (
    "The table's index is one of an SDK that may store a whole turn only when it ends: a newer turn may have run "
    "without a trace. Check what was asked since."
)
_COMPACTED = (
    "The session was compacted, which takes the older items out of the store: a turn among them that never had its "
    "answer cannot be seen any more. Check what was asked before the compaction."
)
_EMPTY = "The session has no item, and no item is no evidence: what ran may not have been stored yet."


class _Item(NamedTuple):
    row: int
    created: Any
    data: dict[str, Any]

    @property
    def kind(self) -> str:
        """The item's type; the short form of a message has none."""
        return name_of(self.data.get("type"), "message" if "role" in self.data else "unknown")


def why_not(source: Source) -> str | None:
    """Say why a source holds no sessions of this format; ``None`` where it does."""
    if source.database is None:
        return "It is no SQLite database."
    return None if tables_with(source, _MESSAGES) else "It has no table of session items (session_id, message_data)."


def sessions(source: Source) -> list[str]:
    """Return the ids of all sessions in the database."""
    with damage_named():
        return list(_keys(source))


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - nothing to declare
    """Read one session; ``CorruptLedger`` where a row of it is damaged."""
    with damage_named():
        key = _keys(source).get(session)
        items = [] if key is None else _items(source, key)
        hides = _hides(source, key, items)
    maker = Maker(session)
    _Reader(maker).take(items)
    return SessionReading(FORMAT, session, tuple(maker.events), "none", hides)


def _keys(source: Source) -> dict[str, Key]:
    tables = tables_with(source, _MESSAGES)
    keys = [(table, session) for table in tables for (session,) in _names(source, table)]
    listed = [table for table in tables_with(source, _SESSIONS) if table not in tables]
    known = {session for _, session in keys}
    for table in listed:
        keys += [(tables[0], session) for (session,) in _names(source, table) if tables and session not in known]
    return labelled(keys)


def _names(source: Source, table: str) -> list[tuple[str]]:
    rows = query(source, f"SELECT session_id, min(rowid) FROM {quoted(table)} GROUP BY session_id ORDER BY 2")  # noqa: S608 - quoted
    return [(str(name),) for name, _ in rows]


def _items(source: Source, key: Key) -> list[_Item]:
    table, session = key
    found = query(
        source,
        f"SELECT id, created_at, message_data FROM {quoted(table)} WHERE session_id = ? ORDER BY id",  # noqa: S608 - quoted
        session,
    )
    items = [_Item(row, created, json_object(data, row)) for row, created, data in found]
    for item in items:
        if "__enc__" in item.data:
            raise CorruptLedger("the session is encrypted", row=item.row, byte=0)
    return items


def _hides(source: Source, key: Key | None, items: list[_Item]) -> str | None:
    if key is None or not items:
        return _EMPTY
    unknown = in_words(f"{item.kind!r} item in row {item.row}" for item in items if _is_unknown(item))
    if unknown is not None:
        return unknown
    if any(item.kind in _COMPACTIONS for item in items):
        return _COMPACTED
    if not all(_is_last_word(item) for item in _ends(items)):
        return _OPEN
    return _LATE if _may_store_late(source, key[0]) and not _was_stepwise(items) else None


def _ends(items: list[_Item]) -> Iterator[_Item]:
    """Yield what stands last in each turn: before each further question, and at the end."""
    last = None
    for item in items:
        if item.data.get("role") == "user" and last is not None:
            yield last
        if item.data.get("role") not in ("system", "developer"):
            last = item
    yield last or items[-1]


def _is_last_word(item: _Item) -> bool:
    spoken = item.kind == "message" and item.data.get("role") == "assistant" and item.data.get("phase") != "commentary"
    return spoken and item.data.get("status") in (None, "completed")


def _may_store_late(source: Source, table: str) -> bool:
    indexes = query(source, "SELECT name FROM pragma_index_list(?)", table)
    columns = [query(source, "SELECT name FROM pragma_index_info(?)", name) for (name,) in indexes]
    return [("session_id",), ("id",)] not in columns


def _was_stepwise(items: list[_Item]) -> bool:
    """Tell whether the last turn's question was stored well before what followed it, so not when the turn ended."""
    asked = [place for place, item in enumerate(items[:-1]) if item.data.get("role") == "user"]
    if not asked:
        return False
    before, after = items[asked[-1]].created, items[asked[-1] + 1].created
    return when(before) > 0 and when(after) - when(before) >= _STEPWISE_MS


class _Reader:
    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._links = Links(maker)
        self._turn = 1
        self._step = 1
        self._in_calls = False

    def take(self, items: list[_Item]) -> None:
        """Take all items, in order."""
        for item in items:
            at = At(f"row-{item.row}", f"turn-{self._turn}", when(item.created))
            if item.kind == "message":
                self._message(at, item.data)
            elif _is_output(item.kind):
                self._output(at, item.kind, item.data)
            elif _is_call(item.kind, item.data):
                self._call(at, item.kind, item.data)

    def _message(self, at: At, data: dict[str, Any]) -> None:
        words, role = words_of(data.get("content")), data.get("role")
        if role == "assistant":
            self._maker.model(at.row, at.turn, at.ts, words)
        elif role == "user":
            self._turn += 1
            self._in_calls = False
            self._maker.user(at.row, f"turn-{self._turn}", at.ts, words)

    def _call(self, at: At, kind: str, data: dict[str, Any]) -> None:
        if not self._in_calls:
            self._step += 1
        self._in_calls = True
        call_id = id_of(data.get("call_id")) or id_of(data.get("id"))
        self._links.call(at, f"step-{self._step}", call_id, _name(kind, data), _args(data))
        if kind in _HOSTED and data.get("status") in ("completed", "failed", None) and _has_outcome(data):
            failed = data.get("status") == "failed" or data.get("error") is not None
            self._links.result(at, call_id, None, data, is_error=failed)

    def _output(self, at: At, kind: str, data: dict[str, Any]) -> None:
        self._in_calls = False
        call_id = id_of(data.get("call_id") or data.get("approval_request_id") or data.get("id"))
        name = None if call_id else _base(kind)
        if _is_stand_in(data):
            self._links.stand_in(at, call_id, name, data.get("output"))
        else:
            self._links.result(at, call_id, name, data.get("output", data), is_error=_is_error(data))


def _is_output(kind: str) -> bool:
    return kind.endswith("_call_output") or kind in _OUTPUTS


def _is_call(kind: str, data: dict[str, Any]) -> bool:
    # An item of a kind that is not known yet, but with a call id, may be a call that acts.
    return kind.endswith("_call") or kind in _CALLS or id_of(data.get("call_id")) is not None


def _is_unknown(item: _Item) -> bool:
    if item.kind in _BESIDE or _is_output(item.kind) or _is_call(item.kind, item.data):
        return False
    return like_a_call(item.data)


def _base(kind: str) -> str:
    for end in ("_output", "_response", "_request", "_call"):
        kind = kind.removesuffix(end)
    return kind


def _name(kind: str, data: dict[str, Any]) -> str:
    return name_of(data.get("name"), _base(kind)) if kind in ("function_call", "custom_tool_call") else _base(kind)


def _args(data: dict[str, Any]) -> Any:
    args = next((data[key] for key in ("arguments", "input", "action", "operation") if key in data), None)
    if not isinstance(args, str):
        return args
    try:
        return json.loads(args)
    except ValueError:
        return args


def _has_outcome(data: dict[str, Any]) -> bool:
    return data.get("status") is not None or data.get("output") is not None or data.get("error") is not None


def _is_stand_in(data: dict[str, Any]) -> bool:
    if data.get("status") in ("in_progress", "incomplete"):
        return True
    output = data.get("output")
    if isinstance(output, str):
        return _NO_OUTCOME.fullmatch(output) is not None
    return isinstance(output, list) and any(_timed_out(part) for part in output)


def _timed_out(part: Any) -> bool:
    outcome = part.get("outcome") if isinstance(part, dict) else None
    return isinstance(outcome, dict) and outcome.get("type") == "timeout"


def _is_error(data: dict[str, Any]) -> bool:
    output = data.get("output")
    return data.get("status") == "failed" or (isinstance(output, str) and output.startswith(_FAILED))
