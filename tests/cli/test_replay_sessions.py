"""``resume-gate replay`` of another agent's session: what its next model sees, off its own path nothing."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from resume_gate.cli.app import app
from tests.cli.test_check_sessions import ANSWER, ASKS, USER, _row, _session
from tests.sessions import openai_rows
from tests.sessions.stores import store

AGAIN = _row("d4e5f6a7", "a1b2c3d4", {"role": "user", "content": "charge order 8 instead"})


def _replay(*words: str) -> Result:
    return CliRunner().invoke(app, ["replay", *words])


def _roles(done: Result) -> list[str]:
    return [json.loads(row)["role"] for row in done.stdout.splitlines()]


def test_a_session_is_replayed_as_it_is(tmp_path: Path) -> None:
    """Each event is a row, and nothing is left beside the file."""
    done = _replay(str(_session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)))
    assert (done.exit_code, _roles(done)) == (0, ["user", "model", "tool"])
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_what_the_agent_left_behind_is_not_replayed(tmp_path: Path) -> None:
    """Where the session was gone back in, only the path to its leaf is seen."""
    done = _replay(str(_session(tmp_path / "x.jsonl", USER, ASKS, ANSWER, AGAIN)))
    assert (done.exit_code, _roles(done)) == (0, ["user", "user"])


def test_an_open_call_is_not_replayed(tmp_path: Path) -> None:
    """A call without a result is for the person, not for the model."""
    done = _replay(str(_session(tmp_path / "x.jsonl", USER, ASKS)))
    assert (done.exit_code, _roles(done)) == (0, ["user"])


def test_of_many_sessions_one_must_be_named(tmp_path: Path) -> None:
    """A database of two says which there are; an unknown file is no evidence, and says what it was compared with."""
    path = store(tmp_path / "s.db", openai_rows.clean().fill("s1"), openai_rows.clean().fill("s2"))
    done = _replay(str(path))
    assert (done.exit_code, "holds 2 sessions; name one of: s1, s2" in done.output) == (2, True)
    assert _replay(str(path), "--session", "s2").exit_code == 0
    (tmp_path / "x").write_text('{"hello": 1}\n', encoding="utf-8")
    unknown = _replay(str(tmp_path / "x"))
    assert (unknown.exit_code, "codex: " in unknown.output) == (3, True)
