"""Links results to calls where a call id can come again, be missing, or be answered in a later turn."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

from resume_gate.sessions.background import asks_for_background, leaves_behind
from resume_gate.sessions.making import Maker, unix_ms


class At(NamedTuple):
    """Where in a session something stands: its row, its turn and its time."""

    row: str
    turn: str
    ts: float


class _Call(Struct, gc=False):
    turn: str
    step: str
    call_id: str
    name: str
    has_id: bool
    ends: bool
    answered: bool = False


class Links:
    """Adds calls and results to a ``Maker``, each result to the call that it answers.

    A call id is unique in one step, that is in one response of the model. A result is for the latest call of its id, so
    a second one never settles an older call that was left open. Without an id it is for the first unanswered call
    of its name, in the latest step that has one.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._calls: list[_Call] = []
        self._by_id: dict[str, _Call] = {}
        self._places: set[tuple[str, str]] = set()

    def call(self, at: At, step: str, call_id: str | None, name: str, args: Any) -> str:
        """Add a call; return its event's id."""
        key = call_id or f"unnamed-{len(self._calls) + 1}"
        ends = not (leaves_behind(args) or asks_for_background(args))
        call = _Call(self._turn(at.turn, step, key), step, key, name, call_id is not None, ends)
        self._calls.append(call)
        if call_id is not None:
            self._by_id[key] = call
        self._places.add((call.turn, key))
        return self._maker.call(at.row, call.turn, at.ts, key, name, plain(args))

    def _turn(self, turn: str, step: str, key: str) -> str:
        before = self._by_id.get(key)
        if before is not None and before.step == step:
            return before.turn  # twice in one step: which of the two ran, nobody knows
        return f"{turn} {step}" if (turn, key) in self._places else turn

    def result(
        self, at: At, call_id: str | None, name: str | None, value: Any, *, is_error: bool = False
    ) -> str | None:
        """Add a result; return its event's id, or ``None`` where what its call started goes on."""
        call = self._answered(call_id, name)
        if call is None:
            return self.orphan(at, call_id, name, value)
        call.answered = True
        if not call.ends:
            return None
        shown = name or call.name
        return self._maker.result(at.row, call.turn, at.ts, call.call_id, shown, plain(value), is_error=is_error)

    def stand_in(self, at: At, call_id: str | None, name: str | None, value: Any) -> None:
        """Take what stands where a result should: its call stays open; without a call it is an orphan."""
        if self._answered(call_id, name) is None:
            self.orphan(at, call_id, name, value)

    def orphan(self, at: At, call_id: str | None, name: str | None, value: Any) -> str:
        """Add a result without a call, which makes the session corrupt."""
        turn = f"{at.turn} {at.row}"  # a turn of its own, so that it can meet no call
        return self._maker.result(at.row, turn, at.ts, call_id or "unnamed", name or "unknown", plain(value))

    def _answered(self, call_id: str | None, name: str | None) -> _Call | None:
        if call_id is not None and call_id in self._by_id:
            return self._by_id[call_id]
        waiting = [call for call in self._calls if call.name == name and not call.answered]
        if call_id is not None:
            waiting = [call for call in waiting if not call.has_id]
        return next((call for call in waiting if call.step == waiting[-1].step), None)


def id_of(value: Any) -> str | None:
    """Return an id as text; ``None`` where there is none."""
    return None if value is None or value == "" else str(value)


def name_of(value: Any, other: str = "unknown") -> str:
    """Return a name as text, or the other one where there is none."""
    return id_of(value) or other


def when(stamp: Any) -> float:
    """Return a row's time in finite Unix milliseconds; a time without a zone is UTC, as these stores write it."""
    milliseconds = unix_ms(_zoned(stamp))
    return milliseconds if math.isfinite(milliseconds) else 0


def _zoned(stamp: Any) -> Any:
    if not isinstance(stamp, str):
        return stamp
    try:
        zone = datetime.fromisoformat(stamp).tzinfo
    except ValueError:
        return 0
    return stamp if zone else f"{stamp}+00:00"


def words_of(content: Any) -> str:
    """Return the words of a message's content: a text, or a list of blocks of which some are texts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    words = [block.get("text") if isinstance(block, dict) else block for block in content]
    return "\n".join(word for word in words if isinstance(word, str))


def plain(value: Any) -> Any:
    """Return a value as strict JSON can hold it; what it cannot hold as text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | int | float) else str(value)
