"""An interrupt in the middle of an append never parts the writer from its file (contract section 3)."""

import os
import random
import signal
import sys
from pathlib import Path
from types import FrameType

import pytest

from resume_gate import ContractMisuse
from tests.ledger.kit import RUN, answer, event, path_of, row, syncing


def test_an_interrupted_append_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ctrl-C while the disk is waited for takes the row back, and the same row may be appended afterwards."""

    def interrupt(_fd: int) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            ledger.append(event("b"))
        assert path_of(tmp_path).read_bytes() == row("a")
        ledger.append(event("b"))
    assert path_of(tmp_path).read_bytes() == row("a") + row("b")


def test_an_append_inside_an_append_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal handler that writes while the disk is waited for gets an error, not a deadlock; both are undone."""

    def append_again(_fd: int) -> None:
        monkeypatch.undo()
        ledger.append(event("c"))

    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        monkeypatch.setattr(os, "fsync", append_again)
        with pytest.raises(ContractMisuse, match="under way"):
            ledger.append(event("b"))
        assert path_of(tmp_path).read_bytes() == row("a")
        ledger.append(event("d"))
    assert path_of(tmp_path).read_bytes() == row("a") + row("d")


def interrupted_at_random(root: Path) -> None:
    """Append while an alarm goes off at random moments; after each one, compare the writer with its file."""
    armed = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if armed:
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    moments = random.Random(7)  # noqa: S311 - no secret
    interrupts = 0
    with syncing(root).open(RUN) as ledger:
        for number in range(600):
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, moments.uniform(1e-5, 4e-4))
                ledger.append(event(f"event_{number}"))
            except KeyboardInterrupt:
                interrupts += 1
            armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert path_of(root).read_bytes() == b"".join(map(row, ledger.events))
    print(interrupts)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
def test_interrupts_at_random_moments_leave_writer_and_file_agreeing(tmp_path: Path) -> None:
    """Whenever the interrupt comes, what the writer knows is what the file holds, and it goes on."""
    assert int(answer(__file__, tmp_path)) > 0
    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("last"))


if __name__ == "__main__":
    interrupted_at_random(Path(sys.argv[1]))
