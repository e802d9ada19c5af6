"""Whatever stands in the rows of a session, it becomes a plan or a corruption error."""

import json
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_gate.errors import CorruptLedger
from resume_gate.events.codec import encode_event
from resume_gate.sessions.formats import gemini_cli, pi, vercel_ai
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.source import Source
from resume_gate.verdict.plan import build_resume_plan
from tests.sessions import claude_rows, codex_rows, pi_rows
from tests.sessions.spots import spots
from tests.sessions.verdicts import Row, jsonl

_SCALARS = [None, True, 0, -1, 2**63, 10**30, 1.5, 1e300, "", "a", "\ud83d", "2026-11-01T10:00:00Z", "0001-01-01"]
_ODD = st.sampled_from(_SCALARS) | st.lists(st.sampled_from(_SCALARS), max_size=2) | st.just({"a": {"id": None}})
_CHAT: list[Row] = [
    {"sessionId": "s", "projectHash": "h", "startTime": "2026-11-01T10:00:00Z"},
    {"id": "m1", "timestamp": "t", "type": "user", "content": "go"},
    {
        "id": "m2",
        "timestamp": "t",
        "type": "gemini",
        "content": "x",
        "toolCalls": [{"id": "a", "name": "n", "args": {}, "status": "success", "result": [{"text": "ok"}]}],
    },
    {"$set": {"messages": [{"id": "m1", "type": "user", "content": "go"}]}},
]
_MESSAGES: list[Row] = [
    {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "go"}]},
    {
        "id": "m2",
        "role": "assistant",
        "parts": [{"type": "tool-x", "toolCallId": "a", "state": "output-available", "input": {}, "output": 1}],
    },
]
_FILES: list[tuple[ModuleType, list[Row]]] = [
    (claude_code, claude_rows.clean().row("tools-used", tools=["Bash"]).rows),
    (codex, codex_rows.clean().script("s", "tools.exec_command({cmd: 'x'})", "Script completed\n").rows),
    (gemini_cli, _CHAT),
    (pi, pi_rows.clean().rows),
    (vercel_ai, _MESSAGES),
]


@pytest.mark.parametrize(("reader", "rows"), _FILES, ids=[reader.FORMAT for reader, _ in _FILES])
@given(data=st.data())
def test_odd_values_never_make_a_reader_fail(reader: ModuleType, rows: list[Row], data: st.DataObject) -> None:
    """Each row stays JSON; what stands in it is anything."""
    changed = json.loads(json.dumps(rows))
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(spots(changed)))
        container[key] = json.loads(json.dumps(data.draw(_ODD)))
    text = json.dumps(changed).encode() if reader is vercel_ai else jsonl(*changed)
    try:
        reading = reader.read(Source("x", text), "s")
    except CorruptLedger:
        return
    build_resume_plan(reading.events)
    for event in reading.events:
        encode_event(event)


@pytest.mark.parametrize(("reader", "rows"), _FILES[:4], ids=[reader.FORMAT for reader, _ in _FILES[:4]])
def test_a_cut_anywhere_is_a_shorter_session_that_says_so(reader: ModuleType, rows: list[Row]) -> None:
    """A cut inside a row always shows; a cut between rows is a shorter session."""
    text = jsonl(*rows)
    for end in range(1, len(text)):
        whole = text[end - 1 : end] == b"\n" or text[end : end + 1] == b"\n"
        found = reader.read(Source("x", text[:end]), "s")
        assert whole or found.hides is not None
