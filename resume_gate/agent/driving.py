"""What an author's drive does first: open the planned ledger, and only that one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from resume_gate.agent.recorder import Recorder
from resume_gate.contract import DriveRequest
from resume_gate.failpoints import FailpointCallback, pass_by
from resume_gate.ledger.files.store import RuntimeEventStore


@contextmanager
def driving(
    store: RuntimeEventStore, request: DriveRequest, *, failpoint: FailpointCallback = pass_by
) -> Iterator[Recorder]:
    """Hold the run's writer lock for one drive, and yield the recorder of its turn.

    ``recorder.ledger.events`` is the prefix that was planned. ``StalePlan`` where the ledger moved since the gate,
    ``BusyLedger`` where the old attempt still lives: both go back to the gate.
    """
    failpoint("P11")
    with store.open(request.run, expect=request.replay) as ledger:
        yield Recorder(ledger, invocation_id=request.invocation_id, turn_id=request.turn_id, failpoint=failpoint)
