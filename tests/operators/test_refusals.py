"""What a plan does not allow is refused, however much of the plan was cut to fit."""

from __future__ import annotations

from msgspec import Raw

from resume_gate import RunRef, RuntimeEvent, build_resume_plan
from resume_gate.decisions import Decision
from resume_gate.events.event import FunctionCall
from resume_gate.operators.refusals import refusal
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import ResumePlan


def _call(number: int) -> RuntimeEvent:
    return RuntimeEvent(
        id=f"e{number}-".ljust(300, "x"),
        invocation_id="i",
        run_id="r",
        session_id="s",
        turn_id="t",
        ts=1,
        partial=False,
        role="model",
        author="agent",
        content=FunctionCall(id=f"c{number}-".ljust(300, "y"), name="n" * 300, args=Raw(b"{}")),
    )


def _plan(minimum: int | None = None) -> ResumePlan:
    run, digest = RunRef("s", "r"), "sha256:" + "0" * 64
    calls = [_call(number) for number in range(100)]
    return bounded(build_resume_plan(calls, minimum_high_water=minimum, run=run, prefix_digest=digest))


def _decision(kind: str, plan: ResumePlan, **parts: object) -> Decision:
    given = {"kind": kind, "operator": "ann", "reason": "looked", "decisionId": "d", "planDigest": plan.plan_digest}
    return Decision.model_validate(given | parts)


def test_a_release_over_lost_evidence_is_refused() -> None:
    """Where events are missing, no release is taken, though a thousand open calls crowd the finding out."""
    plan = _plan(minimum=10**6)
    why = refusal(_decision("release", plan), plan, None)
    assert why is not None
    assert "does not hold as many events as expected" in why


def test_the_finding_itself_is_never_cut() -> None:
    """A bounded plan keeps one diagnostic of every code that it has."""
    codes = {diagnostic.code for diagnostic in _plan(minimum=10**6).diagnostics}
    assert codes == {"pending_tool_result", "runtime_offset_mismatch"}


def test_a_release_of_open_calls_is_taken() -> None:
    """The same plan with all its events allows a release."""
    plan = _plan()
    assert refusal(_decision("release", plan), plan, None) is None


def test_nothing_is_accepted_of_what_was_not_read() -> None:
    """A recheck cannot accept a number of events that the plan could not count."""
    plan = ResumePlan(
        disposition="blocked", rejection_reasons=("runtime_ledger_unreadable",), plan_digest=_plan().plan_digest
    )
    why = refusal(_decision("recheck", plan, acceptHighWater=0), plan, None)
    assert why is not None
    assert "no number of events to accept" in why
