"""What the recorder's tests share: a turn over a real ledger, and its facts in short."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import UNSET

from resume_gate import LedgerWriter, Recorder, RunRef, RuntimeEvent, RuntimeEventStore, recover
from resume_gate.events.event import FunctionCall, FunctionResponse, response_of
from resume_gate.verdict.recovery import ToolDecision

RUN = RunRef("session_1", "run_1")


@contextmanager
def turn(root: Path, *, user: str | None = "go", **options: Any) -> Iterator[Recorder]:
    """Open a new run's ledger and yield a recorder, after the user said something unless that is ``None``."""
    with RuntimeEventStore(root, durability="process").open(RUN) as ledger:
        recorder = Recorder(ledger, invocation_id="invocation_1", turn_id="turn_1", **options)
        if user is not None:
            recorder.user(user)
        yield recorder


def fact(event: RuntimeEvent) -> str:
    """Say in a word or two what an event records."""
    if isinstance(event.content, FunctionCall):
        return f"call {event.content.id}"
    if isinstance(event.content, FunctionResponse):
        return f"T2 {event.content.id}"
    if event.actions is not UNSET and event.actions.tool_dispatch is not UNSET:
        return f"T1 {event.actions.tool_dispatch.provider_tool_call_id}"
    return event.author if event.status is UNSET else f"end {event.status}"


def facts(ledger: LedgerWriter) -> list[str]:
    """Return what the ledger holds, in short and in order, as a new reader of its file would have it."""
    return [fact(event) for event in ledger.events]


def decision(ledger: LedgerWriter, call_id: str) -> ToolDecision:
    """Return what the ledger proves of a call; it has no issue."""
    found = recover(ledger.events)
    assert found.issues == []
    return next(made for made in found.decisions if made.tool_call_id == call_id)


def result_of(ledger: LedgerWriter, call_id: str) -> bytes:
    """Return the JSON text that was recorded as a call's result."""
    response = decision(ledger, call_id).operation.response
    assert response is not None
    return bytes(response_of(response).result)


def nested(levels: int) -> Any:
    """Return lists inside one another."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def itself() -> Any:
    """Return a list that holds itself."""
    value: list[Any] = []
    value.append(value)
    return value
