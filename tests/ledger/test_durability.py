"""Appended rows are synced to the disk unless the caller leaves that out (contract section 3)."""

import os
from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore
from resume_gate.ledger.files.store import Durability
from tests.ledger.kit import RUN, event, path_of


def synced(root: Path, monkeypatch: pytest.MonkeyPatch, durability: Durability) -> list[tuple[int, int]]:
    """Make a ledger and append to it; return device and inode of everything that was synced, in order."""
    found: list[tuple[int, int]] = []
    sync = os.fsync

    def watched(fd: int) -> None:
        status = os.fstat(fd)
        found.append((status.st_dev, status.st_ino))
        sync(fd)

    monkeypatch.setattr(os, "fsync", watched)
    with RuntimeEventStore(root, durability=durability).open(RUN) as ledger:
        ledger.append(event("a"))
        ledger.append(event("b"))
    return found


def identity(path: Path) -> tuple[int, int]:
    """Return device and inode."""
    return path.stat().st_dev, path.stat().st_ino


def test_by_default_every_append_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both rows are synced, after every directory on the way, whoever made it."""
    path = path_of(tmp_path)
    path.parent.mkdir(parents=True)
    found = synced(tmp_path, monkeypatch, "sync")
    assert found[-2:] == [identity(path)] * 2
    if os.name != "nt":
        assert set(found[:-2]) == {identity(part) for part in path.parents if part.is_relative_to(tmp_path)}


def test_for_a_process_alone_nothing_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are with the operating system, and the disk is not waited for."""
    assert synced(tmp_path, monkeypatch, "process") == []
    assert path_of(tmp_path).read_bytes().count(b"\n") == 2
