"""A file of one agent's is of no other's, and no bytes make the question fail."""

import json
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resume_gate.sessions.formats import gemini_cli, pi, vercel_ai
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.source import Source
from tests.sessions import claude_rows, codex_rows, pi_rows
from tests.sessions.verdicts import jsonl

READERS = [claude_code, codex, gemini_cli, pi, vercel_ai]
FILES: dict[str, bytes] = {
    "claude-code": claude_rows.clean().data(),
    "codex": codex_rows.clean().data(),
    "gemini-cli": jsonl({"sessionId": "s", "projectHash": "h", "startTime": "2026-11-01T10:00:00Z"}),
    "pi": pi_rows.clean().data(),
    "vercel-ai": json.dumps([{"id": "m", "role": "user", "parts": []}]).encode(),
}
OTHERS = [
    b"",
    b"\n\n",
    b"[]",
    b"{}",
    b"null",
    b"\x00\xff",
    b"hello\nworld\n",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    json.dumps([{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]}]).encode(),
    jsonl({"id": "e1", "invocationId": "i", "runId": "r", "sessionId": "s", "turnId": "t", "ts": 1}),
    jsonl({"type": "human", "data": {"content": "x"}}),
]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.FORMAT)
@pytest.mark.parametrize("name", FILES)
def test_a_reader_takes_its_own_files_only(reader: ModuleType, name: str) -> None:
    """The formats exclude each other, and the refusal is in words."""
    why = reader.why_not(Source("x", FILES[name]))
    assert (why is None) is (name == reader.FORMAT)
    assert why is None or "\n" not in why


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.FORMAT)
@pytest.mark.parametrize("data", OTHERS, ids=range(len(OTHERS)))
def test_other_files_are_of_none_of_them(reader: ModuleType, data: bytes) -> None:
    """Also empty, binary and very deep ones."""
    assert reader.why_not(Source("x", data)) is not None


@given(st.binary(max_size=200))
def test_no_bytes_make_the_question_fail(data: bytes) -> None:
    """Whatever they are, each reader answers."""
    for reader in READERS:
        answer = reader.why_not(Source("x", data))
        assert answer is None or isinstance(answer, str)
