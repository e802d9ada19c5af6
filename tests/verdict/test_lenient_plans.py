"""A plan of a later version can be read, and only its disposition lets a run go on."""

from __future__ import annotations

from resume_gate.operators.report import report
from resume_gate.verdict.plan import ResumePlan

LATER = """{"disposition": "blocked", "rejectionReasons": ["new_reason"], "newKey": 1,
 "diagnostics": [{"code": "new_code", "message": "something new"}]}"""


def test_codes_that_this_version_does_not_know_are_read() -> None:
    """An unknown reason or code is text, and the plan is as blocked as it says."""
    plan = ResumePlan.model_validate_json(LATER)
    assert not plan.safe
    assert plan.rejection_reasons == ("new_reason",)


def test_codes_that_this_version_does_not_know_are_told() -> None:
    """A person sees the unknown code and where to ask."""
    told = report(ResumePlan.model_validate_json(LATER), "parked", None)
    assert "new_code: something new" in told
    assert "resume-gate show" in told
