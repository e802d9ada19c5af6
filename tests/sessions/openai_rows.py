"""Builds small sessions of the OpenAI Agents SDK, item by item."""

from __future__ import annotations

import sqlite3
from typing import Any

from tests.sessions.stores import Fill, Row, text

_TABLES = """
CREATE TABLE IF NOT EXISTS agent_sessions (session_id TEXT PRIMARY KEY, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE IF NOT EXISTS agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    message_data TEXT NOT NULL, created_at TIMESTAMP);
"""


class Chat:
    """A session under construction; every method but the last adds items and returns the session."""

    def __init__(self) -> None:
        self.items: list[tuple[int, Any]] = []
        self.second = 0

    def item(self, **data: Any) -> Chat:
        """Add an item of any type."""
        self.items.append((self.second, data))
        return self

    def asks(self) -> Chat:
        """Add a question."""
        return self.item(role="user", content="charge order 7")

    def says(self, **keys: Any) -> Chat:
        """Add an answer in words."""
        content = [{"type": "output_text", "text": "Done.", "annotations": []}]
        return self.item(**{"type": "message", "role": "assistant", "status": "completed", "content": content, **keys})

    def calls(self, *call_ids: str | None) -> Chat:
        """Add these calls."""
        for call_id in call_ids:
            self.item(type="function_call", call_id=call_id, name="pay", arguments='{"order": 7}', status="completed")
        return self

    def outputs(self, *call_ids: str | None, output: Any = "paid", **keys: Any) -> Chat:
        """Add the outputs of these calls."""
        for call_id in call_ids:
            self.item(type="function_call_output", call_id=call_id, output=output, **keys)
        return self

    def later(self, seconds: int) -> Chat:
        """Let time go by before the next item is stored."""
        self.second += seconds
        return self

    def fill(self, session: str = "s1", index: str = "id") -> Fill:
        """Return what writes the session into a database; an old SDK has its index on ``created_at``."""
        items = tuple(self.items)

        def write(connection: sqlite3.Connection) -> None:
            connection.executescript(_TABLES)
            connection.execute(f"CREATE INDEX IF NOT EXISTS by_session ON agent_messages (session_id, {index})")
            connection.execute("INSERT INTO agent_sessions VALUES (?, '', '')", (session,))
            for second, item in items:
                stamp = f"2026-11-01 10:00:{second:02d}"
                row = (session, text(item), stamp)
                connection.execute(
                    "INSERT INTO agent_messages (session_id, message_data, created_at) VALUES (?, ?, ?)", row
                )

        return write


def hosted(kind: str = "mcp_call", **keys: Any) -> Row:
    """Build a call that the provider runs itself."""
    return {"type": kind, "id": "h", "name": "pay", "arguments": "{}", **keys}


def clean() -> Chat:
    """Return a session with one settled call and an answer."""
    return Chat().asks().calls("a").outputs("a").says()
