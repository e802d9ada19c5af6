"""Builds small histories of pydantic-ai, message by message."""

from __future__ import annotations

import json
from typing import Any

from tests.sessions.stores import Row

_STAMP = "2026-11-01T10:00:00Z"


class History:
    """A history under construction; every method but the last adds a message and returns the history."""

    def __init__(self) -> None:
        self.messages: list[Row] = []

    def message(self, kind: str, *parts: Row, **keys: Any) -> History:
        """Add a message of these parts."""
        made = {"kind": kind, "parts": list(parts), "timestamp": _STAMP, "state": "complete"}
        self.messages.append({**made, "conversation_id": "c-1", **keys})
        return self

    def asks(self) -> History:
        """Add a question."""
        return self.message("request", {"part_kind": "user-prompt", "content": "charge order 7", "timestamp": _STAMP})

    def says(self, **keys: Any) -> History:
        """Add an answer in words."""
        return self.message("response", {"part_kind": "text", "content": "Done."}, **keys)

    def calls(self, *call_ids: str | None, kind: str = "tool-call") -> History:
        """Add a response that asks for these calls."""
        call = {"part_kind": kind, "tool_name": "pay", "args": {"order": 7}}
        return self.message("response", *({**call, "tool_call_id": call_id} for call_id in call_ids))

    def returns(self, *call_ids: str | None, **keys: Any) -> History:
        """Add a request with what these calls returned."""
        made = {"part_kind": "tool-return", "tool_name": "pay", "content": "paid", "outcome": "success"}
        return self.message("request", *({**made, "tool_call_id": call_id, **keys} for call_id in call_ids))

    def data(self) -> bytes:
        """Return the file's bytes."""
        return json.dumps(self.messages).encode()


def clean() -> History:
    """Return a history with one settled call and an answer."""
    return History().asks().calls("a").returns("a").says()
