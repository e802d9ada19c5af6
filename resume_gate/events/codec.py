"""The one codec of ledger rows: strict JSON to RuntimeEvent and back (contract sections 2 and 3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct

from resume_gate.errors import InvalidEvent
from resume_gate.events.canonical import MAX_DEPTH, SHALLOW, loads, too_deep
from resume_gate.events.event import RuntimeEvent
from resume_gate.events.rendering import Style, render

_decode = msgspec.json.Decoder(RuntimeEvent).decode
_REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_ENCODER = msgspec.json.Encoder()
_RAW_VALUES = frozenset({"args", "result", "providerOutput"})
_TYPED_VALUES = frozenset({"artifactDelta", "toolDispatch", "toolRecovery", "runtimeProtocol"})


def decode_event(row: bytes) -> RuntimeEvent:
    """Decode one row, without its newline; ``InvalidEvent`` says what is wrong with it.

    Accepts exactly the rows of contract section 2: of a key that occurs twice the last counts, and half a surrogate
    pair, escaped, is data.
    """
    try:
        event = _decode(row)
    except _REFUSALS:
        return _decode_carefully(row)
    if len(row) > SHALLOW or not row.isascii():
        _check_text(row)
    return event


def decode_quickly(rows: Sequence[bytes], *, session_id: str, run_id: str) -> list[RuntimeEvent] | None:
    """Decode many rows of one run in half the time; ``None`` where ``decode_event`` has to look at each.

    That is where a row is invalid, takes care, or is another run's.
    """
    try:
        events = [event for event in map(_decode, rows) if event.run_id == run_id and event.session_id == session_id]
        for row in rows:
            if len(row) > SHALLOW or not row.isascii():
                _check_text(row)
    except (*_REFUSALS, InvalidEvent):
        return None
    return events if len(events) == len(rows) else None


def _check_text(row: bytes) -> None:
    """Refuse what msgspec overlooks: deep nesting, and inside a ``Raw`` bytes that are not UTF-8."""
    if too_deep(row):
        raise InvalidEvent(f"the row nests deeper than {MAX_DEPTH}")
    try:
        row.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidEvent(f"the row is not UTF-8: {error.reason} at its byte {error.start}") from error


def _decode_carefully(row: bytes) -> RuntimeEvent:
    # What msgspec refuses may still be legal: a lone surrogate, a bad value that a later duplicate key replaces, a
    # number wider than 64 bits. Python's own decoder takes those, and the same types judge what it found.
    _check_text(row)
    try:
        return msgspec.convert(_with_raw(loads(row)), RuntimeEvent)
    except msgspec.ValidationError as error:
        raise InvalidEvent(f"the row is not a RuntimeEvent: {error}") from error
    except ValueError as error:
        raise InvalidEvent(f"the row is not strict JSON: {error}") from error


def _raw(value: Any) -> Raw:
    return Raw(_dumps(value).encode("ascii"))


def _raw_members(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _raw(item) for key, item in value.items()}
    return [item if isinstance(item, str) else _raw(item) for item in value] if isinstance(value, list) else value


def _with_raw(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    for part in ("content", "actions"):
        if isinstance(row.get(part), dict):
            row[part] = {key: _member(key, value) for key, value in row[part].items()}
    return row


def _member(key: str, value: Any) -> Any:
    if key in _RAW_VALUES:
        return _raw(value)
    if key in ("attachments", "quotes", "inlineReferences") and isinstance(value, list):
        return [_raw(item) for item in value]
    return value if key in _TYPED_VALUES else _raw_members(value)


def _scalar(value: Any) -> str:
    if isinstance(value, Raw):
        return bytes(value).decode("utf-8")
    if value in (float("inf"), float("-inf")):
        return "1e999" if value > 0 else "-1e999"
    return json.dumps(value)


_PLAIN = Style(_scalar, json.dumps, list)


def _dumps(value: Any) -> str:
    return render(value, _PLAIN)


def encode_event(event: RuntimeEvent) -> bytes:
    """Encode one event as a row without its newline; the same event always gives the same bytes."""
    try:
        row = _ENCODER.encode(event)
    except UnicodeEncodeError:  # a lone surrogate in an id or a text
        row = _dumps(_plain(event)).encode("utf-8")
    # A newline outside strings is white space of JSON text that somebody else wrote; inside them it is escaped.
    return row.replace(b"\n", b" ")


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if not isinstance(value, Struct):
        return value
    config = value.__struct_config__
    fields = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return tag | {key: _plain(item) for key, name in fields if (item := getattr(value, name)) is not UNSET}
