"""Which lane an event is in, and whether its envelope fits that lane (contract section 4, rule 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from resume_gate.events import (
    Actions,
    FunctionCall,
    FunctionResponse,
    Refs,
    RuntimeEvent,
)

Lane = Literal["function_call", "function_response", "tool_dispatch", "tool_recovery"]
"""The contract's lanes; its two recovery lanes share one envelope, and a decoded fact knows which it is."""


def _size(part: Struct) -> int:
    """Return how many of a part's optional keys are there."""
    values = astuple(part)
    return len(values) - values.count(UNSET)


def _only_state_delta(actions: Actions, fits: Callable[[dict[str, Any]], bool]) -> bool:
    delta = actions.state_delta
    return delta is not UNSET and _size(actions) == 1 and fits(delta)


def _describes_call(delta: dict[str, Any]) -> bool:
    known = delta.keys() <= {"activityKind", "displayName", "intent"}
    return bool(delta) and known and all(bytes(value)[:1] == b'"' for value in delta.values())


def _times_response(delta: dict[str, Any]) -> bool:
    text = bytes(delta["durationMs"]) if delta.keys() == {"durationMs"} else b""
    return text[:1] in b"-0123456789" and text != b"" and math.isfinite(float(text))


def _is_system_fact(event: RuntimeEvent) -> bool:
    alone = event.content is UNSET and event.actions is not UNSET and _size(event.actions) == 1
    return alone and event.role == "system" and event.author == "system"


def _has_parents(refs: Refs) -> bool:
    return refs.parent_tool_call_id is not UNSET and refs.parent_operation_id is not UNSET


def _names_operation(refs: Refs | UnsetType, *, may_have_parents: bool) -> bool:
    if refs is UNSET or refs.operation_id is UNSET or refs.tool_call_id is UNSET:
        return False
    return _size(refs) == (4 if may_have_parents and _has_parents(refs) else 2)


def _call_fits(event: RuntimeEvent) -> bool:
    described = event.actions is UNSET or _only_state_delta(event.actions, _describes_call)
    return event.role == "model" and event.author == "agent" and described


def _response_fits(event: RuntimeEvent) -> bool:
    timed = event.actions is UNSET or _only_state_delta(event.actions, _times_response)
    return event.role == "tool" and event.author == "tool" and timed


def _dispatch_fits(event: RuntimeEvent) -> bool:
    return _is_system_fact(event) and _names_operation(event.refs, may_have_parents=True)


def _recovery_fits(event: RuntimeEvent) -> bool:
    return _is_system_fact(event) and _names_operation(event.refs, may_have_parents=False)


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
