"""What a tool output in a Codex rollout really says: an end, that it was aborted, or that something still runs."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from resume_gate.sessions.background import says_running
from resume_gate.sessions.rows import text_of

_SECONDS = r"[\d.]+ ?s(?:econds)?"
# The agent writes these for a call that it gave up or that was not allowed to go on; the tool may have acted before.
_STAND_IN = re.compile(
    rf"\s*(?:Wall time: {_SECONDS}\s+)?(?:"
    rf"aborted(?: by (?:the )?user)?(?: after {_SECONDS})?\s*$"
    r"|(?:[\w ]{0,40} )?rejected by (?:the )?user\b"
    r"|user (?:rejected|cancelled|declined)\b"
    r"|[^\n]{0,400}?\bRejected\("
    r"|This action was rejected\b"
    r"|Script terminated\b)",
)
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_SESSION = re.compile(r"^Process running with session ID (\S+)", re.MULTILINE)
_CELL = re.compile(r"^Script running with cell ID (\S+)", re.MULTILINE)
_NO_CELL = re.compile(r"\bcell \S+ not found")
_AGENT = re.compile(r'"agent_id"\s*:\s*"([^"]+)"')
_AGENT_DONE = re.compile(r'"([^"]+)"\s*:\s*\{\s*"completed"\s*:')
_BODY = re.compile(r"^(?:Output|Final output):", re.MULTILINE)


class Output(NamedTuple):
    """What an output says. ``waits_for`` names what still runs; without it and ``stand_in`` it is an outcome."""

    stand_in: bool = False
    waits_for: frozenset[str] = frozenset()
    exit_code: int | None = None
    failed: bool = False
    ends_cell: bool = False

    @property
    def is_error(self) -> bool:
        """Whether the tool says that it failed."""
        return self.failed or self.exit_code not in (None, 0)


def read_output(output: Any) -> Output:
    """Read the ``output`` of an output row, in any of its forms."""
    text, failed = text_and_failure(output)
    head = _head(text)
    if _STAND_IN.match(text):
        return Output(stand_in=True)
    running = {f"session:{found}" for found in _SESSION.findall(head)} | {f"cell:{id_}" for id_ in _CELL.findall(head)}
    if not running and says_running(text, at_start=True):
        running = {"unnamed"}
    exited = _EXIT.search(head)
    code = int(exited[1]) if exited else _old_exit_code(text)
    script_failed = text.startswith("Script failed")
    # A resumed agent does not know the cells of the one that died: that says nothing about how they ended.
    ends_cell = text.startswith("Script completed") or (script_failed and _NO_CELL.search(text) is None)
    return Output(waits_for=frozenset(running), exit_code=code, failed=failed or script_failed, ends_cell=ends_cell)


def text_and_failure(output: Any) -> tuple[str, bool]:
    """Return the words of an output in any of its forms, and whether it is marked as failed."""
    if isinstance(output, dict):
        content = output.get("content")
        return (content if isinstance(content, str) else text_of(content)), output.get("success") is False
    return text_of(output), False


def agents_in(output: Any) -> frozenset[str]:
    """Return the agents that an output started: each acts in a rollout of its own, and goes on after it."""
    found = _AGENT.findall(text_and_failure(output)[0])
    return frozenset(f"agent:{agent}" for agent in found) or frozenset({"unnamed"})


def agents_done_in(output: Any) -> list[str]:
    """Return the agents that an output says have completed what they were asked for."""
    return [f"agent:{agent}" for agent in _AGENT_DONE.findall(text_and_failure(output)[0])]


def _head(text: str) -> str:
    body = _BODY.search(text)
    return text if body is None else text[: body.start()]


def _old_exit_code(text: str) -> int | None:
    """Read the exit code of an older shell's output, which is a JSON object with metadata."""
    if not text.startswith("{"):
        return None
    try:
        code = json.loads(text)["metadata"]["exit_code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return code if isinstance(code, int) and not isinstance(code, bool) else None
