"""Several events are appended in one write and one sync, all of them or none (contract section 3)."""

import os
from pathlib import Path
from typing import Any

import pytest

from resume_gate import InvalidEvent
from tests.ledger.kit import RUN, event, path_of, row, syncing


class Calls:
    """Counts what reaches the operating system, and may shorten its writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most: int | None = None) -> None:
        """Watch from here on; no write takes more than ``most`` bytes."""
        self.writes = self.syncs = 0
        write, sync = os.write, os.fsync

        def counted_write(fd: int, data: Any) -> int:
            self.writes += 1
            return write(fd, data[:most])

        def counted_sync(fd: int) -> None:
            self.syncs += 1
            sync(fd)

        monkeypatch.setattr(os, "write", counted_write)
        monkeypatch.setattr(os, "fsync", counted_sync)


def test_many_events_take_one_write_and_one_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred rows are one system call each for writing and for syncing."""
    names = [f"event_{number}" for number in range(100)]
    with syncing(tmp_path).open(RUN) as ledger:
        calls = Calls(monkeypatch)
        ledger.append_all(map(event, names))
        assert (calls.writes, calls.syncs) == (1, 1)
        monkeypatch.undo()
    assert path_of(tmp_path).read_bytes() == b"".join(map(row, names))


def test_nothing_new_takes_no_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No events, and events that are there already, do not touch the disk."""
    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        calls = Calls(monkeypatch)
        ledger.append_all([])
        ledger.append_all([event("a"), event("a")])
        assert (calls.writes, calls.syncs) == (0, 0)
        monkeypatch.undo()


def test_one_bad_event_keeps_all_out(tmp_path: Path) -> None:
    """The good events beside a refused one are not written either, and may be appended afterwards."""
    with syncing(tmp_path).open(RUN) as ledger:
        with pytest.raises(InvalidEvent):
            ledger.append_all([event("a"), event("")])
        assert path_of(tmp_path).read_bytes() == b""
        assert ledger.high_water == 0
        ledger.append(event("a"))
    assert path_of(tmp_path).read_bytes() == row("a")


def test_short_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that takes a few bytes at a time still gets every row."""
    with syncing(tmp_path).open(RUN) as ledger:
        calls = Calls(monkeypatch, most=7)
        ledger.append_all([event("a"), event("b")])
        assert calls.writes > 2
        assert calls.syncs == 1
        monkeypatch.undo()
    assert path_of(tmp_path).read_bytes() == row("a") + row("b")
