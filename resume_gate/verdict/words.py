"""The words that a blocked plan is told in: what each code means, and what ends it."""

from __future__ import annotations

from typing import Literal

GateReason = Literal[
    "ledger_writer_active",
    "runtime_ledger_empty",
    "runtime_ledger_unavailable",
    "runtime_ledger_unreadable",
]
"""The reasons for which there is nothing to plan (contract section 7)."""
RejectionReason = Literal["dangling_tool_state", "evidence_not_write_ahead", "runtime_offset_mismatch"] | GateReason
Evidence = Literal["write_ahead", "declared", "none"]
"""Whether a foreign session has a call on disk before its tool can run: by its format, by the host's word, or not."""
DiagnosticCode = Literal[
    "duplicate_event_id",
    "evidence_not_write_ahead",
    "ledger_writer_active",
    "pending_tool_result",
    "protocol_marker_invalid",
    "runtime_ledger_empty",
    "runtime_ledger_unavailable",
    "runtime_ledger_unreadable",
    "runtime_offset_mismatch",
    "semantic_lane_conflict",
    "tool_ledger_corruption",
    "tool_name_mismatch",
    "tool_not_dispatched",
    "tool_recovery_corruption",
    "tool_recovery_parked",
    "tool_visibility_conflict",
    "unmatched_tool_result",
]

DIRECTIVE = (
    "A tool call of this run has an unknown outcome: it may or may not have taken effect. Do not repeat it. "
    "First inspect the world with read-only means, then decide from what is really there."
)
"""What the next model is told where an outcome is unknown (contract section 6)."""

MEANING: dict[DiagnosticCode, str] = {
    "duplicate_event_id": "an event id stands in the ledger twice",
    "evidence_not_write_ahead": "this file can hide a call that already acted",
    "ledger_writer_active": "another process still holds the writer lock, so the old attempt lives",
    "pending_tool_result": "the tool may have run: its call is recorded, its result is not",
    "protocol_marker_invalid": "the protocol marker stands on an event that is not the ledger's first",
    "runtime_ledger_empty": "there is no event where evidence was expected",
    "runtime_ledger_unavailable": "the disk did not answer, although it was retried",
    "runtime_ledger_unreadable": "the file is damaged, or is no ledger",
    "runtime_offset_mismatch": "the ledger does not hold as many events as expected",
    "semantic_lane_conflict": "an event mixes roles that no single fact can have",
    "tool_ledger_corruption": "the ledger contradicts itself about a tool call",
    "tool_name_mismatch": "a result names another tool than its call",
    "tool_not_dispatched": "the tool was never started: its call is recorded, its T1 is not",
    "tool_recovery_corruption": "the facts about this call contradict one another",
    "tool_recovery_parked": "an earlier recovery looked and could not settle this call",
    "tool_visibility_conflict": "the model sees one half of this call and not the other",
    "unmatched_tool_result": "a result stands in the ledger without its call",
}


def meaning(code: str) -> str:
    """Return what a code means; one that this version does not know is told as it is."""
    return MEANING.get(code, code)  # type: ignore[call-overload,no-any-return]


_REPAIR = "Repair the ledger file from a copy, then recheck; or abandon the run."

NEXT_STEP: dict[DiagnosticCode, str] = {
    "duplicate_event_id": _REPAIR,
    "evidence_not_write_ahead": "Look in the world for effects that the session does not show; let the agent go on by "
    "hand, with words that say what you found, and recheck when its turn has ended. A format that writes ahead, or a "
    "host that declares it, proves more.",
    "ledger_writer_active": "Nothing to do: it ends by itself with that process. To end it now, stop the old process.",
    "pending_tool_result": "Look whether the effect is in the world, then settle the call with what you found; "
    "or release it as unknown.",
    "protocol_marker_invalid": _REPAIR,
    "runtime_ledger_empty": "Check that the worker's root is the disk the agent wrote to; restore the file, then "
    "recheck; or abandon the run.",
    "runtime_ledger_unavailable": "Mend the disk or its permissions, then recheck.",
    "runtime_ledger_unreadable": "Repair the file at the place named, then recheck; or abandon the run.",
    "runtime_offset_mismatch": "Restore the missing events and recheck; or recheck accepting the high-water seen, "
    "if you know that nothing was lost; or abandon the run.",
    "semantic_lane_conflict": _REPAIR,
    "tool_ledger_corruption": _REPAIR,
    "tool_name_mismatch": _REPAIR,
    "tool_not_dispatched": "Settle the call as not_executed, or release it.",
    "tool_recovery_corruption": _REPAIR,
    "tool_recovery_parked": "Neither release nor settle ends this: repair the recovery facts and recheck, or abandon "
    "the run.",
    "tool_visibility_conflict": _REPAIR,
    "unmatched_tool_result": _REPAIR,
}


_SETTLED_THERE = (
    "Look whether the effect is in the world; then tell the agent, in its own session, what became of the call, and "
    "recheck."
)
"""What ends an open call of another agent's session, which takes no decision of ours."""


def next_step(code: str, *, foreign: bool = False) -> str:
    """Return what ends a finding; for a code that this version does not know, how to learn it."""
    if foreign and code == "pending_tool_result":
        return _SETTLED_THERE
    return NEXT_STEP.get(code, f"This version does not know {code!r}: ask the worker's with resume-gate show.")  # type: ignore[call-overload,no-any-return]
