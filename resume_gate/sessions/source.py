"""A foreign session's bytes, or its database, opened without changing a byte of it, not even of a WAL file."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from resume_gate.errors import CorruptLedger
from resume_gate.events.canonical import loads, too_deep

_SQLITE_HEAD = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
_COPIES = 5


class Source(NamedTuple):
    """One file: ``data`` for text formats, ``database`` (a private copy) for SQLite ones.

    ``unclosed``: a WAL lies beside the database. The last one to close it takes the WAL away, so whoever wrote it was
    killed, or still works.
    """

    name: str
    data: bytes
    database: sqlite3.Connection | None = None
    unclosed: bool = False

    @property
    def tables(self) -> frozenset[str]:
        """The database's table names; empty where it is none."""
        if self.database is None:
            return frozenset()
        rows = self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return frozenset(name for (name,) in rows)


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Open a session file. A database is copied with its WAL first, since opening one can fold the WAL into it.

    Raises ``OSError`` where it cannot be read, ``CorruptLedger`` where it is no regular file, a database is damaged, or
    does not hold still for a copy.
    """
    if not (path.is_dir() or stat.S_ISREG(path.stat().st_mode)):  # a pipe would be waited for
        raise CorruptLedger(f"{path} is no regular file")
    with path.open("rb") as file:
        is_database = file.read(len(_SQLITE_HEAD)) == _SQLITE_HEAD
    if not is_database:
        yield Source(path.name, path.read_bytes())
        return
    with TemporaryDirectory(prefix="session-") as place:
        copy = Path(place) / "copy.db"
        _copy(path, copy)
        unclosed = copy.with_name(copy.name + "-wal").exists()
        with closing(sqlite3.connect(copy)) as connection, damage_named():
            source = Source(path.name, b"", connection, unclosed)
            _ = source.tables  # a schema that cannot be read is damage, not a format that is not known
            yield source


def _copy(path: Path, copy: Path) -> None:
    """Copy a database and what lies beside it as they were at one moment; a mix of two could lack a call."""
    for _ in range(_COPIES):
        before = _stamps(path)
        with suppress(FileNotFoundError):  # it went away meanwhile, which shows in the stamps
            for suffix in before:
                shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        if before and _stamps(path) == before:
            return
        for suffix in before:
            Path(f"{copy}{suffix}").unlink(missing_ok=True)
    raise CorruptLedger("the database is being written just now: judge it again when its agent has stopped")


def _stamps(path: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for suffix in ("", *_BESIDE):
        with suppress(FileNotFoundError):
            stat = path.with_name(path.name + suffix).stat()
            found[suffix] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return found


@contextmanager
def damage_named() -> Iterator[None]:
    """Raise what SQLite says of a damaged database as ``CorruptLedger``."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as error:
        raise CorruptLedger(f"the database is damaged: {error}") from error


def json_rows(data: bytes) -> tuple[list[Any], bool]:
    """Return the rows of a JSONL file as plain values, and whether a torn one follows them.

    Strict: ``CorruptLedger`` names the row and byte of anything else that is not one JSON value on a line of its own.
    """
    *rows, tail = data.split(b"\n")
    torn = bool(tail.strip())
    if torn and _is_json(tail):  # whole, only its newline is missing: a row of its own
        rows, torn = [*rows, tail], False
    values = []
    start = 0
    for number, row in enumerate(rows, 1):
        if row.strip():
            values.append(_value(row, number, start))
        start += len(row) + 1
    return values, torn


def json_value(data: bytes) -> Any:
    """Return the one JSON value of a file; ``CorruptLedger`` where it is not one."""
    return _value(data, 1, 0)


def _value(row: bytes, number: int, start: int) -> Any:
    try:
        return _load(row)
    except ValueError as error:
        raise CorruptLedger(f"not strict JSON: {error}", row=number, byte=start) from error


def _load(row: bytes) -> Any:
    if too_deep(row):
        raise ValueError("nested too deeply")
    try:
        return msgspec.json.decode(row)
    except msgspec.MsgspecError:  # a lone surrogate or a wide number is data all the same
        return loads(row)


def _is_json(text: bytes) -> bool:
    try:
        _load(text)
    except ValueError:
        return False
    return True
