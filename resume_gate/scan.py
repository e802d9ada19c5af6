"""One pass over a ledger: its operations and its issues (contract section 4).

The scan owns order, duplicates and identity. Everything else consumes what it found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import UNSET, Struct

from resume_gate.canonical import canonical_args_hash
from resume_gate.events import (
    FunctionResponse,
    RuntimeEvent,
    ToolDispatch,
    call_of,
    dispatch_of,
    recovery_of,
    response_of,
)
from resume_gate.lanes import Lane, lane_of

IssueCode = Literal[
    "canonical_args_hash_conflict",
    "duplicate_call",
    "duplicate_dispatch",
    "duplicate_event_id",
    "duplicate_operation",
    "duplicate_response",
    "event_order_conflict",
    "identity_conflict",
    "invocation_identity_conflict",
    "orphan_response",
    "protocol_marker_invalid",
    "semantic_lane_conflict",
]


class Issue(NamedTuple):
    """One finding against the ledger; any issue makes it corrupt."""

    code: IssueCode
    event_id: str


class Operation(Struct, gc=False):
    """What the ledger says of one tool call, known by (invocation id, tool call id).

    ``order`` has a letter for each response (``r``) and recovery fact (``f``), as they were attached: where call and
    dispatch are not first, there is an issue. A ledger holds many of these, so none has a container that the collector
    must walk.
    """

    tool_call_id: str
    tool_name: str
    call: RuntimeEvent | None = None
    dispatch: RuntimeEvent | None = None
    response: RuntimeEvent | None = None
    facts: tuple[RuntimeEvent, ...] = ()
    order: str = ""
    codes: tuple[IssueCode, ...] = ()


class Scan:
    """The scan of a growing ledger: add each event once, in file order."""

    def __init__(self, events: Iterable[RuntimeEvent] = ()) -> None:
        """Scan the events given, ready for more."""
        self.operations: dict[tuple[str, str], Operation] = {}
        self.protocol: bool = False
        """Whether the very first event carries the protocol marker."""
        self._ids: set[str] = set()
        self._first_of: dict[str, RuntimeEvent] = {}
        self._bound: dict[str, Operation] = {}
        self._marker_issues: list[Issue] = []
        self._issues: list[Issue] = []
        for event in events:
            self.add(event)

    @property
    def issues(self) -> list[Issue]:
        """Every finding so far: those about the protocol marker first, then in file order."""
        return self._marker_issues + self._issues

    def add(self, event: RuntimeEvent) -> None:
        """Take the next event of the file."""
        if event.actions is not UNSET and event.actions.runtime_protocol is not UNSET:
            self._take_marker(event)
        if event.id in self._ids:
            self._find("duplicate_event_id", event)
            return
        self._ids.add(event.id)
        if not _same_place(event, self._first_of.setdefault(event.invocation_id, event)):
            self._find("invocation_identity_conflict", event)
        lane = lane_of(event)
        if lane is not None:
            self._take(lane, event)

    def _take_marker(self, event: RuntimeEvent) -> None:
        if self._ids:
            self._marker_issues.append(Issue("protocol_marker_invalid", event.id))
        else:
            self.protocol = True

    def _take(self, lane: Lane | Literal["conflict"], event: RuntimeEvent) -> None:
        match lane:
            case "function_call":
                self._take_call(event)
            case "function_response":
                self._take_response(event)
            case "tool_dispatch":
                self._take_dispatch(event)
            case "tool_recovery":
                self._take_recovery(event)
            case "conflict":
                self._find("semantic_lane_conflict", event)

    def _find(self, code: IssueCode, event: RuntimeEvent, *operations: Operation) -> None:
        self._issues.append(Issue(code, event.id))
        for operation in operations:
            operation.codes += (code,)

    def _open(self, event: RuntimeEvent, tool_call_id: str, tool_name: str) -> Operation:
        operation = Operation(tool_call_id, tool_name)
        self.operations[event.invocation_id, tool_call_id] = operation
        return operation

    def _take_call(self, event: RuntimeEvent) -> None:
        content = call_of(event)
        operation = self.operations.get((event.invocation_id, content.id))
        if operation is None:
            operation = self._open(event, content.id, content.name)
        elif operation.call is not None:
            self._find("duplicate_call", event, operation)
            return
        elif operation.tool_name != content.name:
            self._find("identity_conflict", event, operation)
        operation.call = event

    def _take_dispatch(self, event: RuntimeEvent) -> None:
        dispatch = dispatch_of(event)
        key = (event.invocation_id, dispatch.provider_tool_call_id)
        operation = self.operations.get(key)
        if operation is None:
            operation = self._open(event, dispatch.provider_tool_call_id, dispatch.tool_name)
            operation.dispatch = event
            self._find("event_order_conflict", event, operation)
        elif operation.dispatch is not None:
            self._find("duplicate_dispatch", event, operation)
            return
        self._bind(event, dispatch, operation)

    def _bind(self, event: RuntimeEvent, dispatch: ToolDispatch, operation: Operation) -> None:
        bound = self._bound.setdefault(dispatch.operation_id, operation)
        if bound is not operation:
            self._find("duplicate_operation", event, bound, operation)
            return
        operation.dispatch = event
        self._check_dispatch(event, dispatch, operation)

    def _check_dispatch(self, event: RuntimeEvent, dispatch: ToolDispatch, operation: Operation) -> None:
        call, response = operation.call, operation.response
        agrees = operation.tool_name == dispatch.tool_name and names_operation(event, operation)
        if not agrees or (call is not None and not _same_place(call, event)):
            self._find("identity_conflict", event, operation)
        if call is not None and _hash_of(call) != dispatch.canonical_args_hash:
            self._find("canonical_args_hash_conflict", event, operation)
        if response is not None:
            self._find("event_order_conflict", event, operation)
            if not names_operation(response, operation) or not _same_place(response, event):
                self._find("identity_conflict", response, operation)

    def _take_response(self, event: RuntimeEvent) -> None:
        content = response_of(event)
        operation = self.operations.get((event.invocation_id, content.id))
        if operation is None:
            operation = self._open(event, content.id, content.name)
            self._find("orphan_response", event, operation)
        elif operation.response is not None:
            self._find("duplicate_response", event, operation)
            return
        elif not _answers(event, content, operation):
            self._find("identity_conflict", event, operation)
        operation.response = event
        operation.order += "r"

    def _take_recovery(self, event: RuntimeEvent) -> None:
        operation = self._bound.get(recovery_of(event).payload.operation_id)
        if operation is None:
            self._find("event_order_conflict", event)
        else:
            operation.facts += (event,)
            operation.order += "f"


def _same_place(one: RuntimeEvent, other: RuntimeEvent) -> bool:
    """Tell whether two events of one invocation have one execution identity."""
    return one.turn_id == other.turn_id and one.run_id == other.run_id and one.session_id == other.session_id


def _hash_of(call: RuntimeEvent) -> str | None:
    content = call_of(call)
    return canonical_args_hash(content.name, bytes(content.args))


def names_operation(event: RuntimeEvent, operation: Operation) -> bool:
    """Tell whether an event's refs name the operation and its call."""
    refs, dispatch = event.refs, operation.dispatch
    if refs is UNSET or dispatch is None:
        return False
    return refs.tool_call_id == operation.tool_call_id and refs.operation_id == dispatch_of(dispatch).operation_id


def _answers(event: RuntimeEvent, content: FunctionResponse, operation: Operation) -> bool:
    call = operation.call
    if call is None or content.name != operation.tool_name or not _same_place(call, event):
        return False
    return operation.dispatch is None or names_operation(event, operation)
