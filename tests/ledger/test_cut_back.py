"""Cutting back a torn ledger: only what was never committed goes, and nothing is lost of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate import BusyLedger, CorruptLedger
from resume_gate.locks import WriterLock
from resume_gate.paths import lock_path
from resume_gate.repair import cut_back
from tests.ledger.kit import ids, path_of, row, write

WHOLE = row("a") + row("b")


@pytest.mark.parametrize("torn", [b'{"id":"c"', row("c")[:-1], b"\0" * 512])
def test_a_torn_row_is_cut_off_and_kept(tmp_path: Path, torn: bytes) -> None:
    """The whole rows are a ledger again, and the torn bytes lie beside it."""
    cut = cut_back(write(tmp_path, WHOLE + torn))
    assert cut is not None
    assert (cut.events, cut.size, cut.kept.read_bytes()) == (2, len(WHOLE), torn)
    assert ids(tmp_path) == ["a", "b"]


def test_a_torn_first_row_leaves_an_empty_ledger(tmp_path: Path) -> None:
    """Where no event was ever committed, none is left."""
    cut = cut_back(write(tmp_path, WHOLE[:20]))
    assert cut is not None
    assert (cut.events, path_of(tmp_path).read_bytes()) == (0, b"")


def test_a_whole_ledger_is_left_as_it_is(tmp_path: Path) -> None:
    """Nothing is cut off a ledger that ends with a whole row."""
    path = write(tmp_path, WHOLE)
    assert cut_back(path) is None
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("data", [row("a") + b"{}\n" + WHOLE[:20], row("a") + b"{}\n", b"\n{", b"text\nmore text"])
def test_other_damage_is_not_cut(tmp_path: Path, data: bytes) -> None:
    """Where the rows before are no ledger either, every byte stays and no file is added."""
    path = write(tmp_path, data)
    with pytest.raises(CorruptLedger):
        cut_back(path)
    assert path.read_bytes() == data
    assert sorted(path.parent.iterdir()) == [path, lock_path(path)]


def test_a_file_that_is_no_ledger_is_not_emptied(tmp_path: Path) -> None:
    """One line without its newline, under any other name than a ledger's, may be anything."""
    path = tmp_path / "notes.txt"
    path.write_bytes(b"do not lose this")
    with pytest.raises(CorruptLedger, match="no whole row"):
        cut_back(path)
    assert path.read_bytes() == b"do not lose this"


def test_a_living_writers_ledger_is_not_cut(tmp_path: Path) -> None:
    """While a writer holds the lock, its half row is a row on its way."""
    path = write(tmp_path, WHOLE[:-5])
    with WriterLock(lock_path(path)), pytest.raises(BusyLedger):
        cut_back(path)
    assert path.read_bytes() == WHOLE[:-5]


def test_a_missing_ledger_gets_no_lock_file(tmp_path: Path) -> None:
    """A name that is mistyped leaves nothing behind."""
    with pytest.raises(FileNotFoundError):
        cut_back(tmp_path / "runtime-events.jsonl")
    assert list(tmp_path.iterdir()) == []
