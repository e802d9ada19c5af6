"""Pairs a foreign session's calls with their results, also where its call ids are reused, odd or missing."""

from __future__ import annotations

import json
from collections import deque
from typing import Any, NamedTuple

from msgspec import Struct

from resume_gate.sessions.making import NOT_RUN, Maker


class Place(NamedTuple):
    """Where in a session something stands: its row, the turn it belongs to, its time."""

    row: str
    turn: str
    ts: float


class _Call(Struct):
    turn: str
    base: str
    name: str
    note: Any = None
    answer: int | None = None


class Pairs:
    """Adds calls and results to a ``Maker``, so that (turn, call id) names one call.

    A result belongs to the latest call of its id, so a second one never settles an older call that was left open; of
    calls without an id it belongs to the first open one. What cannot be one legal call and one result is added as it
    is: the plan is then corrupt, which blocks.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._latest: dict[str, _Call] = {}
        self._unnamed: deque[_Call] = deque()
        self._used: dict[tuple[str, str], int] = {}
        self._copy = False

    def row(self, *, is_copy: bool) -> None:
        """Say whether what follows stands in a row that was there before: then it is no news.

        A copy of a result would otherwise settle a later call that has the same id.
        """
        self._copy = is_copy

    def call(self, place: Place, call_id: str | None, name: str, args: Any, note: Any = None) -> str | None:
        """Add a call, with a note for whoever meets its result; return its event's id, or ``None`` for a copy."""
        key = _key(call_id)
        if self._copy and (place.turn, key) in self._used:
            return None
        before = self._latest.get(key)
        call = _Call(self._turn(place.turn, key), place.turn, name, note)
        if call_id is None:
            self._add_unnamed(call)
        elif before is not None and before.base == place.turn and before.answer is None:
            call.turn = before.turn  # which of the two a result is for, nobody knows: one operation, a corrupt one
        self._latest[key] = call
        return self._maker.call(place.row, call.turn, place.ts, key, name, args)

    def _add_unnamed(self, call: _Call) -> None:
        if self._unnamed and self._unnamed[0].answer is not None:
            self._unnamed.popleft()
        self._unnamed.append(call)

    def _turn(self, base: str, key: str) -> str:
        times = self._used[base, key] = self._used.get((base, key), 0) + 1
        return base if times == 1 else f"{base}~{times}"

    def result(self, place: Place, call_id: str | None, value: Any, *, is_error: bool = False) -> str | None:
        """Add a result that really is one; return its event's id, or ``None`` where it only repeats one."""
        if self._copy:
            return None
        call, answer = self._find(call_id) or _Call(place.turn, place.turn, "unknown"), _print(value)
        if call.answer == answer:
            return None
        call.answer = answer
        if call_id is None and len(self._unnamed) > 1:
            self._unnamed.popleft()
        return self._maker.result(place.row, call.turn, place.ts, _key(call_id), call.name, value, is_error=is_error)

    def not_run(self, place: Place, call_id: str | None) -> str | None:
        """Settle a call that provably never ran."""
        return self.result(place, call_id, NOT_RUN, is_error=True)

    def unsettled(self, place: Place, call_id: str | None, value: Any) -> None:
        """Take a result that is none: its call stays open. Without a call it is an orphan all the same."""
        if self._find(call_id) is None and not self._copy:
            self._maker.result(place.row, place.turn, place.ts, _key(call_id), "unknown", value)

    def is_open(self, call_id: str | None) -> bool:
        """Tell whether the call that a result of this id belongs to has none yet."""
        call = self._find(call_id)
        return call is not None and call.answer is None

    def note(self, call_id: str | None) -> Any:
        """Return the note of the call that a result of this id belongs to; ``None`` where there is none."""
        call = self._find(call_id)
        return None if call is None else call.note

    def _find(self, call_id: str | None) -> _Call | None:
        if call_id is None:
            return self._unnamed[0] if self._unnamed else None
        return self._latest.get(call_id)


def call_id_of(value: Any) -> str | None:
    """Return a call id as text; ``None`` where there is none."""
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value)


def _key(call_id: str | None) -> str:
    return "null" if call_id is None else call_id


def _print(value: Any) -> int:
    # Only ever compared: a big result must not be kept twice.
    return hash(json.dumps(value, sort_keys=True))
