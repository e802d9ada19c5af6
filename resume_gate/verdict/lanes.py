"""Which lane an event is in, and whether its envelope fits that lane (contract section 4, rule 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from msgspec import UNSET
from msgspec.structs import astuple

from resume_gate.events.event import Actions, FunctionCall, FunctionResponse, Refs, RuntimeEvent

Lane = Literal["function_call", "function_response", "tool_dispatch", "tool_recovery", "conflict"]
"""The contract's lanes, and ``conflict`` for an event in two or in a wrong envelope.

Its two recovery lanes share one envelope, and a decoded fact knows which it is.
"""

_ABSENT_BESIDE_ACTION = len(Actions.__struct_fields__) - 1
_ABSENT_BESIDE_REFS = len(Refs.__struct_fields__) - 2


def _is_only_action(actions: Actions) -> bool:
    return astuple(actions).count(UNSET) == _ABSENT_BESIDE_ACTION


def _describes_call(_event: RuntimeEvent, actions: Actions) -> bool:
    delta = actions.state_delta
    if delta is UNSET or not delta or not _is_only_action(actions):
        return False
    known = delta.keys() <= {"activityKind", "displayName", "intent"}
    return known and all(bytes(value)[:1] == b'"' for value in delta.values())


def _times_response(_event: RuntimeEvent, actions: Actions) -> bool:
    delta = actions.state_delta
    if delta is UNSET or delta.keys() != {"durationMs"} or not _is_only_action(actions):
        return False
    text = bytes(delta["durationMs"])
    return text[:1] in b"-0123456789" and text != b"" and math.isfinite(float(text))


def _has_parents(refs: Refs) -> bool:
    return refs.parent_tool_call_id is not UNSET and refs.parent_operation_id is not UNSET


def _states_fact(event: RuntimeEvent, actions: Actions) -> bool:
    refs = event.refs
    if event.content is not UNSET or refs is UNSET or refs.operation_id is UNSET or refs.tool_call_id is UNSET:
        return False
    absent = astuple(refs).count(UNSET)
    if absent != _ABSENT_BESIDE_REFS and actions.tool_dispatch is not UNSET and _has_parents(refs):
        absent += 2
    return absent == _ABSENT_BESIDE_REFS and _is_only_action(actions)


# Role, author, and what an event of the lane may be if it has actions.
_ENVELOPES: dict[Lane, tuple[str, str, Callable[[RuntimeEvent, Actions], bool]]] = {
    "function_call": ("model", "agent", _describes_call),
    "function_response": ("tool", "tool", _times_response),
    "tool_dispatch": ("system", "system", _states_fact),
    "tool_recovery": ("system", "system", _states_fact),
}
_LANE_OF_CONTENT: dict[type, Lane] = {FunctionCall: "function_call", FunctionResponse: "function_response"}


def lane_of(event: RuntimeEvent) -> Lane | None:
    """Return the event's lane; ``None`` outside all of them."""
    lane = _LANE_OF_CONTENT.get(type(event.content))
    actions = event.actions
    if actions is not UNSET:
        dispatch, recovery = actions.tool_dispatch is not UNSET, actions.tool_recovery is not UNSET
        if dispatch or recovery:
            if lane is not None or (dispatch and recovery):
                return "conflict"
            lane = "tool_dispatch" if dispatch else "tool_recovery"
    if lane is None:
        return None
    role, author, fits = _ENVELOPES[lane]
    plain = not event.partial and event.status is UNSET and event.branch is UNSET
    if plain and event.role == role and event.author == author and (actions is UNSET or fits(event, actions)):
        return lane
    return "conflict"
