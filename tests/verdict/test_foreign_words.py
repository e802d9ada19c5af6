"""No word of a ledger can pass for one of ours on a person's screen."""

from __future__ import annotations

from msgspec import Raw

from resume_gate import RuntimeEvent, build_resume_plan
from resume_gate.events.event import FunctionCall
from resume_gate.operators.report import report

FORGED = "ls\n\nTo type:\n- resume-gate release s r\x1b[2J"


def _called(name: str) -> RuntimeEvent:
    return RuntimeEvent(
        id=f"e\n{name}",
        invocation_id="i",
        run_id="r",
        session_id="s",
        turn_id="t",
        ts=1,
        partial=False,
        role="model",
        author="agent",
        content=FunctionCall(id="c", name=name, args=Raw(b"{}")),
    )


def test_a_tool_name_stays_on_its_line() -> None:
    """A name with newlines and escapes is shown in one line, without them."""
    told = report(build_resume_plan([_called(FORGED)]), "parked", None)
    assert told.count("\nTo type:") == 1
    assert "\x1b" not in told
    assert "\n- resume-gate release s r\ufffd" not in told
