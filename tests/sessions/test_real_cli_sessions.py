"""The readers against sessions that real agents left, most of them killed at a known moment, with the truth beside."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from resume_gate.sessions.formats import gemini_cli, pi
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.source import Source, open_source
from resume_gate.verdict.plan import build_resume_plan

_THERE = Path(__file__).parents[2].parent / "shared" / "sessions"
_READERS = {reader.FORMAT: reader for reader in (claude_code, codex, gemini_cli, pi)}
_ALL: list[dict[str, Any]] = json.loads((_THERE / "manifest.json").read_text()) if _THERE.is_dir() else []
_CASES = [case for case in _ALL if case["format"] in _READERS]

pytestmark = pytest.mark.skipif(not _CASES, reason="the real sessions are not beside this checkout")


def _verdicts(folder: Path) -> list[tuple[str, str]]:
    """Judge every file of a folder that a reader takes, as (format, verdict)."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with open_source(path) as source:
                found += [(reader.FORMAT, _verdict(reader, source)) for reader in _readers(source)]
    return found


def _readers(source: Source) -> list[ModuleType]:
    return [reader for reader in _READERS.values() if reader.why_not(source) is None]


def _verdict(reader: ModuleType, source: Source) -> str:
    (session,) = reader.sessions(source)
    reading = reader.read(source, session)
    return "blocked" if reading.hides else build_resume_plan(reading.events).disposition


@pytest.mark.parametrize("case", _CASES, ids=[case["key"] for case in _CASES])
def test_the_verdict_is_a_careful_judges(case: dict[str, Any]) -> None:
    """A folder's verdict is its worst file's; one hazard called safe would be a double effect.

    A folder without any file of the agent's is safe: it had written nothing yet, and such agents write first.
    """
    verdicts = _verdicts(_THERE / case["key"] / "session")
    assert {name for name, _ in verdicts} <= {case["format"]}
    verdict = "blocked" if any(found == "blocked" for _, found in verdicts) else "safe_replay"
    assert not (case["hazard"] and verdict == "safe_replay")
    assert verdict == case["alone"]
