"""A row that stands in the file again is no news: above all, it settles no later call of the same id."""

from resume_gate.sessions.formats import pi
from resume_gate.sessions.formats.claude_code import session as claude_code
from tests.sessions import claude_rows, pi_rows
from tests.sessions.verdicts import jsonl, verdict


def test_a_copied_result_settles_no_later_call() -> None:
    """The later call of that id is open, whatever the copy says."""
    chat = claude_rows.Chat().asks().calls("c0").result("c0").calls("c0").asks("[Request interrupted by user]").says()
    session = pi_rows.Session().asks().calls("c0").result("c0").calls("c0").asks("go on").says()
    for reader, rows, result in ((claude_code, chat.rows, 2), (pi, session.rows, 3)):
        assert verdict(reader, jsonl(*rows)) == "blocked"
        assert verdict(reader, jsonl(*rows, rows[result])) == "blocked"


def test_a_copied_session_is_the_same_session() -> None:
    """Also where its calls have no ids, and its results are alike."""
    chat = claude_rows.Chat().asks().calls(None, None).result(None).result(None).says()
    session = pi_rows.Session().asks().calls(None, None).result(None).result(None).says()
    for reader, rows in ((claude_code, chat.rows), (pi, session.rows)):
        assert verdict(reader, jsonl(*rows, *rows[1:])) == "safe_replay"


def test_a_copied_result_settles_no_sibling_without_an_id() -> None:
    """Two calls, one result, twice in the file."""
    session = pi_rows.Session().asks().calls(None, None).result(None)
    assert verdict(pi, jsonl(*session.rows, session.rows[-1])) == "blocked"


def test_a_call_under_an_id_that_was_there_before_counts() -> None:
    """A row with the id of another, and with a call that is not in it, is no copy."""
    session = pi_rows.clean()
    changed = pi_rows.Session().asks().calls("b").rows[-1]
    assert changed["id"] == session.rows[2]["id"]
    assert verdict(pi, jsonl(*session.rows, changed)) == "blocked"
