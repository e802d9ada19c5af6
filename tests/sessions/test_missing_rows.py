"""Where the rows themselves show that one of them is not there, it may have been a call."""

import pytest

from resume_gate.sessions.formats import pi
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from tests.sessions import claude_rows, codex_rows, pi_rows
from tests.sessions.codex_rows import Rollout
from tests.sessions.verdicts import jsonl, reading, verdict


def test_a_parent_that_is_not_there_was_a_row() -> None:
    """The words name it."""
    chat, session = claude_rows.clean().asks("go on").says(), pi_rows.clean().asks("go on").says()
    for reader, rows in ((claude_code, chat.rows), (pi, session.rows)):
        assert verdict(reader, jsonl(*rows)) == "safe_replay"
        lost = rows.pop(-2)
        found = reading(reader, jsonl(*rows)).hides
        assert found is not None
        assert str(lost.get("uuid", lost.get("id"))) in found


def test_a_number_that_is_left_out_was_a_row() -> None:
    """Newer versions of Codex number their rows; a fork may begin anew."""
    rows = [{**row, "ordinal": number} for number, row in enumerate(codex_rows.clean().rows)]
    assert verdict(codex, jsonl(*rows)) == "safe_replay"
    assert verdict(codex, jsonl(*rows, *codex_rows.clean().asks("x", "t2").rows)) == "safe_replay"
    assert verdict(codex, jsonl(*rows[:3], *rows[6:])) == "blocked"


def test_a_fork_hides_what_the_session_before_hid() -> None:
    """It copies the rows of an old version that wrote calls late, with an open turn among them."""
    old = Rollout("0.42.0").asks()
    fork = Rollout().rows + old.rows + Rollout().asks("go on", "t2").says("t2").rows[1:]
    assert reading(codex, jsonl(*fork)).evidence == "none"
    assert verdict(codex, jsonl(*fork)) == "blocked"


@pytest.mark.parametrize("kind", ["FileChange", "McpToolCall"])
def test_a_tool_that_ended_without_its_call_shows_a_missing_row(kind: str) -> None:
    """Not only a command does."""
    rollout = Rollout().asks().event("item_completed", item={"type": kind, "id": "lost", "status": "completed"})
    assert verdict(codex, rollout.says().data()) == "blocked"


def test_an_aborted_turn_of_an_old_version_hides_what_ran() -> None:
    """There a call was written when its tool had ended, which an abort did not wait for."""
    for version, expected in (("0.42.0", "blocked"), ("0.171.0", "safe_replay")):
        rollout = Rollout(version).asks().event("turn_aborted", turn_id="t1", reason="interrupted")
        assert verdict(codex, rollout.asks("go on", "t2").says("t2").data()) == expected
