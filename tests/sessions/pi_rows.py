"""Builds small pi sessions, entry by entry; each entry's parent is the one before."""

from __future__ import annotations

from typing import Any

from tests.sessions.verdicts import Row, jsonl


class Session:
    """A session under construction; every method adds an entry and returns the session."""

    def __init__(self) -> None:
        self.rows: list[Row] = [{"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-11-01", "cwd": "/w"}]

    def entry(self, kind: str, **keys: Any) -> Session:
        """Add an entry of any type."""
        number = len(self.rows)
        parent = self.rows[-1]["id"] if number > 1 else None
        stamp = f"2026-11-01T10:00:{number:02d}.000Z"
        self.rows.append({"type": kind, "id": f"e{number}", "parentId": parent, "timestamp": stamp, **keys})
        return self

    def asks(self, text: str = "charge order 7", **keys: Any) -> Session:
        """Add what the user says."""
        return self.entry("message", message={"role": "user", "content": text}, **keys)

    def says(self, *blocks: Row, stop: str = "stop") -> Session:
        """Add an answer of the model's."""
        content = list(blocks) or [{"type": "text", "text": "Done."}]
        return self.entry("message", message={"role": "assistant", "content": content, "stopReason": stop})

    def calls(self, *call_ids: str | None, command: str = "./charge 7", stop: str = "toolUse") -> Session:
        """Add an answer that asks for these calls."""
        call = {"type": "toolCall", "name": "bash", "arguments": {"command": command}}
        return self.says(*({**call, "id": call_id} for call_id in call_ids), stop=stop)

    def result(self, call_id: str | None, text: str = "ok", *, error: bool = False) -> Session:
        """Add a tool's result."""
        content = [{"type": "text", "text": text}]
        result = {"role": "toolResult", "toolCallId": call_id, "toolName": "bash", "content": content}
        return self.entry("message", message={**result, "isError": error})

    def data(self) -> bytes:
        """Return the file's bytes."""
        return jsonl(*self.rows)


def clean() -> Session:
    """Build a session whose one call ended and was answered."""
    return Session().asks().calls("a").result("a").says()
