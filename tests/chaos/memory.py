"""What a run's ledger says about its steps: the agent's only memory over its deaths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from resume_gate import RuntimeEvent, replay_events
from resume_gate.events.canonical import loads
from resume_gate.events.event import FunctionCall, FunctionResponse

STEP_TOOL = "do_step"
LOOK_TOOL = "look_up"
Verdict = Literal["done", "unknown", "not_executed"]
_WEIGHT: dict[Verdict, int] = {"not_executed": 0, "unknown": 1, "done": 2}


def verdicts(events: Iterable[RuntimeEvent]) -> dict[str, Verdict]:
    """Return the strongest word on each step that some call of it was answered with.

    A step without one never ran. Done is done, also where the tool raised: a failure is an outcome.
    """
    found: dict[str, Verdict] = {}
    for call, response in _answered(events):
        if call.name == STEP_TOOL:
            step, verdict = loads(bytes(call.args))["step"], _verdict(response)
            found[step] = max(found.get(step, verdict), verdict, key=_WEIGHT.__getitem__)
    return found


def _answered(events: Iterable[RuntimeEvent]) -> Iterator[tuple[FunctionCall, FunctionResponse]]:
    events = tuple(events)
    seen = {event.id for event in replay_events(events)}
    calls: dict[tuple[str, str], FunctionCall] = {}
    for event in events:
        # The model never sees the calls inside a tool, but the tool that made them has to know them again.
        if event.id in seen or event.hidden:
            if isinstance(event.content, FunctionCall):
                calls[event.invocation_id, event.content.id] = event.content
            elif isinstance(event.content, FunctionResponse):
                yield calls[event.invocation_id, event.content.id], event.content


def _verdict(response: FunctionResponse) -> Verdict:
    result: Any = loads(bytes(response.result))
    outcome = result.get("outcome") if isinstance(result, dict) and response.is_error is True else None
    return outcome if outcome in ("unknown", "not_executed") else "done"
