"""Ledgers shaped like public bug reports."""

import pytest

from resume_gate.verdict.plan import build_resume_plan
from tests.kit.vectors import Vector, events_of, read, replay_ids


def _answer(vector: Vector) -> Vector:
    events = events_of(vector)
    plan = build_resume_plan(events)
    return {
        "disposition": plan.disposition,
        "rejectionReasons": list(plan.rejection_reasons),
        "requiresVerification": plan.requires_verification,
        "open": [operation.tool_call_id for operation in plan.open_operations],
        "statuses": [[operation.tool_call_id, operation.status] for operation in plan.operations],
        "diagnosticCodes": sorted({diagnostic.code for diagnostic in plan.diagnostics}),
        "replayEventIds": replay_ids(events),
        "terminalStatus": plan.terminal_status,
    }


@pytest.mark.parametrize("vector", read("report-cases.jsonl"), ids=lambda vector: str(vector["name"]))
def test_a_reported_ledger_is_judged_as_its_case_says(vector: Vector) -> None:
    """Disposition, reasons, open calls, statuses, diagnostics, replay and terminal status equal the case's."""
    wanted = {"replayEventIds": None} | vector["expected"]
    assert _answer(vector) == wanted | {"diagnosticCodes": sorted(set(wanted["diagnosticCodes"]))}
