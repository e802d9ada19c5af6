"""The rows of a big JSONL session, one at a time, with only the keys that a reader needs."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec

from resume_gate.errors import CorruptLedger
from resume_gate.events.canonical import MAX_DEPTH, depth, read_number

Loose = str | int | float | bool | None | list[Any]
"""What may stand where an object is expected: foreign rows are read, not validated."""

T = TypeVar("T")
_FIRST = 24
_HEAD = 4 * 1024 * 1024
_QUOTED = re.compile(rb'"[^"]*+"')
_OTHER_BYTES = bytes(byte for byte in range(256) if byte not in b'"[]{}')


class Rows(Generic[T]):
    """Walks the rows of a JSONL file as structs; afterwards ``torn`` tells whether the last one was half written.

    ``number`` and ``raw`` are those of the row that was given last.

    Strict: ``CorruptLedger`` names the row and byte of anything else that is not one JSON object on a line of its own.
    """

    def __init__(self, data: bytes, kind: type[T]) -> None:
        self.torn = False
        self.number = 0
        self.raw = b""
        self._data = data
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)

    def __iter__(self) -> Iterator[T]:
        for number, start, row, whole in _lines(self._data):
            try:
                decoded = self._decode(row)
            except ValueError as error:
                if not whole:
                    self.torn = True
                    return
                raise CorruptLedger(f"not one JSON object: {error}", row=number, byte=start) from error
            self.number, self.raw = number, row
            yield decoded

    def _decode(self, row: bytes) -> T:
        if _too_deep(row):
            raise ValueError("nested too deeply")
        try:
            return self._decoder.decode(row)
        except msgspec.MsgspecError:  # a lone surrogate or a wide number is data all the same
            return msgspec.convert(_careful(row), self._kind)


def first_rows(data: bytes, kind: type[T]) -> list[T]:
    """Return the first rows that can be read, for a look at what a file is; never raises for what they hold."""
    found: list[T] = []
    with contextlib.suppress(CorruptLedger):
        found.extend(islice(Rows(data[:_HEAD], kind), _FIRST))
    return found


def whole(data: bytes, kind: type[T]) -> T:
    """Return the one JSON value of a file; ``CorruptLedger`` where it is not one of this kind."""
    try:
        return Rows(b"", kind)._decode(data)  # noqa: SLF001 - one way to decode
    except ValueError as error:
        raise CorruptLedger(f"not one JSON value: {error}", row=1, byte=0) from error


def _lines(data: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    """Yield each row that is not blank with its number, its first byte and whether its newline is there."""
    start = number = 0
    while start < len(data):
        end = data.find(b"\n", start)
        row = data[start : end if end >= 0 else len(data)]
        number += 1
        if row.strip():
            yield number, start, row, end >= 0
        start += len(row) + 1


def _too_deep(row: bytes) -> bool:
    """Tell whether a row nests too deeply; quick also where its texts are long and full of brackets."""
    if row.count(b"[") + row.count(b"{") <= MAX_DEPTH:
        return False
    marks = row.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _OTHER_BYTES)
    return depth(_QUOTED.sub(b"", marks)) > MAX_DEPTH


def _careful(row: bytes) -> Any:
    return json.loads(row.decode(), parse_int=_number, parse_float=_number, parse_constant=_refuse)


def _number(text: str) -> int | float | str:
    value = read_number(text)
    return value if math.isfinite(value) else text


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def text_of(content: Any) -> str:
    """Return the words of a message's content: a text, or blocks of which some are texts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") for block in content if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a message's content that are objects."""
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def strict_blocks(content: Any, row: int) -> list[dict[str, Any]]:
    """Return the blocks of a content in which a call may stand; ``CorruptLedger`` where it has another shape."""
    if content is None or isinstance(content, str):
        return []
    if not isinstance(content, list) or not all(isinstance(block, dict | str) for block in content):
        raise CorruptLedger("a message's content is neither a text nor blocks", row=row)
    return blocks_of(content)


def name_of(value: Any, other: str = "") -> str:
    """Return an id or a name that should be a text, whatever it is."""
    if isinstance(value, str):
        return value or other
    return other if value is None else json.dumps(value)
