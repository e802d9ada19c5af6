"""Reads the histories that pydantic-ai's callers save: one JSON array of messages (``ModelMessagesTypeAdapter``).

The file does not show when it was saved, so only a host that says so makes the absence of a call evidence.
"""

from __future__ import annotations

import json
import re
from typing import Any

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.linking import At, Links, id_of, name_of, when, words_of
from resume_gate.sessions.making import Maker
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, json_value
from resume_gate.sessions.unknown import in_words, like_a_call

FORMAT = "pydantic-ai"

_KINDS = ("request", "response")
_BESIDE = frozenset(
    {
        *("system-prompt", "thinking", "file", "speech", "compaction", "retry-feedback", "tool-availability-delta"),
        *("instruction", "instruction-delta", "instruction-digest", "instruction-baseline", "capability-load-delta"),
        "model-settings-delta",
    }
)
"""Kinds of parts that are no call, though some tell of tools."""
_OUTCOMES = (None, "success", "failed", "retried")
_UNFINISHED = ("incomplete", "suspended")
_SYNTHESIZED = "pydantic_ai_synthesized_tool_return"
_NO_OUTCOME = re.compile(
    r"The tool call was interrupted before a result was produced\.|Tool execution was interrupted by an error\."
    r"|The tool call was denied\.|Timed out after \S+ seconds\."
)
_HEAD = 64

_UNDECLARED = (
    "The file does not show when it was saved. Saved only at the end of a run, it looks the same while a newer run has "
    "already acted. Check what was asked since, or declare that the host saves after every node."
)
_CUT = "A response of the model's is not complete: a call in it may not be there. Check what it asked for."
_UNKNOWN = "The file has no conversation of this name, and its absence is no evidence."


def why_not(source: Source) -> str | None:
    """Say why a source is no history of this format; ``None`` where it is."""
    if source.database is not None:
        return "It is a database."
    if not source.data[:_HEAD].lstrip().startswith(b"["):
        return "It is no JSON array."
    if b'"part_kind"' not in source.data and len(source.data) > _HEAD:
        return "It has no parts of messages."
    try:
        messages = json_value(source.data)
    except CorruptLedger:
        return None if b'"part_kind"' in source.data else "It is no JSON array of messages."
    return None if all(_is_message(message) for message in messages[:1]) else "Its items are no requests and responses."


def sessions(source: Source) -> list[str]:
    """Return the one conversation's id."""
    return [_name(_messages(source))]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:
    """Read the history; ``CorruptLedger`` where it is damaged."""
    messages = _messages(source)
    maker = Maker(session)
    reader = _Reader(maker)
    for number, message in enumerate(messages, 1):
        reader.take(number, message)
    if session != _name(messages):
        return SessionReading(FORMAT, session, (), "none", _UNKNOWN)
    hides = (in_words(reader.unknown) or _unfinished(messages)) if declared else _UNDECLARED
    return SessionReading(FORMAT, session, tuple(maker.events), "declared" if declared else "none", hides)


def _unfinished(messages: list[dict[str, Any]]) -> str | None:
    cut = any(message.get("state") == "incomplete" for message in messages)
    return _CUT if cut or (messages and messages[-1].get("state") in _UNFINISHED) else None


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("kind") in _KINDS and isinstance(value.get("parts"), list)


def _messages(source: Source) -> list[dict[str, Any]]:
    messages = json_value(source.data)
    if not isinstance(messages, list):
        raise CorruptLedger("a history is a JSON array")
    for number, message in enumerate(messages, 1):
        if not _is_message(message) or not all(_is_part(part) for part in message["parts"]):
            raise CorruptLedger(f"message {number} is no request or response with parts")
    return messages


def _is_part(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("part_kind"), str)


def _name(messages: list[dict[str, Any]]) -> str:
    names = (id_of(message.get("conversation_id")) for message in messages)
    return next((name for name in names if name), "history")


class _Reader:
    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._links = Links(maker)
        self._turn = 0
        self.unknown: list[str] = []

    def take(self, number: int, message: dict[str, Any]) -> None:
        """Take one message."""
        for place, part in enumerate(message["parts"], 1):
            if part["part_kind"] == "user-prompt":
                self._turn += 1
            row = f"message-{number}.{place}"
            ts = when(part.get("timestamp") or message.get("timestamp"))
            self._part(At(row, f"turn-{self._turn}", ts), f"step-{number}", part)

    def _part(self, at: At, step: str, part: dict[str, Any]) -> None:
        kind = part["part_kind"]
        if kind.endswith("tool-call"):
            call_id = id_of(part.get("tool_call_id"))
            self._links.call(at, step, call_id, name_of(part.get("tool_name")), _args(part.get("args")))
        elif kind.endswith("tool-return") or kind == "retry-prompt":
            self._return(at, part)
        elif kind == "user-prompt":
            self._maker.user(at.row, at.turn, at.ts, words_of(part.get("content")))
        elif kind == "text":
            self._maker.model(at.row, at.turn, at.ts, words_of(part.get("content")))
        elif kind not in _BESIDE and like_a_call(part | {"type": kind}):
            self.unknown.append(f"part of kind {kind!r}")

    def _return(self, at: At, part: dict[str, Any]) -> None:
        call_id, name = id_of(part.get("tool_call_id")), id_of(part.get("tool_name"))
        if part["part_kind"] == "retry-prompt" and name is None:
            return  # it answers no call: the model's text was refused
        content = part.get("content")
        if _is_stand_in(part):
            self._links.stand_in(at, call_id, name, content)
        else:
            self._links.result(at, call_id, name, content, is_error=_is_error(part))


def _args(args: Any) -> Any:
    if not isinstance(args, str):
        return {} if args is None else args
    try:
        return json.loads(args)
    except ValueError:
        return args


def _is_stand_in(part: dict[str, Any]) -> bool:
    metadata, content = part.get("metadata"), part.get("content")
    if isinstance(metadata, dict) and metadata.get(_SYNTHESIZED):
        return True
    if part.get("outcome") not in _OUTCOMES:
        return True
    return isinstance(content, str) and _NO_OUTCOME.fullmatch(content) is not None


def _is_error(part: dict[str, Any]) -> bool:
    return bool(part["part_kind"] == "retry-prompt" or part.get("outcome") in ("failed", "retried"))
