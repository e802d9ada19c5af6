"""Builds small sessions of Google's ADK, event by event."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from tests.sessions.stores import Fill, Row, text

_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (app_name TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL,
    state TEXT NOT NULL, create_time REAL NOT NULL, update_time REAL NOT NULL, PRIMARY KEY (app_name, user_id, id));
CREATE TABLE IF NOT EXISTS events (id TEXT NOT NULL, app_name TEXT NOT NULL, user_id TEXT NOT NULL,
    session_id TEXT NOT NULL, invocation_id TEXT NOT NULL, timestamp REAL NOT NULL, event_data TEXT NOT NULL,
    PRIMARY KEY (app_name, user_id, session_id, id));
"""


class Session:
    """A session under construction; every method but the last ones adds an event and returns the session."""

    def __init__(self) -> None:
        self.events: list[Row] = []
        self.invocation = "i1"

    def event(self, author: str, *parts: Row, **keys: Any) -> Session:
        """Add an event with these parts."""
        number = len(self.events) + 1
        content = {"content": {"role": "user", "parts": list(parts)}} if parts else {}
        made = {"id": f"e{number}", "invocation_id": self.invocation, "author": author, "timestamp": 1.8e9 + number}
        self.events.append({**content, **made, "actions": {}, **keys})
        return self

    def asks(self, invocation: str = "i1") -> Session:
        """Add a question, which opens an invocation."""
        self.invocation = invocation
        return self.event("user", {"text": "charge order 7"})

    def says(self) -> Session:
        """Add an answer in words."""
        return self.event("cashier", {"text": "Done."})

    def calls(self, *call_ids: str | None, long: tuple[str, ...] = (), name: str = "pay") -> Session:
        """Add an event that asks for these calls."""
        calls = [{"name": name, "args": {"order": 7}, **({"id": one} if one else {})} for one in call_ids]
        parts = [{"function_call": call} for call in calls]
        return self.event("cashier", *parts, long_running_tool_ids=list(long))

    def answers(self, *call_ids: str | None, value: Any = None, author: str = "cashier", **keys: Any) -> Session:
        """Add an event that answers these calls."""
        response = {"name": "pay", "response": value or {"result": "paid"}}
        answers = [{**response, **({"id": one} if one else {})} for one in call_ids]
        return self.event(author, *({"function_response": answer} for answer in answers), **keys)

    def fill(self, session: str = "s1", user: str = "u") -> Fill:
        """Return what writes the session into a database."""
        events = tuple(self.events)

        def write(connection: sqlite3.Connection) -> None:
            connection.executescript(_TABLES)
            connection.execute("INSERT INTO sessions VALUES ('app', ?, ?, '{}', 1, 1)", (user, session))
            for number, event in enumerate(events):
                row = (f"{number}", user, session, "i", 1.0, text(event))
                connection.execute("INSERT INTO events VALUES (?, 'app', ?, ?, ?, ?, ?)", row)

        return write

    def json(self) -> list[Row]:
        """Return the events as ADK's own JSON has them, with camelCase keys."""
        return [_camel(event) for event in self.events]


def _camel(value: Any) -> Any:
    if isinstance(value, list):
        return [_camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("_(.)", lambda match: match[1].upper(), key): _camel(item) for key, item in value.items()}


def clean() -> Session:
    """Return a session with one settled call and an answer."""
    return Session().asks().calls("a").answers("a").says()
