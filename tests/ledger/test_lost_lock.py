"""A writer that lost its lock writes nothing more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from resume_gate import ContractMisuse
from resume_gate.ledger.files.paths import ledger_path, lock_path
from tests.agent.kit import RUN, turn


def test_a_deleted_lock_file_stops_its_writer(tmp_path: Path) -> None:
    """Where somebody removed the lock file, another writer may be in: the first one's append is refused."""
    with turn(tmp_path) as recorder:
        lock_path(ledger_path(tmp_path, RUN)).unlink()
        with pytest.raises(ContractMisuse, match="was lost while it was held"):
            recorder.say("on")


def test_a_closed_descriptor_stops_its_writer(tmp_path: Path) -> None:
    """A tool that closes descriptors it does not own takes the lock away, and the next append says so."""
    with turn(tmp_path) as recorder:
        os.close(recorder.ledger.lock_fd)
        replaced = os.open(os.devnull, os.O_RDONLY)
        with pytest.raises(ContractMisuse, match="was lost while it was held"):
            recorder.say("on")
        if replaced != recorder.ledger.lock_fd:
            os.close(replaced)
