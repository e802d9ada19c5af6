"""The one repair that needs no judgement of a person's: what follows the last whole row was never committed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.ledger.files.file import CAREFULLY, sync_directories
from resume_gate.ledger.files.lock import WriterLock
from resume_gate.ledger.files.paths import LEDGER_NAME, kept_path, lock_path
from resume_gate.ledger.prefix import first_run, read_prefix


class Cut(NamedTuple):
    """What is left of a ledger, in events and bytes, and where the bytes that were cut off are kept."""

    events: int
    size: int
    kept: Path


def cut_back(path: Path) -> Cut | None:
    """Cut a torn last row off a ledger file and keep it in a file beside; ``None`` where nothing is torn.

    Nothing changes where the rows before it are damaged too, or where the file has another name, whose lock a writer
    may hold. Raises ``CorruptLedger`` then, ``BusyLedger`` while a writer lives, and ``OSError``.
    """
    if not stat.S_ISREG(path.lstat().st_mode):  # asked first: no lock file beside nothing, no waiting for a pipe
        raise CorruptLedger(f"{path} is a link, or no regular file; nothing was cut")
    with _opened(path) as file:
        _refuse_other_files(path, file.read())  # before the lock: nothing is left beside a file that is no ledger
        return _cut(path, file)


def _cut(path: Path, file: BinaryIO) -> Cut | None:
    with WriterLock(lock_path(path)):
        file.seek(0)
        data = file.read()
        size = data.rfind(b"\n") + 1
        events = _count(data[:size])
        if size == len(data):
            return None
        kept = kept_path(path, size, data[size:])
        _keep(kept, data[size:])
        _truncate(file, size, read=len(data))
    return Cut(events, size, kept)


def _refuse_other_files(path: Path, data: bytes) -> None:
    if b"\n" in data:
        first_run(data)
    elif path.name != LEDGER_NAME:
        raise CorruptLedger(f"{path} has no whole row to show that it is a ledger; nothing was cut")


def _count(whole: bytes) -> int:
    return read_prefix(first_run(whole), whole).high_water if whole else 0


def _opened(path: Path) -> BinaryIO:
    # One descriptor to read and to cut by: what another hand puts into the file's place meanwhile is never cut.
    file = os.fdopen(os.open(path, os.O_RDWR | CAREFULLY), "rb+", buffering=0)
    if os.fstat(file.fileno()).st_nlink > 1:
        file.close()
        raise CorruptLedger(f"{path} is a hard link: a writer of its other name would not be seen; nothing was cut")
    return file


def _keep(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CAREFULLY, 0o644), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync_directories([path.parent])  # before the cut: the bytes are never in neither file


def _truncate(file: BinaryIO, size: int, *, read: int) -> None:
    if os.fstat(file.fileno()).st_size != read:
        raise CorruptLedger("the ledger changed while it was read, by a hand without its lock; nothing was cut")
    os.ftruncate(file.fileno(), size)
    os.fsync(file.fileno())
