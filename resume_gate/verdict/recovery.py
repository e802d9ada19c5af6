"""Each operation's status and reason, decided once (contract section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from resume_gate.events.event import (
    CompletedPayload,
    Observation,
    ReconcileResult,
    RecoveryDecision,
    RuntimeEvent,
    dispatch_of,
    recovery_of,
    response_of,
)
from resume_gate.verdict.scan import Issue, IssueCode, Operation, Scan, names_operation

Status = Literal["completed", "indeterminate", "definitely_not_dispatched", "parked", "corruption"]
Settlement = Literal["normal_t2", "pre_t1_synthetic", "recovery_bundle"]

_PARKED_REASON: dict[Observation, str] = {
    "matches_prior_state": "reconcile_matches_prior_state",
    "diverged": "reconcile_diverged",
    "unreadable": "reconcile_unreadable",
}
_FIRST_OF: tuple[IssueCode, ...] = (
    "duplicate_call",
    "duplicate_operation",
    "duplicate_dispatch",
    "duplicate_response",
    "orphan_response",
    "canonical_args_hash_conflict",
    "identity_conflict",
    "event_order_conflict",
)


def _id(event: RuntimeEvent | None) -> str | None:
    return None if event is None else event.id


class ToolDecision(Struct, frozen=True, gc=False):
    """What the ledger proves of one operation; event ids are ``None`` where there is no such event."""

    operation: Operation
    status: Status
    reason: str
    settlement_origin: Settlement | None

    @property
    def tool_call_id(self) -> str:
        """The call id that the model's provider gave."""
        return self.operation.tool_call_id

    @property
    def tool_name(self) -> str:
        """The name under which the operation was opened."""
        return self.operation.tool_name

    @property
    def operation_id(self) -> str | None:
        """The operation id of its T1."""
        return self.operation.operation_id

    @property
    def call_event_id(self) -> str | None:
        """The id of its call."""
        return _id(self.operation.call)

    @property
    def dispatch_event_id(self) -> str | None:
        """The id of its T1."""
        return _id(self.operation.dispatch)

    @property
    def response_event_id(self) -> str | None:
        """The id of its T2."""
        return _id(self.operation.response)

    @property
    def is_error(self) -> bool | None:
        """Whether its T2 says that the tool failed."""
        response = self.operation.response
        return None if response is None else is_error(response)

    @property
    def hidden(self) -> bool:
        """Whether the model never saw the call."""
        call = self.operation.call
        return call is not None and call.hidden

    @property
    def is_open(self) -> bool:
        """Whether a person would have to settle this operation."""
        never_ran = self.status == "definitely_not_dispatched"
        return self.status == "indeterminate" or (never_ran and not self.hidden)


class Recovery(NamedTuple):
    """Every operation's decision, in the order in which they were opened, and the ledger's issues.

    ``visible`` has the decisions on calls that the model sees, ``unsettled`` those that are not ``completed``.
    """

    decisions: list[ToolDecision]
    issues: list[Issue]
    protocol: bool
    visible: list[ToolDecision]
    unsettled: list[ToolDecision]

    @property
    def has_corruption(self) -> bool:
        """Whether the ledger has an issue or a corrupt operation."""
        return bool(self.issues) or any(decision.status == "corruption" for decision in self.unsettled)


def is_error(response: RuntimeEvent) -> bool:
    """Tell whether a response says that its tool failed."""
    return response_of(response).is_error is True


def _bundle_parts(operation: Operation) -> tuple[ReconcileResult, RecoveryDecision] | None:
    match [recovery_of(event) for event in operation.facts]:
        case [ReconcileResult() as result, RecoveryDecision() as decision]:
            return result, decision
        case _:
            return None


def _evidence(operation: Operation) -> list[RuntimeEvent]:
    """Return what a valid bundle's decision rests on: call, dispatch, reconcile result and, if there, response."""
    found = (operation.call, operation.dispatch, operation.facts[0], operation.response)
    return [event for event in found if event is not None]


def _in_order(operation: Operation) -> bool:
    places = {event.execution_identity for event in (*_evidence(operation), operation.facts[1])}
    linked = all(names_operation(event, operation) for event in operation.facts)
    return operation.order in ("frf", "ff") and len(places) == 1 and linked


def _settles(result: ReconcileResult, decision: RecoveryDecision, response: RuntimeEvent | None) -> bool:
    payload, observation = decision.payload, result.payload.observation
    if isinstance(payload, CompletedPayload):
        settled = response is not None and not is_error(response) and payload.outcome_event_id == response.id
        return settled and observation == "matches_expected_state"
    return response is None and payload.reason_code == _PARKED_REASON.get(observation)


def _valid_bundle(operation: Operation) -> RecoveryDecision | None:
    """Return the decision of a valid bundle; the caller knows that the operation has recovery facts."""
    parts = _bundle_parts(operation)
    if parts is None or operation.dispatch is None or not _in_order(operation):
        return None
    result, decision = parts
    evidence = [event.id for event in _evidence(operation)]
    if decision.payload.evidence_event_ids != evidence or not _settles(result, decision, operation.response):
        return None
    return decision if dispatch_of(operation.dispatch).recovery_mode == "reconcile" else None


def _judge_facts(operation: Operation) -> tuple[Status, str, Settlement | None]:
    bundle = _valid_bundle(operation)
    if bundle is None:
        return "corruption", "recovery_fact_corruption", None
    if isinstance(bundle.payload, CompletedPayload):
        return "completed", "recovery_bundle_completed", "recovery_bundle"
    return "parked", bundle.payload.reason_code, "recovery_bundle"


def _judge(operation: Operation, *, protocol: bool) -> tuple[Status, str, Settlement | None]:
    if operation.call is None:
        return "corruption", "orphan_dispatch" if operation.dispatch else "orphan_response", None
    for code in _FIRST_OF if operation.codes else ():
        if code in operation.codes:
            return "corruption", code, None
    if operation.facts:
        return _judge_facts(operation)
    if operation.response is not None:
        return "completed", "matching_response", "normal_t2" if operation.dispatch else "pre_t1_synthetic"
    if operation.dispatch is not None:
        return "indeterminate", "dispatch_without_response", None
    if protocol:
        return "definitely_not_dispatched", "new_protocol_before_dispatch", None
    return "indeterminate", "legacy_dispatch_unknown", None


def recover(events: Iterable[RuntimeEvent]) -> Recovery:
    """Scan the events and decide every operation, hidden ones included."""
    scan = Scan(events)
    decisions = [ToolDecision(one, *_judge(one, protocol=scan.protocol)) for one in scan.operations]
    visible = [one for one in decisions if one.operation.call is not None and not one.operation.call.hidden]
    unsettled = [one for one in decisions if one.status != "completed"]
    return Recovery(decisions, scan.issues, scan.protocol, visible, unsettled)
