"""A format that is named overrides what a file looks like; what then cannot be read of it is never safe."""

import json
from pathlib import Path

import pytest

from resume_gate.sessions.catalog import FORMATS
from resume_gate.sessions.judging import judge_file
from tests.sessions import adk_rows, claude_rows, codex_rows, langgraph_rows, openai_rows, pi_rows, pydantic_parts
from tests.sessions.stores import Fill, store

FILES: dict[str, bytes] = {
    "claude-code": claude_rows.Chat().asks().calls("a").data(),
    "codex": codex_rows.Rollout().asks().calls("a").data(),
    "pi": pi_rows.Session().asks().calls("a").data(),
    "pydantic-ai": pydantic_parts.History().asks().calls("a").data(),
    "google-adk": json.dumps(adk_rows.Session().asks().calls("a").json()).encode(),
    "chat messages": b'[{"role": "assistant", "tool_calls": [{"id": "a"}]}]',
    "nothing": b"",
    "an object": b"{}",
}
STORES: dict[str, Fill] = {
    "google-adk": adk_rows.Session().asks().calls("a").fill(),
    "langgraph": langgraph_rows.Thread().asks().calls("a").fill(),
    "openai-agents": openai_rows.Chat().asks().calls("a").fill(),
}


@pytest.mark.parametrize("named", FORMATS)
@pytest.mark.parametrize("of", [*FILES, *(f"{name} store" for name in STORES)])
def test_an_open_call_is_safe_under_no_name(tmp_path: Path, named: str, of: str) -> None:
    """Whatever is declared; a file that holds no session of that format at all has no verdict either."""
    path = tmp_path / "session"
    if of in FILES:
        path.write_bytes(FILES[of])
    else:
        store(path, STORES[of.removesuffix(" store")])
    for declared in (False, True):
        assert not any(one.plan.safe for one in judge_file(path, named=named, declared=declared))
