"""What the readers of databases share: tables known by their columns, damage with a name, rows of JSON."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import Any

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.source import Source, json_value

Key = tuple[str, ...]


def tables_with(source: Source, columns: frozenset[str]) -> list[str]:
    """Return the tables that have these columns; none where the source is no database, or a damaged one."""
    try:
        return sorted(name for name in source.tables if columns <= columns_of(source, name))
    except (sqlite3.Error, UnicodeError):
        return []


def columns_of(source: Source, table: str) -> frozenset[str]:
    """Return a table's columns."""
    return frozenset(row[0] for row in query(source, "SELECT name FROM pragma_table_info(?)", table))


def quoted(name: str) -> str:
    """Return a table's name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def query(source: Source, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a query; none where the source is no database."""
    return [] if source.database is None else source.database.execute(sql, values).fetchall()


def labelled(keys: Iterable[Key]) -> dict[str, Key]:
    """Name each session by the last part of its key, or by all of them where that is not unique."""
    unique = list(dict.fromkeys(keys))
    times = Counter(key[-1] for key in unique)
    return {key[-1] if times[key[-1]] == 1 else "/".join(key): key for key in unique}


def json_text(text: Any, row: int) -> Any:
    """Return the JSON value in a cell; ``CorruptLedger`` names the row where there is none."""
    if not isinstance(text, str | bytes):
        raise CorruptLedger("a row holds no JSON text", row=row, byte=0)
    try:
        return json_value(text.encode(errors="surrogatepass") if isinstance(text, str) else text)
    except CorruptLedger as error:
        raise CorruptLedger(error.why, row=row, byte=error.byte) from error


def json_object(text: Any, row: int) -> dict[str, Any]:
    """Return the JSON object in a cell; ``CorruptLedger`` names the row where there is none."""
    value = json_text(text, row)
    if not isinstance(value, dict):
        raise CorruptLedger("a row holds JSON that is no object", row=row, byte=0)
    return value
