"""The plan: may this run be dispatched again, and if not, why (contract section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, cast

from msgspec import UNSET, Raw, field
from msgspec.structs import asdict
from pydantic import Field

from resume_gate.events.canonical import canonical_json, digest, optional, printable, shown_json
from resume_gate.events.event import RuntimeEvent, call_of
from resume_gate.verdict.diagnostics import Diagnostic, Expected, diagnose, sort_key
from resume_gate.verdict.recovery import Status, ToolDecision, is_error, recover
from resume_gate.verdict.words import DIRECTIVE, MEANING, Evidence, GateReason, RejectionReason
from resume_gate.wire import Answer, Entry, RunRef

NULL = Raw(b"null")

Disposition = Literal["safe_replay", "blocked"]
OperationStatus = Literal["succeeded", "failed", "indeterminate", "not_dispatched", "parked", "corruption"]
TerminalStatus = Literal["completed", "failed", "aborted", "cancelled"]

_STATUS: dict[Status, OperationStatus] = {
    "indeterminate": "indeterminate",
    "definitely_not_dispatched": "not_dispatched",
    "parked": "parked",
    "corruption": "corruption",
}


class PlannedOperation(Entry, frozen=True, kw_only=True, eq=False, gc=False):
    """A visible call and what became of it."""

    tool_call_id: str
    tool_name: str
    args_text: Raw = field(name="args", default_factory=lambda: NULL)
    """The arguments' JSON text; ``null`` beside ``args_preview`` where it did not fit."""
    args_preview: str | None = None
    status: str  # an OperationStatus of the version that wrote it
    call_event_id: str
    response_event_id: str | None = None
    is_error: bool | None = None

    @property
    def args(self) -> Any:
        """The arguments' value, as screens show it; decoded anew at each call."""
        return shown_json(self.args_text)


class OpenOperation(PlannedOperation, frozen=True, kw_only=True, eq=False, gc=False):
    """A call that a person would have to settle; ``since`` is in Unix milliseconds."""

    invocation_id: str
    operation_id: str | None = None
    reason: str
    hidden: bool = False
    since: float


class Omitted(Answer):
    """How many entries a bounded plan left out."""

    operations: int = 0
    open_operations: int = 0
    diagnostics: int = 0


class ResumePlan(Answer):
    """The gate's answer about one prefix of one ledger.

    ``source_high_water`` counts events; digests are ``sha256:`` and 64 hex digits. ``run`` and ``prefix_digest`` are
    ``None`` where bare events were planned, without their file. ``evidence`` is for a foreign session alone. Codes are
    plain text here, so that a reader meets those of a later version unharmed: only ``safe_replay`` lets a run go on.
    """

    run: RunRef | None = None
    disposition: Disposition
    operations: tuple[PlannedOperation, ...] = ()
    open_operations: tuple[OpenOperation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    rejection_reasons: tuple[str, ...] = ()
    requires_verification: bool = False
    directive: str | None = None
    source_high_water: int = 0
    prefix_digest: str | None = None
    terminal_status: str | None = None
    evidence: str | None = None
    omitted: Omitted = Field(default_factory=Omitted)
    plan_digest: str = ""

    @property
    def safe(self) -> bool:
        """Whether the run may be dispatched again."""
        return self.disposition == "safe_replay"

    @property
    def finished(self) -> bool:
        """Whether the run reached an end that is never driven on from."""
        return self.terminal_status in ("completed", "aborted", "cancelled")


def _planned(decision: ToolDecision) -> PlannedOperation:
    operation = decision.operation
    call, response = cast("RuntimeEvent", operation.call), operation.response  # only calls are planned
    content = call_of(call)
    failed = None if response is None else is_error(response)
    return PlannedOperation(
        tool_call_id=printable(content.id),
        tool_name=printable(content.name),
        args_text=content.args,
        status=_STATUS.get(decision.status) or ("failed" if failed else "succeeded"),
        call_event_id=printable(call.id),
        response_event_id=None if response is None else printable(response.id),
        is_error=failed,
    )


def _open_operation(decision: ToolDecision) -> OpenOperation:
    operation = decision.operation
    call = cast("RuntimeEvent", operation.call)  # an open operation has one
    planned = _planned(decision)
    return OpenOperation(
        **asdict(planned),
        invocation_id=printable(call.invocation_id),
        operation_id=optional(decision.operation_id),
        reason=decision.reason,
        hidden=call.hidden,
        since=float((operation.dispatch or call).ts),  # as whoever reads the plan has it
    )


def _reasons(diagnostics: list[Diagnostic]) -> tuple[RejectionReason, ...]:
    codes = {diagnostic.code for diagnostic in diagnostics}
    reasons: list[RejectionReason] = []
    if "runtime_offset_mismatch" in codes:
        reasons.append("runtime_offset_mismatch")
    if codes - {"runtime_offset_mismatch"}:
        reasons.append("dangling_tool_state")
    return tuple(reasons)


def _terminal_status(events: Sequence[RuntimeEvent]) -> TerminalStatus | None:
    for event in reversed(events):
        role = event.role
        if role == "user" and event.visible:
            return None
        if role == "system" and not event.partial:
            if event.status is not UNSET and event.status != "streaming":
                return event.status
            if event.actions is not UNSET and event.actions.end_invocation is True:
                return "completed"
    return None


def sealed(plan: ResumePlan) -> ResumePlan:
    """Return the plan with its digest (contract section 6)."""
    run = None if plan.run is None else {"sessionId": plan.run.session_id, "runId": plan.run.run_id}
    facts = {
        "run": run,
        "prefixDigest": plan.prefix_digest,
        "sourceHighWater": plan.source_high_water,
        "disposition": plan.disposition,
        "rejectionReasons": list(plan.rejection_reasons),
    }
    return plan.model_copy(update={"plan_digest": digest(canonical_json(facts))})


def _run_of(events: Sequence[RuntimeEvent]) -> RunRef | None:
    return RunRef(printable(events[0].session_id), printable(events[0].run_id)) if events else None


def build_resume_plan(
    events: Iterable[RuntimeEvent],
    *,
    expected_high_water: int | None = None,
    minimum_high_water: int | None = None,
    run: RunRef | None = None,
    prefix_digest: str | None = None,
) -> ResumePlan:
    """Plan over a committed prefix; total, pure and unbounded: no list of valid events makes it raise.

    ``run`` and ``prefix_digest`` name the file that the events were read from.
    """
    events = events if isinstance(events, Sequence) else tuple(events)
    recovery = recover(events)
    diagnostics = diagnose(events, recovery, Expected(expected_high_water, minimum_high_water))
    reasons = _reasons(diagnostics)
    unknown = any(decision.status == "indeterminate" for decision in recovery.unsettled)
    plan = ResumePlan(
        run=run or _run_of(events),
        disposition="blocked" if reasons or unknown or recovery.has_corruption else "safe_replay",
        operations=tuple([_planned(decision) for decision in recovery.visible]),
        open_operations=tuple(_open_operation(decision) for decision in recovery.unsettled if decision.is_open),
        diagnostics=tuple(diagnostics),
        rejection_reasons=reasons,
        requires_verification=unknown,
        directive=DIRECTIVE if unknown else None,
        source_high_water=len(events),
        prefix_digest=prefix_digest,
        terminal_status=_terminal_status(events),
    )
    return sealed(plan)


def with_evidence(plan: ResumePlan, evidence: Evidence, hides: str | None) -> ResumePlan:
    """Return the plan of a foreign session: blocked where the end of its file can hide a call, in these words."""
    if hides is None:
        return plan.model_copy(update={"evidence": evidence})
    finding = Diagnostic(code="evidence_not_write_ahead", message=printable(hides))
    update = {
        "evidence": evidence,
        "disposition": "blocked",
        "diagnostics": tuple(sorted((*plan.diagnostics, finding), key=sort_key)),
        "rejection_reasons": (*plan.rejection_reasons, "evidence_not_write_ahead"),
    }
    return sealed(plan.model_copy(update=update))


def blocked_plan(run: RunRef | None, reason: GateReason, detail: str) -> ResumePlan:
    """Return the plan for a ledger that could not be planned: blocked for the one reason (contract section 7)."""
    message = f"{MEANING[reason]}: {detail}"
    diagnostic = Diagnostic(code=reason, message=printable(message))
    return sealed(ResumePlan(run=run, disposition="blocked", diagnostics=(diagnostic,), rejection_reasons=(reason,)))
