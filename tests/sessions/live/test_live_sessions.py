"""Each framework, killed before, inside and after its tool: what it leaves is never called safe while it hides one."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from resume_gate.sessions.formats import openai_agents, pydantic_ai
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.source import open_source
from resume_gate.verdict.plan import build_resume_plan

_ROOT = Path(__file__).parents[3]
_NEEDS = {
    "google_adk": ("google.adk",),
    "langgraph": ("langgraph.checkpoint.sqlite", "langchain"),
    "openai_agents": ("agents.memory",),
    "pydantic_ai": ("pydantic_ai",),
}
_READERS: dict[str, Any] = {
    "google_adk": google_adk,
    "langgraph": langgraph,
    "openai_agents": openai_agents,
    "pydantic_ai": pydantic_ai,
}
_SAFE_ALONE = {
    "google_adk": {"clean", "after"},
    "langgraph": {"clean"},
    "openai_agents": {"clean"},
    "pydantic_ai": set[str](),
}
_SAFE_DECLARED = {**_SAFE_ALONE, "langgraph": {"clean", "after"}, "pydantic_ai": {"clean"}}


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _run(name: str, folder: Path, moment: str) -> Path:
    command = [sys.executable, "-m", f"tests.sessions.live.{name}_agent", str(folder), moment]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, timeout=100, check=False)
    assert done.returncode == (0 if moment == "clean" else 137), done.stderr.decode()
    return folder / ("history.json" if name == "pydantic_ai" else "store.db")


def _verdict(name: str, path: Path, *, declared: bool) -> str:
    with open_source(path) as source:
        assert _READERS[name].why_not(source) is None
        (session,) = _READERS[name].sessions(source)
        found = _READERS[name].read(source, session, declared=declared)
    return "blocked" if found.hides else build_resume_plan(found.events).disposition


@pytest.mark.parametrize("moment", ["clean", "before", "inside", "after"])
@pytest.mark.parametrize("name", _NEEDS)
def test_a_killed_agent_leaves_what_its_reader_says(tmp_path: Path, name: str, moment: str) -> None:
    """Alone, and where its host says truthfully when it writes."""
    if not all(map(_is_there, _NEEDS[name])):
        pytest.skip(f"not installed: {', '.join(_NEEDS[name])}")
    path = _run(name, tmp_path, moment)
    assert (tmp_path / "effects.txt").exists() == (moment != "before")
    verdicts = [_verdict(name, path, declared=declared) for declared in (False, True)]
    assert verdicts == ["safe_replay" if moment in safe[name] else "blocked" for safe in (_SAFE_ALONE, _SAFE_DECLARED)]
