"""One writer at a time (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import BusyLedger, RunRef
from tests.ledger.kit import LONG_PATIENCE, RUN, event, holder, ids, store


def test_a_second_writer_in_another_process_is_refused(tmp_path: Path) -> None:
    """While a process has the ledger open nobody else gets it, and its end frees it."""
    with holder(tmp_path), pytest.raises(BusyLedger, match="still lives"):
        store(tmp_path).open(RUN)
    store(tmp_path).open(RUN).close()


def test_a_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    """The lock is the writer's and not the process's; the refused one does not take it with it."""
    with store(tmp_path).open(RUN) as ledger:
        for _ in range(2):
            with pytest.raises(BusyLedger):
                store(tmp_path).open(RUN)
        ledger.append(event("a"))
    assert ids(tmp_path) == ["a"]


def test_a_held_lock_is_tried_again(tmp_path: Path) -> None:
    """A writer that ends within the patience of the next one is waited for."""
    with holder(tmp_path) as other:
        assert other.stdin is not None
        other.stdin.close()
        store(tmp_path, LONG_PATIENCE).open(RUN).close()


def test_other_runs_are_not_locked(tmp_path: Path) -> None:
    """Each run has its own lock."""
    with store(tmp_path).open(RUN), store(tmp_path).open(RunRef(RUN.session_id, "run_2")) as other:
        assert other.high_water == 0
