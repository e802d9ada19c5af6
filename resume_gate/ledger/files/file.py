"""One append-only file: whole rows or nothing (contract section 3)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from resume_gate.errors import CorruptLedger

CAREFULLY = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags of every descriptor on a ledger: no link followed, none inherited, no byte translated."""


def read_whole(path: Path) -> bytes:
    """Return a file's bytes, following no link in its own place."""
    with os.fdopen(os.open(path, os.O_RDONLY | CAREFULLY), "rb") as file:
        return file.read()


def sync_directories(paths: Iterable[Path]) -> None:
    """Sync directories' entries to the disk."""
    # All of them, every time: whoever made one may have died before it could sync it.
    if os.name == "nt":  # a directory cannot be opened there, and its entries are journalled
        return
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


class LedgerFile:
    """A file whose only change is a whole ``append``; the caller holds the writer lock."""

    def __init__(self, path: Path, *, sync: bool) -> None:
        self._path = path
        self._sync = sync
        self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | CAREFULLY, 0o644)
        self._size = 0
        self._hash = hashlib.sha256()
        self._torn: str | None = None

    @property
    def digest(self) -> str:
        """``sha256:`` and the hex digest of the bytes read and appended."""
        return "sha256:" + self._hash.hexdigest()

    def read(self) -> bytes:
        """Return the whole file, once, before the first append."""
        data = read_whole(self._path)
        self._size = len(data)
        self._hash.update(data)
        return data

    def first_rows(self, count: int) -> bytes:
        """Return the bytes of the first rows again."""
        return b"".join(row + b"\n" for row in read_whole(self._path).split(b"\n", count)[:count])

    def append(self, data: bytes) -> None:
        """Write and sync the bytes, or cut the file back to where it was and raise.

        ``OSError`` after a clean cut; ``CorruptLedger`` where the cut failed too. The caller did ``check`` first.
        """
        size, grown = self._size + len(data), self._hash.copy()
        grown.update(data)
        try:
            self._write(data)
            if self._sync:
                os.fsync(self._fd)
        except BaseException as error:
            self._cut_back(error)
            raise
        # No call may stand here: an interrupt in one would leave the row in the file and its writer unaware of it.
        self._size, self._hash = size, grown

    def check(self) -> None:
        """Raise ``CorruptLedger`` where the file is not as its writer left it, in its place, whole and alone."""
        if self._torn is not None:
            raise CorruptLedger(self._torn)
        own = os.fstat(self._fd)
        try:
            named = self._path.lstat()
        except FileNotFoundError:
            named = None
        if named is None or not os.path.samestat(own, named):
            raise CorruptLedger(f"{self._path} was removed or replaced under its writer; nothing was written")
        if own.st_size != self._size:
            raise CorruptLedger(
                f"{self._path} holds {own.st_size} bytes where its writer left {self._size}; nothing was written"
            )

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._fd, rest) :]

    def _cut_back(self, cause: BaseException) -> None:
        try:
            os.ftruncate(self._fd, self._size)
            if self._sync:
                os.fsync(self._fd)
        except OSError as error:
            self._torn = (
                f"{self._path} has a torn row at byte {self._size}: an append failed ({cause}) and could not be undone "
                f"({error}); cut the file back to {self._size} bytes"
            )
            raise CorruptLedger(self._torn) from cause

    def close(self) -> None:
        """Close the descriptor; a second time does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
