"""A plan for the person on call: what is open, since when, what to check, what to type. Pure text."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime

from resume_gate.contract import Command, Hold, Phase, Refusal
from resume_gate.operators.refusals import cannot_settle
from resume_gate.verdict.plan import OpenOperation, ResumePlan
from resume_gate.verdict.words import meaning, next_step

_MOST_SHOWN = 10
_ARGS_WIDTH = 200

_HOLD_WORDS = {
    "action_required": "The agent asked a person and waits for the answer",
    "no_progress": "The agent was driven again and again without a new event",
}


def visible(text: str) -> str:
    """Return the text with U+FFFD for what a terminal would obey instead of show."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)


def inline(text: str) -> str:
    """Return a foreign word for the middle of a line: it can neither end the line nor look like one of ours."""
    return visible(text.replace("\n", "\ufffd"))


def moment(unix_ms: float) -> str:
    """Return a time in UTC, to the second; the number itself where no calendar has it."""
    if unix_ms == 0:  # a session format that holds no times
        return "unknown"
    try:
        return datetime.fromtimestamp(unix_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return f"{unix_ms} ms"


def arguments(operation: OpenOperation) -> str:
    """Return a call's arguments in one line, cut to a screen's width."""
    text = operation.args_preview or json.dumps(operation.args, ensure_ascii=False)
    return text if len(text) <= _ARGS_WIDTH else text[:_ARGS_WIDTH] + "…"


def headline(plan: ResumePlan, phase: Phase, hold: Hold | None) -> str:
    """Say in one sentence how the run stands."""
    run = f"Run {plan.run}" if plan.run else "This run"
    if plan.safe and plan.finished and hold is None:
        return f"{run} has ended ({plan.terminal_status}), every call with its result: it is not driven again."
    if plan.safe:
        words = "is safe to drive on: every call that was made has its result." if hold is None else "is parked."
        return f"{run} {words}"
    if phase == "waiting":
        return f"{run} waits: its old attempt still lives and holds the ledger."
    return f"{run} is blocked ({', '.join(plan.rejection_reasons)}): {_worst(plan)}."


def _worst(plan: ResumePlan) -> str:
    """Return the meaning of the finding that a person should read first: what nobody knows, before what is broken."""
    codes = [finding.code for finding in plan.diagnostics]
    first = "pending_tool_result" if "pending_tool_result" in codes else next(iter(codes), None)
    return meaning(first) if first else "corrupt operations that no single event shows"


def held(hold: Hold) -> str:
    """Say why a run is held although its plan may be safe."""
    return f"{_HOLD_WORDS[hold.reason]} ({hold.reason}): {json.dumps(hold.detail, ensure_ascii=False)[:1000]}"


def open_lines(plan: ResumePlan) -> Iterator[str]:
    """Yield the lines that tell of each open call."""
    for operation in plan.open_operations[:_MOST_SHOWN]:
        hidden = ", hidden from the model" if operation.hidden else ""
        yield f"- {inline(operation.tool_name)} {inline(arguments(operation))}"
        yield f"  {operation.status} ({operation.reason}{hidden}) since {moment(operation.since)}"
        yield f"  call event {inline(operation.call_event_id)}"
    more = len(plan.open_operations) + plan.omitted.open_operations - _MOST_SHOWN
    if more > 0:
        yield f"- and {more} more"


def finding_lines(plan: ResumePlan) -> Iterator[str]:
    """Yield the lines that tell of everything found that is not an open call."""
    told = {"pending_tool_result", "tool_not_dispatched"} if plan.open_operations else set()
    findings = [finding for finding in plan.diagnostics if finding.code not in told]
    for finding in findings[:_MOST_SHOWN]:
        yield f"- {inline(finding.code)}: {inline(finding.message)}"
    more = len(findings) + plan.omitted.diagnostics - _MOST_SHOWN
    if more > 0:
        yield f"- and {more} more"


def step_lines(plan: ResumePlan) -> Iterator[str]:
    """Yield what a person should do next, most of it once."""
    foreign = plan.evidence is not None
    for step in dict.fromkeys(next_step(finding.code, foreign=foreign) for finding in plan.diagnostics):
        yield f"- {step}"


def commands(plan: ResumePlan, hold: Hold | None) -> tuple[Command, ...]:
    """Return the commands that this plan allows, ready to type but for the reason."""
    return tuple(_commands(plan, hold)) if plan.run is not None else ()


def _commands(plan: ResumePlan, hold: Hold | None) -> Iterator[Command]:
    run = plan.run
    named = f"{run.session_id} {run.run_id} --plan {plan.plan_digest} --reason '...'" if run else ""
    if cannot_settle(plan) is None:
        first = shlex.quote(inline(plan.open_operations[0].call_event_id)) if plan.open_operations else "EVENT"
        yield Command(
            command=f"resume-gate settle {named} --call {first}=succeeded",
            effect="the call had its effect (or =failed, =not_executed; --result EVENT=RESULT); once for each call",
        )
        yield Command(
            command=f"resume-gate release {named}",
            effect="the outcome of every open call is accepted as unknown, and the agent is told so",
        )
    if hold is not None and hold.reason == "action_required":
        yield Command(command=f"resume-gate answer {named} --payload '...'", effect="your answer, for the agent")
    accept = f" --accept {plan.source_high_water}" if "runtime_offset_mismatch" in plan.rejection_reasons else ""
    yield Command(command=f"resume-gate recheck {named}{accept}", effect="read the ledger again")
    yield Command(command=f"resume-gate abandon {named}", effect="give this run up; nothing more is dispatched")


def report(plan: ResumePlan, phase: Phase, hold: Hold | None, refused: tuple[Refusal, ...] = ()) -> str:
    """Return all of it, as text that reads well in a terminal and as Markdown."""
    parts = [headline(plan, phase, hold)]
    if hold is not None:
        parts.append(held(hold))
    sections = {
        "Open calls:": open_lines(plan),
        "Found:": finding_lines(plan),
        "What to do:": step_lines(plan),
        "To type:": (f"- {line.command}\n  {line.effect}" for line in commands(plan, hold)),
        "Refused:": (f"- {item.decision_id or 'a payload'}: {item.why}" for item in refused[-3:]),
    }
    if plan.safe and hold is None:
        sections = {}
    for title, lines in sections.items():
        told = list(lines)
        if told:
            parts.append("\n".join([title, *told]))
    return visible("\n\n".join(parts))
