"""Ledgers on disk in the states that gates meet, written by the real recorder and store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from resume_gate import Recorder, RunRef, RuntimeEventStore
from resume_gate.agent.recorder import EndStatus
from resume_gate.ledger.files.paths import ledger_path


@contextmanager
def writing(store: RuntimeEventStore, run: RunRef, turn: str = "1") -> Iterator[Recorder]:
    """Hold a run's ledger and write one turn of it."""
    with store.open(run) as ledger:
        yield Recorder(ledger, invocation_id=f"inv-{turn}", turn_id=f"turn-{turn}")


def begin(turn: Recorder, call_id: str = "c1", *, hidden: bool = False) -> None:
    """Commit a call and its T1, as an agent that dies inside its tool."""
    turn.tool(call_id, "charge", {"order": 7}, hidden=hidden)._start()


def safe(store: RuntimeEventStore, run: RunRef) -> None:
    """Write a run whose only call has its result."""
    with writing(store, run) as turn:
        turn.user("charge order 7")
        with turn.tool("c1", "charge", {"order": 7}) as call:
            call.result = {"charged": 7}


def dangling(store: RuntimeEventStore, run: RunRef, *, calls: int = 1) -> None:
    """Write a run that died inside one or more tools."""
    with writing(store, run) as turn:
        turn.user("charge order 7")
        for number in range(1, calls + 1):
            begin(turn, f"c{number}")


def ended(store: RuntimeEventStore, run: RunRef, status: EndStatus = "completed") -> None:
    """Write a run that reached its end."""
    with writing(store, run) as turn:
        turn.user("say hello")
        turn.say("hello")
        turn.end(status)


def file_of(store: RuntimeEventStore, run: RunRef) -> Path:
    """Return the path of a run's ledger."""
    return ledger_path(store.root, run)


def put(store: RuntimeEventStore, run: RunRef, data: bytes) -> Path:
    """Write a run's ledger byte for byte."""
    path = file_of(store, run)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
