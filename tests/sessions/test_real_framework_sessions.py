"""The readers against sessions that real frameworks left, most killed at a known moment: the truth lies beside."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from resume_gate.sessions.formats import openai_agents, pydantic_ai
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.source import open_source
from resume_gate.verdict.plan import build_resume_plan

_THERE = Path(__file__).parents[2].parent / "shared" / "sessions"
_READERS: dict[str, Any] = {reader.FORMAT: reader for reader in (google_adk, langgraph, openai_agents, pydantic_ai)}
_STORES = ("store.db", "history.json")
_SAID = ("sync", "pernode")
_ALL: list[dict[str, Any]] = json.loads((_THERE / "manifest.json").read_text()) if _THERE.is_dir() else []
_CASES = [case for case in _ALL if case["format"] in _READERS]
_DECLARED = [case for case in _CASES if set(_SAID) & set(case["key"].partition("/")[0].split("-"))]

pytestmark = pytest.mark.skipif(not _CASES, reason="the real sessions are not beside this checkout")


def _name(case: dict[str, Any]) -> str:
    return str(case["key"])


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a copy of the case's folder."""
    case: dict[str, Any] = request.getfixturevalue("case")
    return Path(shutil.copytree(_THERE / case["key"], tmp_path / "session"))


def _verdict(folder: Path, case: dict[str, Any], *, declared: bool) -> str:
    """Judge a folder; a store or a session that is not there is no evidence."""
    reader = _READERS[case["format"]]
    for path in (folder / name for name in _STORES if (folder / name).exists()):
        with open_source(path) as source:
            assert reader.why_not(source) is None
            for session in reader.sessions(source):
                found = reader.read(source, session, declared=declared)
                return "blocked" if found.hides else build_resume_plan(found.events).disposition
    return "blocked"


@pytest.mark.parametrize("case", _CASES, ids=_name)
def test_a_session_gets_the_verdict_that_it_gives_alone(folder: Path, case: dict[str, Any]) -> None:
    """Never safe where an effect is in the world whose result is not in it; safe wherever that can be known."""
    verdict = _verdict(folder, case, declared=False)
    assert verdict == case["alone"]
    assert not (case["hazard"] and verdict == "safe_replay")


@pytest.mark.parametrize("case", _DECLARED, ids=_name)
def test_a_session_gets_the_verdict_that_its_host_makes_possible(folder: Path, case: dict[str, Any]) -> None:
    """Declared only where it is true."""
    verdict = _verdict(folder, case, declared=True)
    assert verdict == case["declared"]
    assert not (case["hazard"] and verdict == "safe_replay")


@pytest.mark.parametrize("case", _CASES, ids=_name)
def test_judging_a_session_changes_none_of_its_bytes(folder: Path, case: dict[str, Any]) -> None:
    """Also not of a WAL that a killed process left."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    _verdict(folder, case, declared=False)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
