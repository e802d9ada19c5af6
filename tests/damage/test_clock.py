"""A clock that jumps back changes no meaning: order is the file's, not the clock's."""

from __future__ import annotations

from pathlib import Path

from resume_gate import Recorder, RunRef, RuntimeEventStore, build_resume_plan


def test_times_that_go_back_are_taken_as_they_are(tmp_path: Path) -> None:
    """A turn whose every event is older than the last is planned like any other."""
    times = iter(range(1000, 0, -100))
    with RuntimeEventStore(tmp_path).open(RunRef("s", "r")) as ledger:
        turn = Recorder(ledger, invocation_id="i", turn_id="t", clock=lambda: next(times))
        turn.user("go")
        with turn.tool("a", "look", {}) as call:
            call.result = 1
        turn.end()
        plan = build_resume_plan(ledger.events)
    assert plan.safe
    assert plan.terminal_status == "completed"
