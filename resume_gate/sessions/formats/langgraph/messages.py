"""Finds the messages of a LangGraph thread, each once, although every later checkpoint repeats it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from resume_gate.sessions.formats.langgraph.blobs import Send
from resume_gate.sessions.formats.langgraph.store import Checkpoint
from resume_gate.sessions.linking import id_of, name_of, plain

_KINDS = {
    **dict.fromkeys(("ai", "AIMessageChunk", "assistant"), "ai"),
    **dict.fromkeys(("tool", "ToolMessageChunk"), "tool"),
    **dict.fromkeys(("human", "HumanMessageChunk", "user"), "human"),
}
_BY_MODEL = ("run-", "lc_run-")
"""How the ids begin that LangChain gives to what a model said."""


class Call(NamedTuple):
    """One tool call of a message."""

    call_id: str | None
    name: str
    args: Any


class Message(NamedTuple):
    """One message as it is stored, or a call that a due task has to make.

    ``kind`` is ``ai``, ``tool``, ``human`` or ``call``; ``name`` its own id, where it has got one yet.
    """

    data: dict[str, Any]
    kind: str
    name: str | None

    @property
    def calls(self) -> list[Call]:
        """The tool calls that it asks for."""
        rows = [self.data] if self.kind == "call" else self.data.get("tool_calls")
        return [_call(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    @property
    def is_evidence(self) -> bool:
        """Whether a model or a tool made it, and not the node that wrote it, which may do anything beside."""
        made = any(self.data.get(key) for key in ("response_metadata", "usage_metadata", "tool_calls"))
        return self.kind == "tool" or (self.kind == "ai" and (made or (self.name or "").startswith(_BY_MODEL)))

    @property
    def print(self) -> str:
        """What makes two copies of a message equal: all but its id and what it cost."""
        keys = ("type", "role", "content", "tool_calls", "tool_call_id", "name", "status", "args")
        return json.dumps([plain(self.data.get(key)) for key in keys])


def _call(row: dict[str, Any]) -> Call:
    function = row.get("function")
    if isinstance(function, dict):  # as OpenAI writes it, for states of plain dicts
        return Call(id_of(row.get("id")), name_of(function.get("name")), function.get("arguments"))
    return Call(id_of(row.get("id")), name_of(row.get("name")), row.get("args"))


def messages_in(value: Any) -> Iterator[Message]:
    """Yield all messages in a value, in order, but none that stands in another message."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            message = _message(found)
            if message is None:
                waiting += reversed(list(found.values()))
            else:
                yield message
        elif isinstance(found, Send):
            waiting.append(found.arg)
        elif isinstance(found, list | tuple):
            waiting += reversed(found)


def _message(value: dict[str, Any]) -> Message | None:
    said = value.get("type") or value.get("role")
    if said == "tool_call":
        return Message(value, "call", None) if "name" in value and "args" in value else None
    kind = _KINDS.get(said) if isinstance(said, str) else None
    if kind is None or not ("content" in value or "tool_calls" in value):
        return None
    return Message(value, kind, id_of(value.get("id")))


class Found(NamedTuple):
    """A message where it was first seen, or seen again."""

    message: Message
    number: int
    is_new: bool


class Finder:
    """Tells a message that is new from a copy of one that was there before.

    A copy has the same id. Where one of two has none, since the id is given when a message reaches the state, the n-th
    of equal messages in one list is the n-th of them in another.
    """

    def __init__(self) -> None:
        self._names: list[str | None] = []
        self._texts: list[str] = []
        self._by_name: dict[str, int] = {}
        self._by_place: dict[tuple[str, int], int] = {}

    def in_checkpoint(self, checkpoint: Checkpoint) -> list[Found]:
        """Return the messages in a checkpoint and its writes; what due tasks have to call comes last."""
        found: list[Found] = []
        state: dict[str, list[str]] = {}
        for channel, value in checkpoint.values.items():
            self._take(value, [], state.setdefault(channel, []), found)
        for write in checkpoint.writes:
            there = [] if isinstance(write.value, Send) else state.setdefault(write.channel, [])
            self._take(write.value, there, there, found)
        return sorted(found, key=lambda one: one.message.kind == "call")

    def _take(self, value: Any, before: list[str], texts: list[str], found: list[Found]) -> None:
        """Find the messages in a value, and add what each says to the texts of its channel."""
        new = [(message, self._text(message)) for message in messages_in(value)]
        if [text for _, text in new[: len(before)]] == before:
            before = []  # it is the whole list again, not what is to be added to it
        counts = Counter(before)
        for message, text in new:
            found.append(self._found(message, (text, counts[text])))
            counts[text] += 1
            texts.append(text)

    def _text(self, message: Message) -> str:
        number = self._by_name.get(message.name or "")
        return message.print if number is None else self._texts[number]

    def _found(self, message: Message, place: tuple[str, int]) -> Found:
        number = self._by_name.get(message.name or "")
        return self._by_its_place(message, place) if number is None else Found(message, number, is_new=False)

    def _by_its_place(self, message: Message, place: tuple[str, int]) -> Found:
        name, number = message.name, self._by_place.get(place)
        is_new = number is None or bool(name and self._names[number])  # equal, but each with an id: another one
        if number is None or is_new:
            number = len(self._names)
            self._names.append(None)
            self._texts.append(place[0])
        self._by_place.setdefault(place, number)
        if name:
            self._names[number] = name
            self._by_name[name] = number
        return Found(message, number, is_new)
