"""The rows of a Claude Code session file, as far as they matter, and the types of them that are known."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from resume_gate.sessions.formats.claude_code.results import ToolUseResult
from resume_gate.sessions.rows import Loose

KNOWN = frozenset(
    {
        *("user", "assistant", "system", "summary", "attachment", "progress", "queue-operation", "last-prompt", "mode"),
        *("permission-mode", "file-history-snapshot", "content-replacement", "tools-used", "cost-state"),
        *("api-request", "api-request-blob", "api-request-shape"),
    }
)
"""Types of rows in which no call stands that is not in a row of its own as well."""


class Message(Struct):
    """What was said: by the user, the model, or a tool."""

    id: Any = None
    model: Any = None
    content: Any = None
    stop_reason: Any = None


class Attachment(Struct):
    """What the program added to a prompt."""

    type: Any = None
    prompt: Any = None


class Origin(Struct):
    """Where a prompt came from."""

    kind: Any = None


class Compaction(Struct):
    """Why a conversation was shortened."""

    trigger: Any = None


class Row(Struct, rename="camel"):
    """One row of any type."""

    type: Any = None
    subtype: Any = None
    uuid: Any = None
    parent_uuid: Any = None
    leaf_uuid: Any = None
    session_id: Any = None
    agent_id: Any = None
    timestamp: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_api_error_message: Any = None
    made_by: Any = None
    message: Message | Loose = None
    tool_use_result: ToolUseResult | Loose = None
    tool_denial_kind: Any = None
    origin: Origin | Loose = None
    prompt_source: Any = None
    attachment: Attachment | Loose = None
    compact_metadata: Compaction | Loose = None
    content: Any = None
    tools: Any = None
    id: Any = None
    query_source: Any = None
    request_ref: Any = None
    payload: Any = None
