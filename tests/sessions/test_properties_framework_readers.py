"""Whatever stands in the rows of a store, it becomes a plan or a corruption error."""

import json
import sqlite3
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_gate.errors import CorruptLedger
from resume_gate.events.codec import encode_event
from resume_gate.sessions.formats import openai_agents, pydantic_ai
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.source import Source
from resume_gate.verdict.plan import build_resume_plan
from tests.sessions import adk_rows, langgraph_rows, openai_rows, pydantic_parts
from tests.sessions.spots import spots
from tests.sessions.stores import Fill, Row

_SCALARS = [None, True, 0, -1, 2**63, 10**30, 1.5, 1e300, "", "a", "\ud83d", "2026-11-01T10:00:00Z", "0001-01-01"]
_ODD = st.sampled_from(_SCALARS) | st.lists(st.sampled_from(_SCALARS), max_size=2) | st.just({"a": {"id": None}})


def _changed(data: st.DataObject, rows: Any, odd: st.SearchStrategy[Any] = _ODD) -> Any:
    changed = json.loads(json.dumps(rows))
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(spots(changed)))
        container[key] = json.loads(json.dumps(data.draw(odd)))
    return changed


def _judge(reader: Any, source: Source) -> None:
    """Read every session; the only way out but a plan is damage."""
    try:
        for session in reader.sessions(source):
            for declared in (False, True):
                found = reader.read(source, session, declared=declared)
                build_resume_plan(found.events)
                for event in found.events:
                    encode_event(event)
    except CorruptLedger:
        pass


def _database(fill: Fill) -> Source:
    connection = sqlite3.connect(":memory:")
    fill(connection)
    connection.commit()
    return Source("x", b"", connection)


@given(data=st.data())
def test_odd_histories_never_make_pydantic_ai_fail(data: st.DataObject) -> None:
    """Each message stays JSON; what stands in it is anything."""
    changed = _changed(data, pydantic_parts.clean().asks().calls("b").messages)
    _judge(pydantic_ai, Source("x", json.dumps(changed).encode()))


@given(data=st.data())
def test_odd_files_never_make_adk_fail(data: st.DataObject) -> None:
    """Each event stays JSON; what stands in it is anything."""
    changed = _changed(data, adk_rows.clean().calls("b", long=("b",)).json())
    _judge(google_adk, Source("x", json.dumps(changed).encode()))


@given(data=st.data())
def test_odd_rows_never_make_adk_fail(data: st.DataObject) -> None:
    """Each row stays JSON; what stands in it is anything."""
    session = adk_rows.clean().calls("b", long=("b",)).answers("b")
    session.events = _changed(data, session.events)
    _judge(google_adk, _database(session.fill()))


@given(data=st.data())
def test_odd_items_never_make_openai_agents_fail(data: st.DataObject) -> None:
    """Each item stays JSON; what stands in it is anything."""
    chat = openai_rows.clean().item(**openai_rows.hosted(output="x")).asks()
    items = _changed(data, [item for _, item in chat.items])
    chat.items = [(0, item) for item in items]
    _judge(openai_agents, _database(chat.fill()))


def _plain(value: Any) -> Any:
    """Return a thread's values with its objects as what they are made from."""
    if isinstance(value, msgspec.msgpack.Ext):
        return _plain(msgspec.msgpack.decode(value.data)[2])
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


@given(data=st.data())
def test_odd_checkpoints_never_make_langgraph_fail(data: st.DataObject) -> None:
    """Each blob stays MessagePack; what stands in it is anything."""
    odd = st.sampled_from([None, True, 0, -1, 2**60, 1.5, 1e300, "", "a"]) | st.just({"a": {"id": None}}) | st.just([7])
    thread = langgraph_rows.clean().asks().calls("b")
    rows: list[Row] = _changed(data, [_plain(row["value"]) for row in thread.rows], odd)
    for row, value in zip(thread.rows, rows, strict=True):
        row["blob"] = langgraph_rows.packed(value)
    _judge(langgraph, _database(thread.fill()))


@given(data=st.data())
def test_odd_bytes_never_make_langgraph_fail(data: st.DataObject) -> None:
    """Also where a blob is no MessagePack at all."""
    thread = langgraph_rows.clean()
    row = data.draw(st.sampled_from(thread.rows))
    blob = bytearray(langgraph_rows.packed(row["value"]))
    for _ in range(data.draw(st.integers(1, 4))):
        blob[data.draw(st.integers(0, len(blob) - 1))] = data.draw(st.integers(0, 255))
    row["blob"] = bytes(blob)
    _judge(langgraph, _database(thread.fill()))


@pytest.mark.parametrize("declared", [False, True])
def test_a_cut_history_is_never_a_shorter_one(declared: bool) -> None:
    """Of one JSON value no beginning is another."""
    data = pydantic_parts.clean().data()
    for end in range(1, len(data)):
        with pytest.raises(CorruptLedger):
            pydantic_ai.read(Source("x", data[:end]), "c-1", declared=declared)


def test_a_cut_thread_is_never_safe_alone() -> None:
    """Whatever was lost with a killed process: without its last checkpoint a thread is open."""
    for rows in range(len(langgraph_rows.clean().rows)):
        for writes in range(len(langgraph_rows.clean().writes) + 1):
            thread = langgraph_rows.clean()
            thread.rows, thread.writes = thread.rows[:rows], thread.writes[:writes]
            found = langgraph.read(_database(thread.fill()), "t1")
            assert found.hides is not None
