"""Reads Claude Code's session files: a tree of user and assistant rows in JSONL, among rows of many other kinds."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.background import asks_for_background, leaves_behind
from resume_gate.sessions.formats.claude_code.results import meaning, notice_of
from resume_gate.sessions.formats.claude_code.rows import KNOWN, Attachment, Compaction, Message, Origin, Row
from resume_gate.sessions.formats.claude_code.turns import Requests, Turns
from resume_gate.sessions.making import Maker, unix_ms
from resume_gate.sessions.pairing import Pairs, Place, call_id_of
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.rows import Rows, first_rows, name_of, strict_blocks, text_of
from resume_gate.sessions.source import Source
from resume_gate.sessions.trees import Tree
from resume_gate.sessions.unknown import in_words, like_a_call

FORMAT = "claude-code"

_TORN = "The last row is only half written; it may be a call whose tool then ran."
_CHECK = "Claude Code starts a tool before its row is in the file: check what changed in the world after {since}."
_OPEN = "The file ends while an answer was still to come. " + _CHECK
_CUT = "A request was cut off and the session resumed without its answer. " + _CHECK
_LOST = "A request was sent whose answer is not in the file. " + _CHECK
_UNRECORDED = "The model asked for a tool ({what}) whose call is not in the file. " + _CHECK
_MISSING = "A row is missing: another goes on from {row}, which is not in the file, and may have been a call. "
_BEGIN = "the session began"
_EMPTY = "The file has no row of a session in it: what it held is not known."
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]\n]*\]")
_COMMAND = "<command-message>"
"""How a command begins that is a prompt, which follows in a row of the program's own."""
_LOCAL = ("<command-", "<local-command-", "<bash-", "<user-memory-input>")
_CAVEAT = "Caveat: "
_WORDS = ("text", "thinking", "redacted_thinking", "image", "document")
_BESIDE = frozenset({"summary", "file-history-snapshot", "queue-operation", "last-prompt", "mode", "permission-mode"})


class _Note(NamedTuple):
    """What a call's arguments say about its result."""

    asked_for_background: bool
    leaves_behind: bool
    shell: bool


def why_not(source: Source) -> str | None:
    """Return why a file is no session of Claude Code, or ``None`` where it is one."""
    if source.database is not None:
        return "it is a database"
    if any(_fits(row) for row in first_rows(source.data, Row)):
        return None
    return "none of its first rows has a type and a sessionId, as Claude Code's have"


def _fits(row: Row) -> bool:
    if not isinstance(row.type, str) or row.payload is not None:
        return False
    if row.type in _BESIDE:
        return isinstance(row.session_id, str) or isinstance(row.leaf_uuid, str)
    return isinstance(row.session_id, str) and isinstance(row.uuid, str)


def sessions(source: Source) -> list[str]:
    """Return the id of the one session in the file."""
    named = [row.session_id for row in first_rows(source.data, Row) if isinstance(row.session_id, str)]
    return named[:1] or ["unnamed"]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:  # noqa: ARG001 - it cannot know
    """Read the session; ``CorruptLedger`` where a row before the last is damaged.

    What a host declares does not count: the program writes its files itself, and when is measured.
    """
    reader = _Reader(session)
    rows = Rows(source.data, Row)
    for row in rows:
        reader.take(row, rows.number)
        if name_of(row.type) not in KNOWN and like_a_call(rows.raw):
            reader.unknown.append(f"row of type {name_of(row.type)!r}")
    return SessionReading(
        FORMAT, session, tuple(reader.maker.events), "none", reader.hides(torn=rows.torn), reader.path()
    )


class _Reader:
    def __init__(self, session: str) -> None:
        self.maker = Maker(session)
        self.unknown: list[str] = []
        self._pairs = Pairs(self.maker)
        self._requests = Requests()
        self._chains: dict[str, Turns] = {}
        self._tools_seen: set[str] = set()
        self._tools_used: dict[str, str] = {}
        self._tree = Tree()
        self._ended = ""

    def take(self, row: Row, number: int) -> None:
        at = name_of(row.timestamp)
        repeated = self._tree.add(row.uuid, row.parent_uuid, side=row.is_sidechain is True)
        self._pairs.row(is_copy=repeated)
        match row.type:
            case "user" | "assistant":
                if not isinstance(row.message, Message):
                    raise CorruptLedger("a row has no message", row=number)
                chain = self._chains.setdefault(name_of(row.agent_id, "side") if row.is_sidechain else "", Turns())
                self._said(row, row.message, number, Turns() if repeated else chain)
            case "system":
                self._system(row, at)
            case "api-request":
                self._requests.sent(row.id, row.query_source, at)
            case "tools-used" if isinstance(row.tools, list):
                self._tools_used.update({name_of(tool): at for tool in row.tools})
            case "queue-operation":
                self._notice(row, row.content)
            case "attachment" if isinstance(row.attachment, Attachment):
                self._notice(row, row.attachment.prompt)

    def _said(self, row: Row, message: Message, number: int, turns: Turns) -> None:
        name, before = name_of(row.uuid, f"row-{number}"), len(self.maker.events)
        taker = self._user if row.type == "user" else self._assistant
        taker(row, message, strict_blocks(message.content, number), name, turns)
        self._tree.made(row.uuid, self.maker.events[before:])

    def _system(self, row: Row, at: str) -> None:
        compaction = row.compact_metadata
        by_itself = isinstance(compaction, Compaction) and compaction.trigger != "manual"
        if row.subtype == "compact_boundary" and by_itself:
            self._chains.setdefault("", Turns()).note(at)

    def _assistant(self, row: Row, message: Message, blocks: list[dict[str, Any]], name: str, turns: Turns) -> None:
        ts, turn = unix_ms(row.timestamp), name_of(message.id, name)
        text = text_of(message.content)
        if text:
            self.maker.model(name, turn, ts, text)
        for block in blocks:
            self._block(Place(name, turn, ts), block)
        end = self._follow(row, message, turns, calls=any(_asks(block) for block in blocks))
        if end is not None and self._ended != turn:
            self._ended = turn
            self.maker.end(name, turn, ts, end)

    def _follow(self, row: Row, message: Message, turns: Turns, *, calls: bool) -> str | None:
        if row.is_api_error_message is True:
            turns.ended()
            self._requests.given_up()
            return "failed"
        if message.model == "<synthetic>" or row.made_by == "other":
            turns.stand_in()
            return None
        self._requests.answered(row.request_ref)
        message_id = name_of(message.id, name_of(row.uuid))
        turns.answer(name_of(row.timestamp), message_id, message.stop_reason, calls=calls)
        return None if turns.open else "completed"

    def _block(self, place: Place, block: dict[str, Any]) -> None:
        kind = name_of(block.get("type"))
        if _asks(block):
            self._call(place, block)
        elif kind.endswith("tool_result"):  # of a tool that the model's provider ran itself
            error = block.get("is_error") is True
            self._pairs.result(place, call_id_of(block.get("tool_use_id")), block.get("content"), is_error=error)
        elif kind not in _WORDS and like_a_call(block):
            self.unknown.append(f"block of type {kind!r}")

    def _call(self, place: Place, block: dict[str, Any]) -> None:
        tool, args = name_of(block.get("name"), "unknown"), block.get("input")
        self._tools_seen.add(tool)
        shell = isinstance(args, dict) and "command" in args
        note = _Note(asks_for_background(args), leaves_behind(args), shell)
        self._pairs.call(place, call_id_of(block.get("id")), tool, args, note)

    def _user(self, row: Row, message: Message, blocks: list[dict[str, Any]], name: str, turns: Turns) -> None:
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self._result(row, block, name)
            turns.result(name_of(row.timestamp))
        text = text_of(message.content)
        if text:
            self.maker.user(name, "user", unix_ms(row.timestamp), text)
            self._notice(row, text)
        if _INTERRUPTED.fullmatch(text):
            turns.ended()
            self._requests.given_up()
            self.maker.end(name, "user", unix_ms(row.timestamp), "aborted")
        elif not results:
            self._asked(row, text, turns)

    def _asked(self, row: Row, text: str, turns: Turns) -> None:
        at = name_of(row.timestamp)
        notified = isinstance(row.origin, Origin) and row.origin.kind == "task-notification"
        if text.startswith(_COMMAND):
            turns.command()
        elif row.is_compact_summary is True or text.startswith(_LOCAL) or (row.is_meta and text.startswith(_CAVEAT)):
            pass  # neither goes to the model by itself
        elif row.is_meta is True:
            turns.note(at)
        else:
            queued = notified or row.prompt_source == "queued" or text.startswith("<task-notification>")
            turns.prompt(at, queued=queued)

    def _result(self, row: Row, block: dict[str, Any], name: str) -> None:
        call_id, content = call_id_of(block.get("tool_use_id")), block.get("content")
        is_error = block.get("is_error") is True
        place = Place(name, "result", unix_ms(row.timestamp))
        says = meaning(content, row.tool_use_result, row.tool_denial_kind, is_error=is_error)
        note = self._pairs.note(call_id)
        goes_on = isinstance(note, _Note) and (note.leaves_behind or (note.asked_for_background and not is_error))
        if says == "outcome" and not goes_on:
            self._pairs.result(place, call_id, content, is_error=is_error)
        else:
            self._pairs.unsettled(place, call_id, content)

    def _notice(self, row: Row, text: Any) -> None:
        notice = notice_of(text)
        if notice is None or not self._pairs.is_open(notice.call_id):
            return
        note = self._pairs.note(notice.call_id)
        if isinstance(note, _Note) and not note.leaves_behind and notice.settles(shell=note.shell):
            place = Place(f"{notice.call_id}-ended", "result", unix_ms(row.timestamp))
            self._pairs.result(place, notice.call_id, text, is_error=notice.is_error)

    def hides(self, *, torn: bool) -> str | None:
        """Say what this end of the file can hide; the first of these reasons is enough."""
        if torn:
            return _TORN
        if not self.maker.events:
            return _EMPTY
        missing, unknown = self._tree.missing(), in_words(self.unknown)
        if missing is not None or unknown is not None:
            return unknown or (_MISSING + _CHECK).format(row=missing, since=_BEGIN)
        main = self._chains.get("")
        # What a subagent hides, its call in the main chain shows: it has no result then.
        chains = [main] if main is not None else list(self._chains.values())
        return self._unrecorded(chains) or _unanswered(chains, self._requests)

    def _unrecorded(self, chains: list[Turns]) -> str | None:
        for tool, at in self._tools_used.items():
            if tool not in self._tools_seen:
                return _UNRECORDED.format(what=tool, since=at or _BEGIN)
        since = next((asked for chain in chains if (asked := chain.unrecorded()) is not None), None)
        return None if since is None else _UNRECORDED.format(what="its name was not kept", since=since or _BEGIN)

    def path(self) -> frozenset[str] | None:
        return self._tree.path()


def _unanswered(chains: list[Turns], requests: Requests) -> str | None:
    for chain in chains:
        if chain.cut is not None:
            return _CUT.format(since=chain.cut or _BEGIN)
        if chain.open:
            return _OPEN.format(since=chain.since or _BEGIN)
    lost = requests.lost()
    return None if lost is None else _LOST.format(since=lost or _BEGIN)


def _asks(block: dict[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and re.fullmatch(r"(?:\w+_)?tool_use", kind) is not None
