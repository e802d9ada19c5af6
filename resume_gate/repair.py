"""The one repair that needs no judgement of a person's: what follows the last whole row was never committed."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.files import CAREFULLY, read_whole
from resume_gate.locks import WriterLock
from resume_gate.paths import LEDGER_NAME, lock_path
from resume_gate.prefix import first_run, read_prefix


class Cut(NamedTuple):
    """What is left of a ledger, in events and bytes, and where the bytes that were cut off are kept."""

    events: int
    size: int
    kept: Path


def cut_back(path: Path) -> Cut | None:
    """Cut a torn last row off a ledger file and keep it in a file beside; ``None`` where nothing is torn.

    Nothing changes where the rows before it are damaged too. Raises ``CorruptLedger`` then, ``BusyLedger`` while a
    writer lives, and ``OSError``.
    """
    if not stat.S_ISREG(path.lstat().st_mode):  # nor does a lock file come to lie beside nothing
        raise CorruptLedger(f"{path} is not a regular file")
    with WriterLock(lock_path(path)):
        data = read_whole(path)
        size = data.rfind(b"\n") + 1
        events = _count(path, data[:size])
        if size == len(data):
            return None
        kept = path.with_name(f"{path.name}.torn-{size}-{hashlib.sha256(data[size:]).hexdigest()[:8]}")
        _keep(kept, data[size:])
        _truncate(path, size)
    return Cut(events, size, kept)


def _count(path: Path, whole: bytes) -> int:
    if whole:
        return read_prefix(first_run(whole), whole).high_water
    if path.name != LEDGER_NAME:
        raise CorruptLedger(f"{path} has no whole row to show that it is a ledger; nothing was cut")
    return 0


def _keep(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CAREFULLY, 0o644), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _truncate(path: Path, size: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | CAREFULLY), "wb") as file:
        os.ftruncate(file.fileno(), size)
        os.fsync(file.fileno())
