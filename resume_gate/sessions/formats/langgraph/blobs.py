"""Decodes what LangGraph's serializer writes, without LangGraph: objects become the plain values they are made of."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.source import json_value

_OBJECTS = range(6)
"""Extension codes of objects: module, name, what it is made from, and for some how."""
_ARRAY, _SNAPSHOT = 6, 7


class Send(NamedTuple):
    """A task that is due: its node and what the node gets."""

    node: str
    arg: Any


class Opaque(NamedTuple):
    """A value that this reader does not need to understand."""

    why: str


def decoded(kind: Any, blob: Any, where: str) -> Any:
    """Return the plain value of a typed blob; ``CorruptLedger`` where it is damaged, encrypted or a pickle."""
    data = blob.encode(errors="surrogatepass") if isinstance(blob, str) else blob
    if kind in ("null", "bytes", "bytearray"):
        return None if kind == "null" else Opaque("bytes")
    if not isinstance(data, bytes):
        raise CorruptLedger(f"{where}: there is no value")
    if kind == "json":
        return _unwrapped(json_value(data))
    if kind != "msgpack":  # a pickle runs code when it is read
        raise CorruptLedger(f"{where}: a value of type {kind!r} cannot be read")
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        raise CorruptLedger(f"{where}: not MessagePack: {error}") from error


def _object(code: int, data: memoryview) -> Any:
    if code == _SNAPSHOT:
        return _DECODER.decode(data)
    if code == _ARRAY:
        return Opaque("an array of numbers")
    if code not in _OBJECTS:  # it may be, or hold, a message
        raise ValueError(f"an object of a kind that is not known ({code})")
    module, name, value, *_ = _DECODER.decode(data)
    if (module, name) == ("langgraph.types", "Send"):
        node, arg, *_ = value
        return Send(str(node), arg)
    return value


_DECODER = msgspec.msgpack.Decoder(ext_hook=_object)


def _unwrapped(value: Any) -> Any:
    """Return JSON with LangChain's constructor envelopes replaced by what they construct from."""
    if isinstance(value, list):
        return [_unwrapped(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") != "constructor" or "lc" not in value or not isinstance(value.get("id"), list):
        return {key: _unwrapped(item) for key, item in value.items()}
    made = _unwrapped(value.get("kwargs") or value.get("args") or {})
    if value["id"][-2:] == ["types", "Send"]:
        parts = list(made.values()) if isinstance(made, dict) else made
        return Send(str(parts[0]), parts[1])
    return made
