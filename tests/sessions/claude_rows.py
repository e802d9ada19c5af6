"""Builds small Claude Code sessions, row by row; each row's parent is the one before."""

from __future__ import annotations

from typing import Any

from tests.sessions.verdicts import Row, jsonl

ASYNC = {"isAsync": True, "status": "async_launched"}


class Chat:
    """A session under construction; every method adds a row and returns the session."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def row(self, kind: str, **keys: Any) -> Chat:
        """Add a row of any type."""
        number = len(self.rows) + 1
        parent = self.rows[-1]["uuid"] if self.rows else None
        stamp = f"2026-11-01T10:00:{number:02d}.000Z"
        made = {"type": kind, "uuid": f"u{number}", "parentUuid": parent, "sessionId": "s-1", "timestamp": stamp}
        self.rows.append({**made, "isSidechain": False, **keys})
        return self

    def asks(self, text: str = "charge order 7", **keys: Any) -> Chat:
        """Add what the user says."""
        return self.row("user", message={"role": "user", "content": text}, **keys)

    def says(self, *blocks: Row, stop: str | None = "end_turn", message: str = "", **keys: Any) -> Chat:
        """Add an answer of the model's; without a stop reason the response is not over."""
        content = list(blocks) or [{"type": "text", "text": "Done."}]
        answer = {"id": message or f"msg_{len(self.rows) + 1}", "role": "assistant", "model": "m", "content": content}
        return self.row("assistant", message={**answer, "stop_reason": stop}, **keys)

    def calls(self, *call_ids: str | None, args: Row | None = None, name: str = "Bash", **keys: Any) -> Chat:
        """Add a response that asks for these calls."""
        used = {"type": "tool_use", "name": name, "input": args or {"command": "./charge 7"}}
        return self.says(*({**used, "id": call_id} for call_id in call_ids), **{"stop": "tool_use", **keys})

    def result(self, call_id: str | None, content: Any = "ok", *, error: bool = False, **keys: Any) -> Chat:
        """Add a tool's result."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": error}
        return self.row("user", message={"role": "user", "content": [block]}, **keys)

    def resumed(self) -> Chat:
        """Add the answer that the program writes itself when it resumes an unanswered request."""
        stands = {"id": "made-up", "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence"}
        return self.row(
            "assistant", message={**stands, "content": [{"type": "text", "text": "No response requested."}]}
        )

    def data(self) -> bytes:
        """Return the file's bytes."""
        return jsonl(*self.rows)


def clean() -> Chat:
    """Build a session whose one call ended and was answered."""
    return Chat().asks().calls("a").result("a").says()
