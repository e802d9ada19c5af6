"""A store of one framework's is of no other format, and neither odd bytes nor odd databases make the question fail."""

import json
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_gate.sessions.catalog import READERS
from resume_gate.sessions.formats import openai_agents, pydantic_ai
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.source import Source, open_source
from tests.sessions import adk_rows, langgraph_rows, openai_rows, pydantic_parts
from tests.sessions.stores import Fill, store

OURS: list[Any] = [google_adk, langgraph, openai_agents, pydantic_ai]
FILLS: dict[str, Fill] = {
    "google-adk": adk_rows.clean().fill(),
    "langgraph": langgraph_rows.clean().fill(),
    "openai-agents": openai_rows.clean().fill(),
}
FILES: dict[str, bytes] = {
    "google-adk": json.dumps(adk_rows.clean().json()).encode(),
    "pydantic-ai": pydantic_parts.clean().data(),
}


def _takers(path: Path) -> list[str]:
    with open_source(path) as source:
        return [reader.FORMAT for reader in READERS if reader.why_not(source) is None]


@pytest.mark.parametrize("name", FILLS)
def test_a_database_is_of_one_format(tmp_path: Path, name: str) -> None:
    """Its tables say which."""
    assert _takers(store(tmp_path / "s.db", FILLS[name])) == [name]


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_of_one_format(tmp_path: Path, name: str) -> None:
    """Its keys say which."""
    (tmp_path / "s.json").write_bytes(FILES[name])
    assert _takers(tmp_path / "s.json") == [name]


@pytest.mark.parametrize("table", ["events (id)", "checkpoints (thread_id)", "agent_messages (id)", "x (y)"])
def test_a_database_of_other_tables_is_of_no_format(tmp_path: Path, table: str) -> None:
    """Names alone say nothing."""
    assert _takers(store(tmp_path / "s.db", lambda db: db.execute(f"CREATE TABLE {table}"))) == []


def test_a_history_before_its_first_answer_is_an_empty_array() -> None:
    """So pydantic-ai writes it, and only its reader takes it."""
    assert [reader.FORMAT for reader in READERS if reader.why_not(Source("x", b"[]")) is None] == ["pydantic-ai"]


@pytest.mark.parametrize("reader", OURS, ids=lambda reader: reader.FORMAT)
@given(data=st.binary(max_size=200) | st.sampled_from([b"[" * 100_000, b'{"a":' * 100_000, b"null", b"{}", b"[7]"]))
def test_no_bytes_make_the_question_fail(reader: Any, data: bytes) -> None:
    """The answer is a sentence."""
    why = reader.why_not(Source("x", data))
    assert why is None or why.endswith(".")


@pytest.mark.parametrize("reader", OURS, ids=lambda reader: reader.FORMAT)
@given(data=st.data())
def test_no_damage_makes_the_question_fail(reader: Any, data: st.DataObject) -> None:
    """Wherever in a database it is."""
    damaged = bytearray(_whole())
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=64)):
        damaged[place] ^= data.draw(st.integers(1, 255))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(bytes(damaged))
        why = reader.why_not(Source("d", b"", connection))
    assert why is None or why.endswith(".")


@cache
def _whole() -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        FILLS["langgraph"](connection)
        FILLS["openai-agents"](connection)
        connection.commit()
        return connection.serialize()
