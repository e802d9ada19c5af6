"""One pass over a ledger: its operations and its issues (contract section 4).

The scan owns order, duplicates and identity. Everything else consumes what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from msgspec import UNSET, Struct

from resume_gate.events.canonical import canonical_args_hash
from resume_gate.events.event import (
    FunctionCall,
    FunctionResponse,
    RuntimeEvent,
    ToolDispatch,
    call_of,
    dispatch_of,
    recovery_of,
    response_of,
)
from resume_gate.verdict.lanes import Lane, lane_of

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

    ``operation_id`` comes with the dispatch. ``order`` has a letter for each response (``r``) and recovery fact
    (``f``), as they were attached; where call and dispatch were not before them, there is an issue. A ledger holds many
    of these, so the collector does not walk them: nothing in one leads back to it.
    """

    tool_call_id: str
    tool_name: str
    call: RuntimeEvent | None = None
    dispatch: RuntimeEvent | None = None
    response: RuntimeEvent | None = None
    operation_id: str | None = None
    facts: tuple[RuntimeEvent, ...] = ()
    order: str = ""
    codes: tuple[IssueCode, ...] = ()


_ByCallId = dict[str, Operation]


class Scan:
    """The scan of a growing ledger: add each event once, in file order."""

    def __init__(self, events: Iterable[RuntimeEvent] = ()) -> None:
        """Scan the events given, ready for more."""
        self.operations: list[Operation] = []
        """In the order in which they were opened."""
        self.protocol: bool = False
        """Whether the very first event carries the protocol marker."""
        self._ids: set[str] = set()
        self._invocations: dict[str, tuple[RuntimeEvent, _ByCallId]] = {}  # the first event, and what it called
        self._bound: dict[str, Operation] = {}
        self._marker_issues: list[Issue] = []
        self._issues: list[Issue] = []
        self.add(events)

    @property
    def issues(self) -> list[Issue]:
        """Every finding so far: those about the protocol marker first, then in file order."""
        return self._marker_issues + self._issues

    def add(self, events: Iterable[RuntimeEvent]) -> None:
        """Take the next events of the file."""
        ids, invocations = self._ids, self._invocations
        takers: dict[Lane, Callable[[RuntimeEvent, _ByCallId], None]] = {
            "function_call": self._take_call,
            "function_response": self._take_response,
            "tool_dispatch": self._take_dispatch,
            "tool_recovery": self._take_recovery,
            "conflict": self._take_conflict,
        }
        first: RuntimeEvent | None = None
        for event in events:
            actions = event.actions
            if actions is not UNSET and actions.runtime_protocol is not UNSET:
                self._take_marker(event)
            if event.id in ids:
                self._find("duplicate_event_id", event)
                continue
            ids.add(event.id)
            if first is None or event.invocation_id != first.invocation_id:  # looked up where it changes alone
                first, operations = invocations.setdefault(event.invocation_id, (event, {}))
                turn_id, run_id, session_id = first.turn_id, first.run_id, first.session_id
            if event.turn_id != turn_id or event.run_id != run_id or event.session_id != session_id:
                self._find("invocation_identity_conflict", event)
            lane = lane_of(event)
            if lane is not None:
                takers[lane](event, operations)

    def _take_marker(self, event: RuntimeEvent) -> None:
        if self._ids:
            self._marker_issues.append(Issue("protocol_marker_invalid", event.id))
        else:
            self.protocol = True

    def _find(self, code: IssueCode, event: RuntimeEvent, *operations: Operation) -> None:
        self._issues.append(Issue(code, event.id))
        for operation in operations:
            operation.codes += (code,)

    def _open(self, operations: _ByCallId, tool_call_id: str, tool_name: str) -> Operation:
        operation = operations[tool_call_id] = Operation(tool_call_id, tool_name)
        self.operations.append(operation)
        return operation

    def _take_call(self, event: RuntimeEvent, operations: _ByCallId) -> None:
        content = call_of(event)
        operation = operations.get(content.id)
        if operation is None:
            operation = self._open(operations, content.id, content.name)
        elif operation.call is not None:
            self._find("duplicate_call", event, operation)
            return
        elif operation.tool_name != content.name:
            self._find("identity_conflict", event, operation)
        operation.call = event

    def _take_dispatch(self, event: RuntimeEvent, operations: _ByCallId) -> None:
        dispatch = dispatch_of(event)
        operation = operations.get(dispatch.provider_tool_call_id)
        if operation is None:
            operation = self._open(operations, dispatch.provider_tool_call_id, dispatch.tool_name)
            operation.dispatch, operation.operation_id = event, dispatch.operation_id
            self._find("event_order_conflict", event, operation)
        elif operation.dispatch is not None:
            self._find("duplicate_dispatch", event, operation)
            return
        bound = self._bound.setdefault(dispatch.operation_id, operation)
        if bound is operation:
            operation.dispatch, operation.operation_id = event, dispatch.operation_id
            self._check_dispatch(event, dispatch, operation)
        else:
            self._find("duplicate_operation", event, bound, operation)

    def _check_dispatch(self, event: RuntimeEvent, dispatch: ToolDispatch, operation: Operation) -> None:
        call, response = operation.call, operation.response
        agrees = operation.tool_name == dispatch.tool_name and names_operation(event, operation)
        if not agrees or (call is not None and self._issues and _apart(call, event)):
            self._find("identity_conflict", event, operation)
        if call is not None and not _hashes_to(dispatch.canonical_args_hash, call_of(call)):
            self._find("canonical_args_hash_conflict", event, operation)
        if response is not None:
            self._find("event_order_conflict", event, operation)
            if not names_operation(response, operation) or _apart(response, event):
                self._find("identity_conflict", response, operation)

    def _take_response(self, event: RuntimeEvent, operations: _ByCallId) -> None:
        content = response_of(event)
        operation = operations.get(content.id)
        if operation is None:
            operation = self._open(operations, content.id, content.name)
            self._find("orphan_response", event, operation)
        elif operation.response is not None:
            self._find("duplicate_response", event, operation)
            return
        elif not self._answers(event, content, operation):
            self._find("identity_conflict", event, operation)
        operation.response = event
        operation.order += "r"

    def _answers(self, event: RuntimeEvent, content: FunctionResponse, operation: Operation) -> bool:
        call = operation.call
        if call is None or content.name != operation.tool_name or (self._issues and _apart(call, event)):
            return False
        return operation.dispatch is None or names_operation(event, operation)

    def _take_conflict(self, event: RuntimeEvent, _operations: _ByCallId) -> None:
        self._find("semantic_lane_conflict", event)

    def _take_recovery(self, event: RuntimeEvent, _operations: _ByCallId) -> None:
        operation = self._bound.get(recovery_of(event).payload.operation_id)
        if operation is None:
            self._find("event_order_conflict", event)
        else:
            operation.facts += (event,)
            operation.order += "f"


def names_operation(event: RuntimeEvent, operation: Operation) -> bool:
    """Tell whether an event's refs name the operation and its call."""
    refs = event.refs
    if refs is UNSET or operation.operation_id is None:
        return False
    return refs.operation_id == operation.operation_id and refs.tool_call_id == operation.tool_call_id


def _apart(one: RuntimeEvent, other: RuntimeEvent) -> bool:
    # Both are of one invocation, so only one that has an issue already can have them apart: cheaper to ask for first.
    return one.execution_identity != other.execution_identity


def _hashes_to(args_hash: str, call: FunctionCall) -> bool:
    return canonical_args_hash(call.name, call.args) == args_hash
