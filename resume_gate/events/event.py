"""RuntimeEvent, the one fact of a ledger, as contract section 2 gives it.

Keys are snake_case here and camelCase in a row. An optional key that is absent is ``UNSET``; ``null`` is refused.
JSON that the contract does not interpret stays the text it was (``msgspec.Raw``), so no reader rounds or reorders it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

_MAX_DOUBLE = 1.7976931348623157e308

Id = Annotated[str, Meta(min_length=1)]
Digest = Annotated[str, Meta(pattern=r"^sha256:[0-9a-f]{64}\Z")]
# Wider integers go the careful way, where they become the double that an ECMAScript reader sees.
Number = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | Annotated[float, Meta(ge=-_MAX_DOUBLE, le=_MAX_DOUBLE)]
JsonObject = dict[str, Raw]
TOOL_BOUNDARY: Literal["t1_after_preflight_v1"] = "t1_after_preflight_v1"
"""The protocol under which T1 is committed before a tool runs, so that a call without T1 never ran."""

RecoveryMode = Literal["replay_safe", "idempotent", "reconcile", "reattach", "outcome_unknown", "never_auto_retry"]
Observation = Literal["matches_expected_state", "matches_prior_state", "diverged", "unreadable"]


class _Strict(Struct, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True, gc=False):
    """What every part of a row shares: camelCase keys, unknown ones refused, no cycle for the collector to find."""


class Text(_Strict, frozen=True, tag_field="kind", tag="text"):
    """Words of a user, a model or the host."""

    text: str
    display_text: str | UnsetType = UNSET
    attachments: list[Raw] | UnsetType = UNSET
    quotes: list[Raw] | UnsetType = UNSET
    inline_references: list[Raw] | UnsetType = UNSET
    origin: str | UnsetType = UNSET
    steering: bool | UnsetType = UNSET
    provider_options: JsonObject | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.steering is False:
            raise ValueError("steering is true or absent")


class Thinking(_Strict, frozen=True, tag_field="kind", tag="thinking"):
    """A model's reasoning."""

    text: str
    signature: str | UnsetType = UNSET
    provider_options: JsonObject | UnsetType = UNSET


class FunctionCall(_Strict, frozen=True, tag_field="kind", tag="function_call"):
    """The model asks for a tool; ``args`` is the JSON text it gave."""

    id: str
    name: str
    args: Raw
    provider_options: JsonObject | UnsetType = UNSET
    provider_executed: bool | UnsetType = UNSET


class FunctionResponse(_Strict, frozen=True, tag_field="kind", tag="function_response"):
    """T2: the tool ended like this; ``result`` is JSON text."""

    id: str
    name: str
    result: Raw
    is_error: bool | UnsetType = UNSET
    provider_executed: bool | UnsetType = UNSET
    provider_output: Raw | UnsetType = UNSET


class ErrorContent(_Strict, frozen=True, tag_field="kind", tag="error"):
    """Something failed outside a tool."""

    message: str
    code: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    details: list[str] | JsonObject | UnsetType = UNSET


Content = Text | Thinking | FunctionCall | FunctionResponse | ErrorContent


class RuntimeProtocol(_Strict, frozen=True):
    """The marker on a ledger's first event: its writer commits T1 before a tool runs."""

    tool_boundary: Literal["t1_after_preflight_v1"]


class ToolDispatch(_Strict, frozen=True):
    """T1: the tool may have started."""

    protocol: Literal["t1_after_preflight_v1"]
    operation_id: str
    provider_tool_call_id: str
    tool_name: str
    canonical_args_hash: str
    recovery_mode: RecoveryMode


class ReconcilePayload(_Strict, frozen=True):
    """What a look at the world found."""

    protocol: Literal["tool_reconcile_v1"]
    operation_id: Id
    observation: Observation
    observation_schema: Literal["state_identity_v1"]
    observation_digest: Digest


class _Evidence(_Strict, frozen=True):
    protocol: Literal["tool_recovery_v1"]
    operation_id: Id
    evidence_event_ids: Annotated[list[Id], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if len(set(self.evidence_event_ids)) != len(self.evidence_event_ids):
            raise ValueError("evidenceEventIds repeats an id")


class CompletedPayload(_Evidence, frozen=True, tag_field="disposition", tag="completed"):
    """The recovery found the expected state and names the outcome's event."""

    reason_code: Literal["reconcile_matches_expected_state"]
    outcome_event_id: Id


class ParkedPayload(_Evidence, frozen=True, tag_field="disposition", tag="parked"):
    """The recovery could not settle the operation."""

    reason_code: Literal["reconcile_matches_prior_state", "reconcile_diverged", "reconcile_unreadable"]


class ReconcileResult(_Strict, frozen=True, tag_field="kind", tag="maka.tool.reconcile_result"):
    """The first fact of a recovery bundle."""

    version: Literal[1]
    payload: ReconcilePayload


class RecoveryDecision(_Strict, frozen=True, tag_field="kind", tag="maka.tool.recovery_decision"):
    """The last fact of a recovery bundle."""

    version: Literal[1]
    payload: CompletedPayload | ParkedPayload


class Actions(_Strict, frozen=True):
    """What an event does beside its content."""

    state_delta: JsonObject | UnsetType = UNSET
    artifact_delta: dict[str, str | bool | Number] | UnsetType = UNSET
    permission_request: JsonObject | UnsetType = UNSET
    permission_decision: JsonObject | UnsetType = UNSET
    permission_answer_accepted: JsonObject | UnsetType = UNSET
    permission_closure_accepted: JsonObject | UnsetType = UNSET
    user_question_request: JsonObject | UnsetType = UNSET
    user_question_answer_accepted: JsonObject | UnsetType = UNSET
    transfer_to_agent: str | UnsetType = UNSET
    end_invocation: bool | UnsetType = UNSET
    token_usage: JsonObject | UnsetType = UNSET
    tool_dispatch: ToolDispatch | UnsetType = UNSET
    tool_recovery: ReconcileResult | RecoveryDecision | UnsetType = UNSET
    runtime_protocol: RuntimeProtocol | UnsetType = UNSET
    continuation_start: JsonObject | UnsetType = UNSET
    workspace_fact: JsonObject | UnsetType = UNSET


class Refs(_Strict, frozen=True):
    """Names of things elsewhere that the event is about."""

    stored_message_id: str | UnsetType = UNSET
    trace_event_id: str | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET
    provider_event_id: str | UnsetType = UNSET
    source_message_digest: Digest | UnsetType = UNSET
    provider_request_trace_id: str | UnsetType = UNSET
    artifact_id: str | UnsetType = UNSET
    operation_id: str | UnsetType = UNSET
    parent_tool_call_id: str | UnsetType = UNSET
    parent_operation_id: str | UnsetType = UNSET
    step_id: str | UnsetType = UNSET
    source_invocation_id: str | UnsetType = UNSET
    source_run_id: str | UnsetType = UNSET
    source_turn_id: str | UnsetType = UNSET
    source_runtime_event_high_water: Annotated[int, Meta(ge=0)] | UnsetType = UNSET


class RuntimeEvent(_Strict, frozen=True):
    """One row of a ledger; ``ts`` is in Unix milliseconds."""

    id: Id
    invocation_id: Id
    run_id: Id
    session_id: Id
    turn_id: Id
    ts: Number
    partial: bool
    role: Literal["user", "model", "tool", "system"]
    author: Literal["user", "host", "agent", "tool", "system"]
    branch: str | UnsetType = UNSET
    origin: Literal["provider", "code_mode"] | UnsetType = UNSET
    model_visibility: Literal["visible", "hidden"] | UnsetType = UNSET
    status: Literal["streaming", "completed", "failed", "aborted", "cancelled"] | UnsetType = UNSET
    content: Content | UnsetType = UNSET
    actions: Actions | UnsetType = UNSET
    refs: Refs | UnsetType = UNSET

    @property
    def hidden(self) -> bool:
        """Whether the model never sees this event."""
        return self.model_visibility == "hidden"

    @property
    def visible(self) -> bool:
        """Whether the model sees this event, whole."""
        return not self.partial and self.model_visibility != "hidden"

    @property
    def execution_identity(self) -> tuple[str, str, str, str]:
        """Session, invocation, run and turn: who executed it."""
        return (self.session_id, self.invocation_id, self.run_id, self.turn_id)


def call_of(event: RuntimeEvent | None) -> FunctionCall:
    """Return the call of an event in the ``function_call`` lane."""
    return event.content  # type: ignore[union-attr, return-value]


def response_of(event: RuntimeEvent) -> FunctionResponse:
    """Return the response of an event in the ``function_response`` lane."""
    return event.content  # type: ignore[return-value]


def dispatch_of(event: RuntimeEvent) -> ToolDispatch:
    """Return the T1 of an event in the ``tool_dispatch`` lane."""
    return event.actions.tool_dispatch  # type: ignore[union-attr, return-value]


def recovery_of(event: RuntimeEvent) -> ReconcileResult | RecoveryDecision:
    """Return the recovery fact of an event in one of the recovery lanes."""
    return event.actions.tool_recovery  # type: ignore[union-attr, return-value]
