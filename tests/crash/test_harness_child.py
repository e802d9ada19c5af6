"""The harness's child, seen from outside: what it does when it is not killed (contract section 8)."""

import json
from pathlib import Path

import pytest

from resume_gate import RunRef, RuntimeEventStore
from resume_gate.crash import harness
from resume_gate.crash.harness import await_report, finally_marker, start_child

RUN = RunRef("session_1", "run_1")


def test_a_child_that_is_let_go_runs_its_finally(tmp_path: Path) -> None:
    """Its stdin's end, as when the parent dies, ends it in order: so an absent marker does prove a kill."""
    arguments = (str(tmp_path), RUN.session_id, RUN.run_id, "after_terminal_event")
    with start_child("-m", "resume_gate.crash.child", *arguments) as child:
        report = json.loads(await_report(child))
        assert not finally_marker(tmp_path, RUN).exists()
    assert child.returncode == 0
    assert finally_marker(tmp_path, RUN).exists()
    prefix = RuntimeEventStore(tmp_path).read(RUN)
    assert [event.id for event in prefix.events] == report["eventIds"]
    assert prefix.digest == report["digest"]


def test_a_child_that_says_nothing_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that hangs is not waited for without end, and its report is empty."""
    monkeypatch.setattr(harness, "READY_WITHIN", 0.01)
    with start_child("-c", "import sys; sys.stdin.read()") as child:
        assert await_report(child) == ""
        child.wait(60)
    assert child.returncode != 0


def test_half_a_report_is_none() -> None:
    """A line without its end is not taken for a report."""
    with start_child("-c", "print('half', end='')") as child:
        assert await_report(child) == ""
