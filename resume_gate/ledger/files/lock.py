"""The writer lock: an operating-system lock on a file beside the ledger, never deleted (contract section 3)."""

from __future__ import annotations

import errno
import os
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Self

from filelock import lock_descriptor

from resume_gate.errors import BusyLedger, ContractMisuse

LOCK_PATIENCE = 2.0
"""Seconds for which a held lock is tried again: a judge holds it for an instant, a writer for its life."""
_POLL = 0.02
_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_UNWRITABLE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_held: set[WriterLock] = set()


class WriterLock:
    """The one lock of one ledger, held from construction to ``close``; it dies with its process.

    Children do not inherit it, unless their parent passes ``fd`` on (``pass_fds``). Raises ``BusyLedger`` where
    another writer holds it for all of ``patience`` seconds, ``OSError`` where the file cannot be opened.
    """

    def __init__(self, path: Path, *, patience: float = LOCK_PATIENCE, flags: int = os.O_RDWR | os.O_CREAT) -> None:
        self._path = path
        self._fd: int | None = os.open(path, flags | _CAREFULLY, 0o644)
        _held.add(self)
        try:
            self._wait(patience)
        except BaseException:
            self.close()
            raise

    def _wait(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while not lock_descriptor(self.fd, blocking=False):
            if time.monotonic() >= deadline:
                raise BusyLedger(f"another process holds {self._path}: the old writer still lives, wait for its end")
            time.sleep(_POLL)

    @property
    def fd(self) -> int:
        """The locked descriptor, for a tool that should keep the run closed while it lives."""
        if self._fd is None:
            raise ContractMisuse(f"this process does not hold the lock on {self._path} (closed, or a forked child)")
        return self._fd

    def check(self) -> None:
        """Raise ``ContractMisuse`` where this process lost the lock: closed, forked, its descriptor or file gone."""
        try:
            held = os.path.samestat(os.fstat(self.fd), os.lstat(self._path))
        except OSError:
            held = False
        if not held:
            raise ContractMisuse(f"the lock on {self._path} was lost while it was held: nothing more is written")

    def close(self) -> None:
        """Give the lock up; a second time does nothing."""
        _held.discard(self)
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def judge_lock(path: Path, *, patience: float = LOCK_PATIENCE, create: bool = True) -> AbstractContextManager[object]:
    """Return the lock for whoever only reads.

    Where the lock file is not to be created, or this process may not, one that exists is locked all the same; where
    there is none, no writer was ever here. Raises ``BusyLedger`` and ``OSError`` as ``WriterLock`` does.
    """
    try:
        if create:
            return WriterLock(path, patience=patience)
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
    try:
        return WriterLock(path, patience=patience, flags=os.O_RDONLY)
    except FileNotFoundError:
        return nullcontext()


def _forget_in_child() -> None:
    # A forked child shares the lock's open file: while it kept the descriptor, the run would look alive.
    for lock in list(_held):
        lock.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
