"""Makes RuntimeEvents of a foreign session's rows, legal ones only where the rows are."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from msgspec import UNSET, Raw

from resume_gate.events.event import Content, FunctionCall, FunctionResponse, RuntimeEvent, Text

NOT_RUN = {"outcome": "not_executed", "note": "The session proves that this call was never run."}


class Maker:
    """Collects the events of one session, in file order.

    ``turn`` names what call ids are unique in: it becomes invocation and turn id, so a call id that comes again in
    another turn is another call.
    """

    def __init__(self, session_id: str) -> None:
        self.events: list[RuntimeEvent] = []
        self._session_id = session_id or "unnamed"
        self._names: dict[str, int] = {}

    def user(self, row: str, turn: str, ts: float, text: str) -> str:
        """Add what the user said; return the event's id."""
        return self._add(row, turn, ts, "user", "user", Text(text=text))

    def model(self, row: str, turn: str, ts: float, text: str) -> str:
        """Add what the model said; return the event's id."""
        return self._add(row, turn, ts, "model", "agent", Text(text=text))

    def call(self, row: str, turn: str, ts: float, call_id: str, name: str, args: Any) -> str:
        """Add a call; return the event's id."""
        return self._add(row, turn, ts, "model", "agent", FunctionCall(id=call_id, name=name, args=_raw(args)))

    def result(
        self, row: str, turn: str, ts: float, call_id: str, name: str, result: Any, *, is_error: bool = False
    ) -> str:
        """Add a result that really is one; return the event's id."""
        content = FunctionResponse(id=call_id, name=name, result=_raw(result), is_error=True if is_error else UNSET)
        return self._add(row, turn, ts, "tool", "tool", content)

    def end(self, row: str, turn: str, ts: float, status: str) -> str:
        """Add the end of a turn (``completed failed aborted cancelled``); return the event's id."""
        return self._add(row, turn, ts, "system", "host", UNSET, status=status)

    def _add(self, row: str, turn: str, ts: float, role: Any, author: Any, content: Content | Any, **more: Any) -> str:
        count = self._names[row] = self._names.get(row, 0) + 1
        name = row if count == 1 else f"{row}#{count}"
        event = RuntimeEvent(
            id=name,
            invocation_id=turn or "turn",
            run_id=self._session_id,
            session_id=self._session_id,
            turn_id=turn or "turn",
            ts=ts,
            partial=False,
            role=role,
            author=author,
            content=content,
            **more,
        )
        self.events.append(event)
        return name


def _raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())


def unix_ms(stamp: Any) -> float:
    """Return a row's time in Unix milliseconds, from ISO text, seconds or milliseconds; 0 where there is none."""
    if isinstance(stamp, str):
        try:
            return datetime.fromisoformat(stamp).timestamp() * 1000
        except ValueError:
            return 0
    if isinstance(stamp, int | float) and not isinstance(stamp, bool):
        return stamp * 1000 if abs(stamp) < 1e11 else stamp  # noqa: PLR2004 - in seconds that is the year 5138
    return 0
