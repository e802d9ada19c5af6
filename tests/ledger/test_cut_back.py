"""Cutting back a torn ledger: only what was never committed goes, and nothing is lost of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from resume_gate import BusyLedger, CorruptLedger
from resume_gate.ledger.files import repair
from resume_gate.ledger.files.lock import WriterLock
from resume_gate.ledger.files.paths import lock_path
from resume_gate.ledger.files.repair import cut_back
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
    assert {path} <= set(path.parent.iterdir()) <= {path, lock_path(path)}


@pytest.mark.parametrize("data", [b"do not lose this", b"do not\nlose this"])
def test_a_file_that_is_no_ledger_is_not_emptied(tmp_path: Path, data: bytes) -> None:
    """One line without its newline, under any other name than a ledger's, may be anything; nothing is left beside."""
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    with pytest.raises(CorruptLedger):
        cut_back(path)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


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


@pytest.mark.skipif(os.name == "nt", reason="neither pipes nor links for everyone there")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(path.with_name("torn"))])
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe would be waited for, and a link lead to a ledger with another lock."""
    (tmp_path / "torn").write_bytes(WHOLE[:-5])
    path = tmp_path / "runtime-events.jsonl"
    make(path)
    with pytest.raises(CorruptLedger, match="no regular file"):
        cut_back(path)
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "torn"]


def test_a_ledger_with_another_name_is_not_cut(tmp_path: Path) -> None:
    """A writer of the other name holds another lock: its half row is a row on its way."""
    path = write(tmp_path, WHOLE[:-5])
    other = tmp_path / "snapshot.jsonl"
    other.hardlink_to(path)
    with WriterLock(lock_path(path)), pytest.raises(CorruptLedger, match="hard link"):
        cut_back(other)
    assert path.read_bytes() == WHOLE[:-5]


@pytest.fixture
def meddling(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Return a list to put deeds in that happen when the torn bytes are kept and not yet cut."""
    deeds: list[Callable[[], object]] = []
    keep = repair._keep

    def keep_and_more(path: Path, data: bytes) -> None:
        keep(path, data)
        for deed in deeds:
            deed()

    monkeypatch.setattr(repair, "_keep", keep_and_more)
    return deeds


def test_a_ledger_restored_meanwhile_is_not_cut(tmp_path: Path, meddling: list[Callable[[], object]]) -> None:
    """What was put in the file's place after it was read keeps every row."""
    path = write(tmp_path, row("a") + b"torn")
    restored = tmp_path / "restored"
    restored.write_bytes(WHOLE)
    meddling.append(lambda: restored.replace(path))
    cut_back(path)
    assert path.read_bytes() == WHOLE


def test_a_ledger_that_grew_meanwhile_is_not_cut(tmp_path: Path, meddling: list[Callable[[], object]]) -> None:
    """A hand that writes without the lock may have made the row whole."""
    path = write(tmp_path, WHOLE[:-5])

    def finish() -> None:
        with path.open("ab") as file:
            file.write(WHOLE[-5:])

    meddling.append(finish)
    with pytest.raises(CorruptLedger, match="changed while it was read"):
        cut_back(path)
    assert path.read_bytes() == WHOLE


@pytest.mark.skipif(os.name == "nt", reason="a directory cannot be synced there")
def test_the_torn_bytes_are_on_the_disk_before_the_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that keeps them and its name are synced while the ledger is still whole."""
    path = write(tmp_path, WHOLE + b"torn")
    sizes: dict[int, int] = {}
    sync = os.fsync

    def watched(fd: int) -> None:
        sizes[os.fstat(fd).st_ino] = path.stat().st_size
        sync(fd)

    monkeypatch.setattr(os, "fsync", watched)
    cut = cut_back(path)
    assert cut is not None
    inodes = [each.stat().st_ino for each in (cut.kept, path.parent, path)]
    assert [sizes[inode] for inode in inodes] == [len(WHOLE) + 4, len(WHOLE) + 4, len(WHOLE)]
