"""Which lane an event is in, and whether its envelope fits that lane (contract section 4, rule 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, UnsetType, structs

from resume_gate.events import (
    Actions,
    FunctionCall,
    FunctionResponse,
    Refs,
    RuntimeEvent,
    dispatch_of,
    recovery_of,
)

Lane = Literal["function_call", "function_response", "tool_dispatch", "tool_recovery"]
"""The contract's lanes; its two recovery lanes share one envelope, and a decoded fact knows which it is."""


def _only_state_delta(event: RuntimeEvent, fits: Callable[[dict[str, Any]], bool]) -> bool:
    actions = event.actions
    if actions is UNSET:
        return True
    delta = actions.state_delta
    return delta is not UNSET and actions == Actions(state_delta=delta) and fits(delta)


def _describes_call(delta: dict[str, Any]) -> bool:
    known = delta.keys() <= {"activityKind", "displayName", "intent"}
    return bool(delta) and known and all(bytes(value)[:1] == b'"' for value in delta.values())


def _times_response(delta: dict[str, Any]) -> bool:
    text = bytes(delta["durationMs"]) if delta.keys() == {"durationMs"} else b""
    return text[:1] in b"-0123456789" and text != b"" and math.isfinite(float(text))


def _names_operation(refs: Refs | UnsetType) -> bool:
    if refs is UNSET or refs.operation_id is UNSET or refs.tool_call_id is UNSET:
        return False
    return refs == Refs(operation_id=refs.operation_id, tool_call_id=refs.tool_call_id)


def _without_parents(refs: Refs | UnsetType) -> Refs | UnsetType:
    if refs is UNSET or refs.parent_tool_call_id is UNSET or refs.parent_operation_id is UNSET:
        return refs
    return structs.replace(refs, parent_tool_call_id=UNSET, parent_operation_id=UNSET)


def _is_system_fact(event: RuntimeEvent, only: Actions) -> bool:
    return event.role == "system" and event.author == "system" and event.content is UNSET and event.actions == only


def _call_fits(event: RuntimeEvent) -> bool:
    return event.role == "model" and event.author == "agent" and _only_state_delta(event, _describes_call)


def _response_fits(event: RuntimeEvent) -> bool:
    return event.role == "tool" and event.author == "tool" and _only_state_delta(event, _times_response)


def _dispatch_fits(event: RuntimeEvent) -> bool:
    only = Actions(tool_dispatch=dispatch_of(event))
    return _is_system_fact(event, only) and _names_operation(_without_parents(event.refs))


def _recovery_fits(event: RuntimeEvent) -> bool:
    return _is_system_fact(event, Actions(tool_recovery=recovery_of(event))) and _names_operation(event.refs)


_FITS: dict[Lane, Callable[[RuntimeEvent], bool]] = {
    "function_call": _call_fits,
    "function_response": _response_fits,
    "tool_dispatch": _dispatch_fits,
    "tool_recovery": _recovery_fits,
}
_LANE_OF_CONTENT: dict[type, Lane] = {FunctionCall: "function_call", FunctionResponse: "function_response"}


def _lane_of_actions(actions: Actions) -> Lane | Literal["conflict"] | None:
    if actions.tool_dispatch is UNSET:
        return None if actions.tool_recovery is UNSET else "tool_recovery"
    return "tool_dispatch" if actions.tool_recovery is UNSET else "conflict"


def lane_of(event: RuntimeEvent) -> Lane | Literal["conflict"] | None:
    """Return the event's lane: ``None`` outside all of them, ``conflict`` in two or in a wrong envelope."""
    lane: Lane | Literal["conflict"] | None = _LANE_OF_CONTENT.get(type(event.content))
    if event.actions is not UNSET:
        other = _lane_of_actions(event.actions)
        lane = (lane or other) if lane is None or other is None else "conflict"
    if lane is None or lane == "conflict":
        return lane
    plain = not event.partial and event.status is UNSET and event.branch is UNSET
    return lane if plain and _FITS[lane](event) else "conflict"
