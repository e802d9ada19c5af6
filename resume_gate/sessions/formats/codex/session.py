"""Reads Codex's rollout files: JSONL, a call written before its tool starts, its output when the tool ended."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.background import leaves_behind
from resume_gate.sessions.formats.codex.commands import Ended, Running, is_in, script_leaves_behind
from resume_gate.sessions.formats.codex.outputs import Output, agents_done_in, agents_in, read_output
from resume_gate.sessions.formats.codex.rows import TYPES, Row, is_call, is_known, is_output
from resume_gate.sessions.making import Maker, unix_ms
from resume_gate.sessions.pairing import Pairs, Place, call_id_of
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.rows import Rows, first_rows, name_of, text_of
from resume_gate.sessions.source import Source
from resume_gate.sessions.unknown import in_words, like_a_call
from resume_gate.verdict.words import Evidence

FORMAT = "codex"

# Before, the calls of a response were written together after its tools had run.
_WRITE_AHEAD_SINCE = (0, 70)
_TORN = "The last row is only half written; it may be a call whose tool then ran."
_EMPTY = "The file has no row in it: what it held is not known."
_UNLINKED = "A command ran whose call is not in the file ({command}): check what it did."
_MISSING = (
    "A row is missing after the one with the ordinal {before}: it may be a call whose tool then ran. "
    "Check what changed in the world since."
)
_OPEN = (
    "A turn did not end, and Codex {version} writes a call only after its tool has run: "
    "check what changed in the world after {since}."
)
_NOT_SAID = ("<environment_context>", "<turn_aborted>", "<user_instructions>")
_ENDS = {"task_complete": "completed", "turn_complete": "completed", "turn_aborted": "aborted"}
_RUN = ("CommandExecution", "FileChange", "McpToolCall")
_POLLS = ("write_stdin", "wait", "wait_agent")
_AGENTS = ("spawn_agent", "resume_agent", "send_input")


class _Note(NamedTuple):
    """What is to be known of a call when its output comes."""

    command: str
    script: str | None
    polls: dict[str, Any] | None
    ended_before: int
    leaves_behind: bool
    starts_agent: bool


def why_not(source: Source) -> str | None:
    """Return why a file is no rollout of Codex, or ``None`` where it is one."""
    if source.database is not None:
        return "it is a database"
    rows = first_rows(source.data, Row)
    if any(isinstance(row.payload, Row) and row.type in TYPES for row in rows if isinstance(row.type, str)):
        return None
    if rows and _is_old_head(rows[0]):
        return None
    return "none of its first rows has a payload and a type that Codex writes"


def _is_old_head(row: Row) -> bool:
    return row.type is None and isinstance(row.id, str) and isinstance(row.timestamp, str) and row.role is None


def sessions(source: Source) -> list[str]:
    """Return the id of the one session in the file."""
    rows = first_rows(source.data, Row)
    named = [row.payload.id for row in rows if row.type == "session_meta" and isinstance(row.payload, Row)]
    return [name_of(named[0] if named else rows[0].id if rows else None, "unnamed")]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - it cannot know
    """Read the session; ``CorruptLedger`` where a row before the last is damaged.

    What a host declares does not count: the program writes its files itself, and when is measured.
    """
    reader = _Reader(session)
    rows = Rows(source.data, Row)
    for row in rows:
        reader.take(row, rows.number)
        if not reader.knows(row) and like_a_call(rows.raw):
            reader.unknown.append(f"row of type {name_of(row.type)!r}")
    evidence: Evidence = "write_ahead" if reader.writes_ahead else "none"
    return SessionReading(FORMAT, session, tuple(reader.maker.events), evidence, reader.hides(torn=rows.torn))


class _Reader:
    def __init__(self, session: str) -> None:
        self.maker = Maker(session)
        self.writes_ahead = False
        self.unknown: list[str] = []
        self._version = "of an unknown version"
        self._rows = 0
        self._pairs = Pairs(self.maker)
        self._running = Running()
        self._ended = Ended()
        self._turn = "turn"
        self._open_since: str | None = None
        self._cut_since: str | None = None
        self._scripted = False
        self._seen: set[str] = set()
        self._ran: dict[str, str] = {}
        self._ordinal: int | None = None
        self._gap: int | None = None

    def knows(self, row: Row) -> bool:
        """Tell whether it is known what a row is."""
        if not isinstance(row.payload, Row):
            return self._rows == 1 or is_known(row)
        return is_known(row.payload) if row.type == "response_item" else name_of(row.type) in TYPES

    def take(self, row: Row, number: int) -> None:
        self._rows = number
        self._follow(row)
        if name_of(row.type) in TYPES and not isinstance(row.payload, Row):
            raise CorruptLedger("a row has no payload", row=number)
        item = row.payload if isinstance(row.payload, Row) else row
        kind = row.type if item is not row else "response_item"
        place = Place(f"row-{number}", self._turn, unix_ms(row.timestamp))
        at = name_of(row.timestamp)
        match kind:
            case "session_meta":
                self._written_by(item.cli_version, first=number == 1)
            case "turn_context":
                self._turn = name_of(item.turn_id, self._turn)
            case "event_msg":
                self._event(item, place, at)
            case "response_item":
                self._item(item, place, at)

    def _follow(self, row: Row) -> None:
        """See whether a row is missing: newer versions number them."""
        if not isinstance(row.ordinal, int):
            return
        if self._ordinal is not None and row.ordinal > self._ordinal + 1:
            self._gap = self._ordinal if self._gap is None else self._gap
        self._ordinal = row.ordinal

    def _written_by(self, version: Any, *, first: bool) -> None:
        """Take a version: a fork has the rows of the session before, with whatever that one hides."""
        self.writes_ahead = (first or self.writes_ahead) and _version(version) >= _WRITE_AHEAD_SINCE
        if not self.writes_ahead:
            self._version = name_of(version, self._version)

    def _event(self, item: Row, place: Place, at: str) -> None:
        if item.type in ("task_started", "turn_started"):
            self._cut_since = self._cut_since or self._open_since
            self._turn = name_of(item.turn_id, self._turn)
            self._open_since = at
        elif isinstance(item.type, str) and item.type in _ENDS:
            if item.type == "turn_aborted":  # what ran then was not written where calls are written late
                self._cut_since = self._cut_since or self._open_since
            self._open_since = None
            self.maker.end(place.row, name_of(item.turn_id, self._turn), place.ts, _ENDS[item.type])
        elif item.type == "item_completed" and isinstance(item.item, dict):
            self._completed(item.item, place)

    def _completed(self, item: dict[str, Any], place: Place) -> None:
        code, source = item.get("exit_code"), name_of(item.get("source"))
        if item.get("type") not in _RUN or source == "user_shell":
            return
        command = item.get("command")
        last = name_of(command[-1]) if isinstance(command, list) and command else name_of(command)
        self._ran.setdefault(name_of(item.get("id")), last or name_of(item.get("tool"), name_of(item.get("type"))))
        if not isinstance(code, int) or code < 0:
            return  # it was killed: how far it came nobody knows
        self._ended.add(last)
        what = f"session:{name_of(item.get('process_id'))}"
        starter = self._running.starter(what)
        note = self._pairs.note(starter) if starter is not None else None
        if isinstance(note, _Note) and (starter == item.get("id") or is_in(last, note.command)):
            self._end(what, place, {"exit_code": code}, failed=code != 0)

    def _end(self, what: str, place: Place, value: Any, *, failed: bool) -> None:
        for call_id in self._running.end(what):
            note = self._pairs.note(call_id)
            left = self._left(note, value) if isinstance(note, _Note) and what.startswith("cell:") else frozenset()
            if left:
                self._running.wait(call_id, left, polls=False)
            elif self._pairs.is_open(call_id):
                self._pairs.result(place, call_id, value, is_error=failed)

    def _item(self, item: Row, place: Place, at: str) -> None:
        if item.type == "message":
            self._message(item, place, at)
        elif name_of(item.type).startswith("tool_search_") and item.call_id is None:
            pass  # the service's own search, which acts on nothing
        elif is_call(item):
            self._call(item, place)
        elif is_output(item):
            self._output(item, place)

    def _message(self, item: Row, place: Place, at: str) -> None:
        text = text_of(item.content)
        if item.role == "user" and not text.startswith(_NOT_SAID):
            self._open_since = self._open_since or at
            self.maker.user(place.row, self._turn, place.ts, text)
        elif item.role == "assistant":
            self.maker.model(place.row, self._turn, place.ts, text)

    def _call(self, item: Row, place: Place) -> None:
        call_id = call_id_of(item.call_id if item.call_id is not None else item.id)
        args, name = _arguments(item), name_of(item.name, name_of(item.type))
        scripted = item.type == "custom_tool_call" and name == "exec" and isinstance(item.input, str)
        self._scripted = self._scripted or scripted
        self._seen.add(call_id or "")
        note = _Note(
            command=item.input if scripted else _command(args),
            script=item.input if scripted else None,
            polls=args if name in _POLLS and isinstance(args, dict) else None,
            ended_before=len(self._ended),
            leaves_behind=script_leaves_behind(item.input) if scripted else leaves_behind(args),
            starts_agent=name in _AGENTS,
        )
        self._pairs.call(place, call_id, f"{item.namespace}.{name}" if item.namespace else name, args, note)

    def _output(self, item: Row, place: Place) -> None:
        call_id, value = call_id_of(item.call_id), item.output if item.output is not None else item.result
        note, says = self._pairs.note(call_id), read_output(value)
        known = isinstance(note, _Note)
        running = says.waits_for or (self._left(note, value) if known else frozenset())
        if known and note.starts_agent:
            running |= agents_in(value)
        if says.stand_in or running or (known and note.leaves_behind):
            self._pairs.unsettled(place, call_id, value)
            self._running.wait(call_id or "null", running, polls=known and note.polls is not None)
            return
        self._pairs.result(place, call_id, value, is_error=says.is_error)
        if known and note.polls is not None:
            self._polled(note.polls, place, value, says)
            for agent in agents_done_in(value):
                self._end(agent, place, value, failed=False)

    def _left(self, note: _Note, value: Any) -> frozenset[str]:
        """Return what a call of code mode may have left running, although its script is over."""
        if note.leaves_behind:
            return frozenset({"left behind"})
        return frozenset() if note.script is None else self._ended.unproven(note.script, value, note.ended_before)

    def _polled(self, args: dict[str, Any], place: Place, value: Any, says: Output) -> None:
        """Settle the calls for which this one looked whether they had ended."""
        if says.exit_code is not None and says.exit_code >= 0:
            self._end(f"session:{name_of(args.get('session_id'))}", place, value, failed=says.is_error)
        if says.ends_cell and args.get("terminate") is not True:
            self._end(f"cell:{name_of(args.get('cell_id'))}", place, value, failed=says.is_error)

    def hides(self, *, torn: bool) -> str | None:
        """Say what this end of the file can hide."""
        if torn:
            return _TORN
        if not self._rows:
            return _EMPTY
        if self.unknown or self._gap is not None:
            return in_words(self.unknown) or _MISSING.format(before=self._gap)
        unlinked = [command for name, command in self._ran.items() if name not in self._seen]
        if unlinked and not self._scripted:
            return _UNLINKED.format(command=unlinked[0][:80])
        since = self._cut_since or self._open_since
        if self.writes_ahead or since is None:
            return None
        return _OPEN.format(version=self._version, since=since or "the session began")


def _arguments(item: Row) -> Any:
    if item.type == "local_shell_call":
        return item.action
    if not isinstance(item.arguments, str):
        return item.input if item.arguments is None else item.arguments
    try:
        return json.loads(item.arguments)
    except (ValueError, RecursionError):
        return item.arguments


def _command(args: Any) -> str:
    return name_of(args.get("cmd", args.get("command"))) if isinstance(args, dict) else ""


def _version(text: Any) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", text) if isinstance(text, str) else None
    return (int(found[1]), int(found[2])) if found else (0, 0)
