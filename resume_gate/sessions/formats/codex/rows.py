"""The rows of a Codex rollout, as far as they matter, and the kinds of them that are known."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from resume_gate.sessions.rows import Loose, name_of

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
TYPES = frozenset(
    {"session_meta", "turn_context", "event_msg", "response_item", "compacted", "world_state", "token_usage_record"}
)
_BESIDE = frozenset(
    {
        *("message", "reasoning", "additional_tools", "web_search_call", "image_generation_call", "ghost_snapshot"),
        *("compaction", "compaction_summary", "compaction_trigger", "context_compaction", "configuration_update"),
    }
)
"""Items that are no call, or one of the service's own, which acts on nothing here."""


class Row(Struct):
    """A row and its payload: rows of the first versions are their own payload."""

    timestamp: Any = None
    type: Any = None
    payload: Row | Loose = None
    ordinal: Any = None
    id: Any = None
    instructions: Any = None
    cli_version: Any = None
    turn_id: Any = None
    role: Any = None
    content: Any = None
    name: Any = None
    namespace: Any = None
    call_id: Any = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    result: Any = None
    item: Any = None
    message: Any = None


def is_call(item: Row) -> bool:
    """Tell whether an item is a call; one of an unknown kind is, where it has a call's id and no output's name."""
    kind = name_of(item.type)
    return kind in CALLS or (_is_new(item) and not kind.endswith("_output"))


def is_output(item: Row) -> bool:
    """Tell whether an item is a call's output."""
    return name_of(item.type) in OUTPUTS or (_is_new(item) and name_of(item.type).endswith("_output"))


def _is_new(item: Row) -> bool:
    return item.call_id is not None and name_of(item.type) not in _BESIDE


def is_known(item: Row) -> bool:
    """Tell whether it is known what an item is."""
    return name_of(item.type) in CALLS | OUTPUTS | _BESIDE or item.call_id is not None
