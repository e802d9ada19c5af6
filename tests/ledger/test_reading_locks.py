"""Whoever judges a run takes its lock (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import BusyLedger
from resume_gate.ledger.files.lock import WriterLock
from resume_gate.ledger.files.paths import lock_path
from resume_gate.ledger.files.store import read_file
from tests.ledger.kit import LONG_PATIENCE, RUN, event, holder, row, store, write


def test_a_live_writers_ledger_is_not_read(tmp_path: Path) -> None:
    """While a writer lives, in this process or another, its ledger is not judged."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        with pytest.raises(BusyLedger):
            store(tmp_path).read(RUN)
    with holder(tmp_path), pytest.raises(BusyLedger):
        store(tmp_path).read(RUN)


def test_a_reader_waits_for_a_writer_that_ends(tmp_path: Path) -> None:
    """A lock that is freed within the reader's patience does not stop it."""
    with holder(tmp_path) as other:
        assert other.stdin is not None
        other.stdin.close()
        assert store(tmp_path, LONG_PATIENCE).read(RUN).high_water == 0


def test_a_reader_gives_the_lock_back(tmp_path: Path) -> None:
    """Reading a good ledger or a bad one leaves it to the next writer."""
    path = write(tmp_path, row("a"))
    store(tmp_path).read(RUN)
    store(tmp_path).open(RUN).close()
    path.write_bytes(b"bad\n")
    with pytest.raises(Exception, match="row 1"):
        store(tmp_path).read(RUN)
    WriterLock(lock_path(path), patience=0).close()


def test_a_bare_file_is_read_under_its_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger named by its file alone is judged by the same rule."""
    monkeypatch.setattr("resume_gate.ledger.files.store.judge_lock", lambda path, **_: WriterLock(path, patience=0))
    path = write(tmp_path, row("a"))
    prefix = read_file(path)
    assert (prefix.run, prefix.high_water) == (RUN, 1)
    with store(tmp_path).open(RUN), pytest.raises(BusyLedger):
        read_file(path)


def test_nothing_is_left_beside_a_copy(tmp_path: Path) -> None:
    """A file of another name than a ledger's has no writer: it is read without making a lock, or under one there is."""
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(row("a"))
    assert read_file(copy).high_water == 1
    assert list(tmp_path.iterdir()) == [copy]
    with WriterLock(lock_path(copy)), pytest.raises(BusyLedger):
        read_file(copy)
