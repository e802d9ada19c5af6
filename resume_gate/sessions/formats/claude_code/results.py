"""What a tool result in a Claude Code session really says: an outcome, a stand-in for one, or that the work goes on."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from resume_gate.sessions.background import says_running
from resume_gate.sessions.rows import Loose, text_of

Meaning = Literal["outcome", "stand_in", "running"]

_REFUSED_BEFOREHAND = "permission-rule"
_RUNNING = frozenset({"async_launched", "remote_launched", "teammate_spawned", "running", "pending", "queued"})
# The agent writes these for a call of which it has no result, also where the tool had begun to act.
_STAND_IN = re.compile(
    r"\s*(?:<tool_use_error>|Error: )?\s*(?:"
    r"\[Request interrupted by user"
    r"|\[Tool call interrupted"
    r"|\[?Tool result missing"
    r"|The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|Interrupted by user"
    r"|Cancelled: parallel tool call"
    r"|Sibling tool call errored"
    r"|Streaming fallback - tool execution discarded"
    r"|User rejected tool use"
    r")",
    re.IGNORECASE,
)
_ABORTED = re.compile(r"^\[Request interrupted by user|<error>Command was aborted before completion", re.MULTILINE)


class ToolUseResult(Struct, rename="camel"):
    """The keys of a result row's ``toolUseResult`` that tell whether the tool is done."""

    interrupted: Any = None
    background_task_id: Any = None
    is_async: Any = None
    status: Any = None


class Notice(NamedTuple):
    """What a task notification says of a call whose work had been put in the background."""

    call_id: str
    completed: bool
    exit_code: int | None

    def settles(self, *, shell: bool) -> bool:
        """Tell whether the agent saw the end: a resumed one also ends what it lost, but then knows no exit code."""
        return self.exit_code is not None or (self.completed and not shell)

    @property
    def is_error(self) -> bool:
        """Whether the work failed."""
        return not self.completed or self.exit_code not in (None, 0)


def meaning(content: Any, beside: ToolUseResult | Loose, denial: Any, *, is_error: bool) -> Meaning:
    """Tell what a result says.

    ``denial`` is its row's ``toolDenialKind``: a rule or a hook refuses before the tool starts, so that refusal is an
    outcome. Every other kind is also written when a running tool is interrupted.
    """
    text = text_of(content)
    if denial is not None:
        return "outcome" if denial == _REFUSED_BEFOREHAND and not _STAND_IN.match(text) else "stand_in"
    said = text if not isinstance(beside, str) else f"{beside}\n{text}"
    if _STAND_IN.match(text) or _STAND_IN.match(said) or (is_error and _ABORTED.search(text)):
        return "stand_in"
    if isinstance(beside, ToolUseResult):
        return _beside(beside, text)
    return "running" if says_running(text) else "outcome"


def _beside(beside: ToolUseResult, text: str) -> Meaning:
    if beside.interrupted is True:
        return "stand_in"
    launched = beside.is_async is True or (isinstance(beside.status, str) and beside.status in _RUNNING)
    if beside.background_task_id or launched or says_running(text, at_start=True):
        return "running"
    return "outcome"


def notice_of(text: Any) -> Notice | None:
    """Read a task notification; ``None`` where it names no call or is of another kind of end."""
    if not isinstance(text, str) or not text.lstrip().startswith("<task-notification>"):
        return None
    head = re.sub(r'"[^"\n]*"', "", text.partition("<result>")[0])  # the task's own words may say anything
    call = re.search(r"<tool-use-id>([^<]+)</tool-use-id>", head)
    status = re.search(r"<status>(completed|failed)</status>", head)
    if call is None or status is None:
        return None
    code = re.search(r"\bexit code (\d+)", head)
    return Notice(call[1], status[1] == "completed", int(code[1]) if code else None)
