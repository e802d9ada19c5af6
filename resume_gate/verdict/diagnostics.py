"""What is wrong with a ledger, one finding each (contract section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from resume_gate.events.canonical import optional, printable
from resume_gate.events.event import FunctionResponse, RuntimeEvent, call_of
from resume_gate.verdict.recovery import Recovery, ToolDecision
from resume_gate.verdict.scan import Issue
from resume_gate.verdict.words import MEANING, DiagnosticCode
from resume_gate.wire import Answer


class Diagnostic(Answer):
    """One finding, in a code for programs and a message for people."""

    code: str  # a DiagnosticCode of the version that wrote it
    message: str = ""
    event_id: str | None = None
    tool_call_id: str | None = None


class Expected(NamedTuple):
    """The high-water that a caller counts on: exactly, or at least."""

    exact: int | None
    minimum: int | None

    def mismatch(self, high_water: int) -> str | None:
        """Say how the prefix differs from what was expected; ``None`` where it does not."""
        if self.exact is not None and high_water != self.exact:
            return f"{MEANING['runtime_offset_mismatch']}: {self.exact} expected, {high_water} found"
        if self.minimum is not None and high_water < self.minimum:
            return f"{MEANING['runtime_offset_mismatch']}: at least {self.minimum} expected, {high_water} found"
        return None


_ISSUE_CODES = frozenset({"protocol_marker_invalid", "duplicate_event_id", "semantic_lane_conflict"})


def _say(code: DiagnosticCode, event_id: str | None, tool_call_id: str | None, about: str = "") -> Diagnostic:
    message = f"{about}: {MEANING[code]}" if about else MEANING[code]
    return Diagnostic(
        code=code, message=printable(message), event_id=optional(event_id), tool_call_id=optional(tool_call_id)
    )


def _about_issue(issue: Issue) -> Diagnostic:
    if issue.code in _ISSUE_CODES:
        return _say(issue.code, issue.event_id, None, f"event {issue.event_id}")  # type: ignore[arg-type]
    return _say("tool_ledger_corruption", issue.event_id, None, f"event {issue.event_id} ({issue.code})")


def _operation_code(decision: ToolDecision) -> DiagnosticCode | None:
    match decision.status:
        case "indeterminate":
            return "pending_tool_result"
        case "definitely_not_dispatched":
            return None if decision.hidden else "tool_not_dispatched"
        case "parked":
            return "tool_recovery_parked"
        case "corruption" if decision.call_event_id or decision.dispatch_event_id:
            return "tool_recovery_corruption"
        case _:
            return None


def _about_unsettled(recovery: Recovery) -> Iterator[Diagnostic]:
    for decision in recovery.unsettled:
        code = _operation_code(decision)
        if code is not None:
            event_id = decision.call_event_id or decision.dispatch_event_id
            yield _say(code, event_id, decision.tool_call_id, f"{decision.tool_name} ({decision.reason})")


def _about_halves(recovery: Recovery) -> Iterator[Diagnostic]:
    for decision in recovery.decisions:
        call, response = decision.operation.call, decision.operation.response
        if call is None or response is None or call.model_visibility == response.model_visibility:
            continue
        if decision.status == "completed" and call.hidden != response.hidden:
            seen = response if call.hidden else call
            yield _say("tool_visibility_conflict", seen.id, decision.tool_call_id, decision.tool_name)


def _about_responses(events: Sequence[RuntimeEvent], recovery: Recovery) -> Iterator[Diagnostic]:
    if not recovery.issues and len(recovery.visible) == len(recovery.decisions):
        return  # each response is at its call, which is visible and has its name
    calls = [call for found in recovery.visible if (call := found.operation.call) is not None]
    names = {call_of(call).id: call_of(call).name for call in calls}
    own: dict[tuple[str, str], str] = {}
    if len(names) < len(calls):  # ids that invocations share: a response is compared with its own invocation's call
        own = {(call.invocation_id, call_of(call).id): call_of(call).name for call in calls}
    for event in events:
        content = event.content
        if type(content) is FunctionResponse and event.visible:
            name = own.get((event.invocation_id, content.id), names.get(content.id))
            if name is None:
                yield _say("unmatched_tool_result", event.id, content.id, content.name)
            elif name != content.name:
                yield _say("tool_name_mismatch", event.id, content.id, content.name)


def sort_key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return what diagnostics are ordered by."""
    return (diagnostic.code, diagnostic.event_id or "", diagnostic.tool_call_id or "")


def diagnose(events: Sequence[RuntimeEvent], recovery: Recovery, expected: Expected) -> list[Diagnostic]:
    """Return every finding, sorted by code, event id and call id."""
    found = [_about_issue(issue) for issue in recovery.issues]
    found += _about_unsettled(recovery)
    found += _about_halves(recovery)
    found += _about_responses(events, recovery)
    mismatch = expected.mismatch(len(events))
    if mismatch is not None:
        found.append(Diagnostic(code="runtime_offset_mismatch", message=mismatch))
    return sorted(found, key=sort_key)
