"""Which decisions a plan allows (design, Temporal); everything else is refused in words."""

from __future__ import annotations

from collections.abc import Mapping

from resume_gate.contract import Hold
from resume_gate.decisions import Decision
from resume_gate.verdict.plan import ResumePlan
from resume_gate.verdict.words import MEANING, NEXT_STEP, DiagnosticCode, next_step

_NOTHING_READ: tuple[DiagnosticCode, ...] = (
    "ledger_writer_active",
    "runtime_ledger_unreadable",
    "runtime_ledger_empty",
    "runtime_offset_mismatch",
    "runtime_ledger_unavailable",
)
_UNREAD = frozenset(
    {"ledger_writer_active", "runtime_ledger_unreadable", "runtime_ledger_empty", "runtime_ledger_unavailable"}
)
_NOT_WRITABLE: tuple[DiagnosticCode, ...] = (
    "protocol_marker_invalid",
    "duplicate_event_id",
    "semantic_lane_conflict",
    "tool_ledger_corruption",
)


def summary(plan: ResumePlan) -> str:
    """Say in one line what a plan found."""
    still_open = len(plan.open_operations) + plan.omitted.open_operations
    reasons = ", ".join(plan.rejection_reasons) or "nothing against it"
    return f"{plan.disposition}, {plan.source_high_water} events, {still_open} open, {reasons}"


def stale(decision: Decision, plan: ResumePlan, seen: Mapping[str, str]) -> str | None:
    """Say what changed since the plan that a decision names; ``None`` where that plan is the current one.

    ``seen`` has the summaries of earlier plans by their digest.
    """
    if decision.plan_digest == plan.plan_digest:
        return None
    then = seen.get(decision.plan_digest, "a plan this gate never showed")
    return (
        f"stale: decided on {decision.plan_digest} ({then}); the plan is now {plan.plan_digest} ({summary(plan)}). "
        "Look again, then decide on that one."
    )


def refusal(decision: Decision, plan: ResumePlan, hold: Hold | None) -> str | None:
    """Say why a decision on the current plan cannot be taken; ``None`` where it can."""
    match decision.kind:
        case "release" | "settle":
            return cannot_settle(plan)
        case "answer":
            asked = hold is not None and hold.reason == "action_required"
            return _cannot_write(plan) if asked else "no drive asked for an answer: there is nothing to answer"
        case "recheck":
            accepted = decision.accept_high_water
            if accepted is not None and not _codes(plan).isdisjoint(_UNREAD):
                return "the ledger could not be read: there is no number of events to accept"
            if accepted is not None and accepted != plan.source_high_water:
                return (
                    f"the plan shows {plan.source_high_water} events, not {accepted}: accept the number that is there"
                )
            return None
        case "abandon":
            return None


def _codes(plan: ResumePlan) -> set[str]:
    return {diagnostic.code for diagnostic in plan.diagnostics} | set(plan.rejection_reasons)


def _cannot_write(plan: ResumePlan) -> str | None:
    if plan.evidence is not None:
        # A fact in a ledger of ours would not keep the session's own framework from running the open call again.
        return "this is another agent's session, which no fact of ours reaches: settle it there and recheck, or abandon"
    for code in (*_NOTHING_READ, *_NOT_WRITABLE):
        if code in _codes(plan):
            return f"{MEANING[code]}: nothing can be added to this ledger. {NEXT_STEP[code]}"
    return None


def cannot_settle(plan: ResumePlan) -> str | None:
    """Say why no call of this plan can be settled or released; ``None`` where one can."""
    unwritable = _cannot_write(plan)
    if unwritable is not None:
        return unwritable
    if plan.open_operations or plan.omitted.open_operations:
        return None
    steps = sorted({next_step(code) for code in _codes(plan) if code in NEXT_STEP})
    return " ".join(["no call is open: there is nothing to settle.", *steps])
