"""Builds small Codex rollouts, row by row."""

from __future__ import annotations

import json
from typing import Any

from tests.sessions.verdicts import Row, jsonl

SHELL = {"cmd": "./charge 7"}
DONE = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"
RUNS = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n"
SCRIPT_DONE = "Script completed\nWall time 0.2 seconds\nOutput:\n"


class Rollout:
    """A rollout under construction; every method adds a row and returns the rollout."""

    def __init__(self, version: str = "0.171.0") -> None:
        self.rows: list[Row] = []
        self.row("session_meta", id="s-1", cli_version=version, cwd="/w")

    def row(self, kind: str, **payload: Any) -> Rollout:
        """Add a row of any type."""
        stamp = f"2026-11-01T10:00:{len(self.rows):02d}.000Z"
        self.rows.append({"timestamp": stamp, "type": kind, "payload": payload})
        return self

    def item(self, kind: str, **payload: Any) -> Rollout:
        """Add something of the conversation."""
        return self.row("response_item", type=kind, **payload)

    def event(self, kind: str, **payload: Any) -> Rollout:
        """Add something that happened."""
        return self.row("event_msg", type=kind, **payload)

    def asks(self, text: str = "charge order 7", turn: str = "t1") -> Rollout:
        """Add the start of a turn and what the user says."""
        self.event("task_started", turn_id=turn)
        return self.item("message", role="user", content=[{"type": "input_text", "text": text}])

    def says(self, turn: str = "t1") -> Rollout:
        """Add a last answer and the end of the turn."""
        self.item("message", role="assistant", content=[{"type": "output_text", "text": "Done."}])
        return self.event("task_complete", turn_id=turn)

    def calls(self, call_id: str | None, args: Any = None, name: str = "exec_command") -> Rollout:
        """Add a call."""
        return self.item("function_call", name=name, call_id=call_id, arguments=json.dumps(args or SHELL))

    def output(self, call_id: str | None, output: Any = DONE) -> Rollout:
        """Add a call's output."""
        return self.item("function_call_output", call_id=call_id, output=output)

    def script(self, call_id: str, text: str, output: Any = None) -> Rollout:
        """Add a script of code mode, and its output where there is one."""
        self.item("custom_tool_call", name="exec", call_id=call_id, input=text)
        if output is None:
            return self
        parts = [{"type": "input_text", "text": part} for part in ([output] if isinstance(output, str) else output)]
        return self.item("custom_tool_call_output", call_id=call_id, output=parts)

    def ran(self, item_id: str, command: str = "./charge 7", code: int | None = 0, process: str = "42") -> Rollout:
        """Add that a command ended."""
        item = {"type": "CommandExecution", "id": item_id, "process_id": process, "status": "completed"}
        return self.event("item_completed", item={**item, "command": ["/bin/bash", "-lc", command], "exit_code": code})

    def data(self) -> bytes:
        """Return the file's bytes."""
        return jsonl(*self.rows)


def clean() -> Rollout:
    """Build a rollout whose one call ended and was answered."""
    return Rollout().asks().calls("a").ran("a").output("a").says()
