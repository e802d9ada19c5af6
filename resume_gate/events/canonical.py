"""Canonical JSON (RFC 8785, as contract section 2 bends it) and the digests made of it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import Any

import msgspec
import rfc8785
from msgspec import UNSET, Raw

from resume_gate.events.rendering import Style, render

MAX_DEPTH = 500
"""Containers that may enclose one another, in a row and in arguments (contract section 2)."""
SHALLOW = 2 * MAX_DEPTH
"""Bytes of a text that cannot nest deeper than ``MAX_DEPTH``: every level opens and closes."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[{]|[\]}]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_OWN_RULES = frozenset({"__proto__", "required", "enum"})
_UNORDERED = re.compile(rb"[\xee-\xf4]")
_WIDEST_INT = 2**53
_SMALLEST_DECIMAL = 1e-5
_SORTED = msgspec.json.Encoder(order="sorted")


def depth(text: bytes) -> int:
    """Return how many containers enclose the innermost value of a JSON text."""
    level = deepest = 0
    for bracket in _BRACKETS.findall(_STRING.sub(b"", text)):
        level += 1 if bracket in b"[{" else -1
        deepest = max(deepest, level)
    return deepest


def too_deep(text: bytes | Raw) -> bool:
    """Tell whether a JSON text nests deeper than ``MAX_DEPTH``; cheap where it cannot."""
    if len(text) <= SHALLOW:
        return False
    text = bytes(text)
    return text.count(b"[") + text.count(b"{") > MAX_DEPTH and depth(text) > MAX_DEPTH


def read_number(text: str) -> int | float:
    """Read a JSON number as an ECMAScript reader does: a double, shown as an int where that loses nothing."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= _WIDEST_INT else value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def loads(text: bytes | str) -> Any:
    """Decode strict JSON to plain values, lone surrogates kept; ``ValueError`` for anything else."""
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    return json.loads(text, parse_int=read_number, parse_float=read_number, parse_constant=_refuse_constant)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _string(value: str) -> str:
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _number(value: float) -> str:
    if isinstance(value, int):
        value = float(value)
    if not math.isfinite(value):
        raise ValueError("a number overflows a double")
    return rfc8785.dumps(value).decode()


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return _number(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _canonical_keys(value: dict[str, Any]) -> list[str]:
    return sorted((key for key in value if key != "__proto__"), key=_utf16)


def _arrange(key: str | None, texts: list[str]) -> list[str]:
    return sorted(texts, key=_utf16) if key in ("required", "enum") else texts


_CANONICAL = Style(_scalar, _string, _canonical_keys, _arrange)


def canonical_json(value: Any) -> bytes:
    """Return the canonical JSON text of plain values.

    Raises ``ValueError`` (a double overflows) or ``TypeError`` (not JSON).
    """
    return render(value, _CANONICAL).encode("utf-8")


def digest(data: bytes) -> str:
    """Return ``sha256:`` and the 64 lower-case hex digits of the bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _is_plain_float(value: float) -> bool:
    return _SMALLEST_DECIMAL <= abs(value) < _WIDEST_INT and not value.is_integer()


def _is_plain(value: Any) -> bool:
    # No recursion: the deepest legal row must not meet Python's own limit.
    found = [value]
    for item in found:  # grows while it is walked
        kind = type(item)
        if kind is str:
            continue
        if kind is dict:
            if not _OWN_RULES.isdisjoint(item):
                return False
            found += item.values()
        elif kind is list:
            found += item
        elif kind is int:
            if not -_WIDEST_INT <= item <= _WIDEST_INT:
                return False
        elif kind is float and not _is_plain_float(item):
            return False
    return True


def _has_plain_keys(value: Any) -> bool:
    found = [value]
    for item in found:
        if isinstance(item, dict):
            if not all(map(str.isascii, item)):
                return False
            found += item.values()
        elif isinstance(item, list):
            found += item
    return True


def _quick_value(text: bytes | Raw) -> Any:
    """Return the value of a JSON text; ``UNSET`` where only ``loads`` may know it."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return UNSET


def _quick_text(name: str, args: bytes | Raw) -> bytes | None:
    # For most arguments msgspec's sorted text is the canonical one. They differ in three keys, in numbers that are very
    # wide, very small or whole doubles, and in the order of keys with characters from U+E000 on.
    value = _quick_value(args)
    if value is UNSET or not _is_plain(value):
        return None
    try:
        text = _SORTED.encode({"args": value, "toolName": name})
    except (UnicodeError, RecursionError):
        return None
    return text if text.isascii() or _UNORDERED.search(text) is None or _has_plain_keys(value) else None


def _careful_text(name: str, args: bytes) -> bytes | None:
    try:
        return canonical_json({"args": loads(args), "toolName": name})
    except (ValueError, OverflowError):
        return None


def canonical_args_hash(name: str, args: bytes | Raw) -> str | None:
    """Return the ``canonicalArgsHash`` of a tool name and its arguments' JSON text (contract section 2).

    ``None`` where the arguments cannot be hashed: a double overflows, or they nest deeper than ``MAX_DEPTH``.
    """
    if too_deep(args):
        return None
    text = _quick_text(name, args) or _careful_text(name, bytes(args))
    return None if text is None else digest(text)


def printable(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate, as plans and screens show it."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def optional(text: str | None) -> str | None:
    """Return ``printable`` of a text that may be absent."""
    return None if text is None else printable(text)


def _printable_scalar(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(printable(value))
    finite = not isinstance(value, float) or math.isfinite(value)
    return json.dumps(value) if finite else "null"


_PRINTABLE = Style(_printable_scalar, _printable_scalar, list)


def printable_json(value: Any) -> Any:
    """Return plain values with every text in them printable; a number that overflows a double becomes ``None``."""
    return msgspec.json.decode(render(value, _PRINTABLE))


def shown_json(text: Raw) -> Any:
    """Return the value of a JSON text as plans and screens show it: every text in it printable."""
    value = _quick_value(text)
    return printable_json(loads(bytes(text))) if value is UNSET else value
