"""Reads messages of the Vercel AI SDK (``UIMessage[]``) as a host saved them: a call and its result are one part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.background import asks_for_background, leaves_behind, says_running
from resume_gate.sessions.making import Maker, unix_ms
from resume_gate.sessions.pairing import Pairs, Place, call_id_of
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.rows import Loose, blocks_of, name_of, text_of, whole
from resume_gate.sessions.source import Source
from resume_gate.sessions.unknown import in_words, like_a_call
from resume_gate.verdict.words import Evidence

FORMAT = "vercel-ai"

_OPEN = (
    "The last turn did not end, and the file does not show whether its host saves a call before the tool starts: "
    "check what the tools of that turn changed in the world."
)
_END = (
    "Hosts usually save these messages when a turn has ended: a newer turn, whose tools acted already, would leave the "
    "file just as it is. Look for effects of a later message, or declare that each call is saved before its tool."
)
_EMPTY = "The file has no message in it: what it held is not known."
_ROLES = ("system", "user", "assistant")
_HEAD = 4 * 1024 * 1024
_FIRST = re.compile(r'\s*(?:\[|\{(?:[^{}\[\]]*,)?\s*"messages"\s*:\s*\[)\s*(?=\{)')
_WORDS = re.compile(r"text|reasoning|step-start|source|source-url|source-document|file|data-.*", re.DOTALL)
# A tool that was told to stop may have acted before.
_STOPPED = re.compile(r"\b(?:abort|cancell?ed|interrupt)", re.IGNORECASE)
_NEAR = 300
# Parts that the SDK or its host may add after the answer's text.
_BESIDE = re.compile(r"source-url|source-document|file|data-.*", re.DOTALL)


class _Message(Struct, rename="camel"):
    id: Any = None
    role: Any = None
    parts: Any = None
    created_at: Any = None
    content: Any = None
    tool_invocations: Any = None
    tool_calls: Any = None


class _Chat(Struct):
    messages: list[_Message | Loose] = []


def why_not(source: Source) -> str | None:
    """Return why a file holds no messages of the Vercel AI SDK, or ``None`` where it does."""
    if source.database is not None:
        return "it is a database"
    first = _first(source.data)
    if first is not None and first.get("role") in _ROLES and isinstance(first.get("parts"), list):
        return None
    return "it is no JSON array of messages with a role and parts"


def _first(data: bytes) -> dict[str, Any] | None:
    """Return the first message, without a look at the rest."""
    head = data[:_HEAD].decode(errors="replace")
    start = _FIRST.match(head)
    if start is None:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(head, start.end())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def sessions(source: Source) -> list[str]:
    """Return a name for the one session in the file: the format gives it none."""
    return [source.name or "unnamed"]


def read(source: Source, session: str, *, declared: bool = False) -> SessionReading:
    """Read the session; ``CorruptLedger`` where the file is not one whole JSON value.

    ``declared``: the host says that it saves every call before the tool can start.
    """
    if source.data.lstrip().startswith(b"["):
        found = whole(source.data, list[_Message | Loose])
    else:
        found = whole(source.data, _Chat).messages
    messages = [_checked(number, message) for number, message in enumerate(found, 1)]
    maker = Maker(session)
    pairs = Pairs(maker)
    for number, message in enumerate(messages, 1):
        _add(message, f"message-{number}", maker, pairs)
    evidence: Evidence = "declared" if declared else "none"
    hides = in_words(kind for message in messages for kind in _unknown(message)) or _hidden(messages, declared=declared)
    return SessionReading(FORMAT, session, tuple(maker.events), evidence, hides)


def _checked(number: int, message: _Message | Loose) -> _Message:
    parts = message.parts if isinstance(message, _Message) else None
    if not isinstance(message, _Message) or not isinstance(parts, list):
        raise CorruptLedger(f"message {number} has no parts")
    if not all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts):
        raise CorruptLedger(f"a part of message {number} has no type")
    return message


def _parts(message: _Message) -> list[dict[str, Any]]:
    """Return the parts, and what an older version kept beside them."""
    parts, older = blocks_of(message.parts), blocks_of(message.tool_invocations)
    known = {call_id_of(_inside(part).get("toolCallId")) for part in parts if _is_tool(part)}
    beside = [one for one in older if call_id_of(one.get("toolCallId")) not in known]
    return parts + [{"type": "tool-invocation", "toolInvocation": one} for one in beside]


def _unknown(message: _Message) -> Iterator[str]:
    """Yield the kinds of what may be a call, but is none of the parts that this version knows."""
    if any(isinstance(value, list) and like_a_call(value) for value in (message.content, message.tool_calls)):
        yield "message with calls beside its parts"
    for part in blocks_of(message.parts):
        if not _is_tool(part) and _WORDS.fullmatch(part["type"]) is None and like_a_call(part):
            yield f"part of type {part['type']!r}"


def _hidden(messages: list[_Message], *, declared: bool) -> str | None:
    if not messages:
        return _EMPTY
    if declared:
        return None
    return _OPEN if _is_open(messages[-1]) else _END


def _add(message: _Message, other: str, maker: Maker, pairs: Pairs) -> None:
    name = name_of(message.id, other)
    place = Place(name, name, unix_ms(message.created_at))
    for part in _parts(message):
        text = part.get("text")
        if part.get("type") == "text" and isinstance(text, str):
            say = maker.user if message.role == "user" else maker.model
            say(place.row, place.turn, place.ts, text)
        elif _is_tool(part):
            _call(part, place, pairs)


def _is_tool(part: dict[str, Any]) -> bool:
    kind = part.get("type")
    return isinstance(kind, str) and (kind.startswith("tool-") or kind == "dynamic-tool")


def _inside(part: dict[str, Any]) -> dict[str, Any]:
    """Return what holds the call: an older part has it inside."""
    older = part.get("toolInvocation")
    return older if isinstance(older, dict) else part


def _call(part: dict[str, Any], place: Place, pairs: Pairs) -> None:
    older = _inside(part)
    if older is not part:
        part = {**older, "input": older.get("args"), "output": older.get("result")}
    name = part.get("toolName") if part.get("toolName") is not None else name_of(part.get("type")).removeprefix("tool-")
    call_id, args = call_id_of(part.get("toolCallId")), part.get("input")
    pairs.call(place, call_id, name_of(name, "unknown"), args)
    if _was_denied(part):
        pairs.not_run(place, call_id)
    elif part.get("state") == "output-error" and not (leaves_behind(args) or _was_stopped(part)):
        pairs.result(place, call_id, part.get("errorText"), is_error=True)
    elif part.get("state") in ("output-available", "result") and not _goes_on(part, args):
        pairs.result(place, call_id, part.get("output"))


def _was_denied(part: dict[str, Any]) -> bool:
    """Tell whether a person refused the call: the SDK asks before it starts the tool."""
    approval = part.get("approval")
    refused = isinstance(approval, dict) and approval.get("approved") is False
    return part.get("state") == "output-denied" or (part.get("state") == "approval-responded" and refused)


def _was_stopped(part: dict[str, Any]) -> bool:
    text = part.get("errorText")
    return isinstance(text, str) and _STOPPED.search(text[:_NEAR]) is not None


def _goes_on(part: dict[str, Any], args: Any) -> bool:
    output = part.get("output")
    if part.get("preliminary") is True or leaves_behind(args) or asks_for_background(args):
        return True
    return says_running(text_of(output), at_start=True)


def _is_open(last: _Message) -> bool:
    """Tell whether a turn can go on after its last message: only an answer's finished text ends one."""
    if last.role != "assistant":
        return True
    parts = [part for part in blocks_of(last.parts) if _BESIDE.fullmatch(name_of(part.get("type"))) is None]
    return not parts or parts[-1].get("type") != "text" or parts[-1].get("state") not in (None, "done")
