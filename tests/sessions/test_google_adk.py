"""The verdicts on ADK's session databases: a call is stored before its tool starts, so only an open one blocks."""

from pathlib import Path
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.google_adk import session as google_adk
from tests.sessions.adk_rows import Session, clean
from tests.sessions.stores import codes_of, names, reading_of, statuses_of, store, unclosed, verdict_of

ABORTED = {"error": "Invocation was aborted by client."}
ASKS_FIRST = {"error": "This tool call requires confirmation, please approve or reject."}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database goes."""
    return tmp_path / "store.db"


def test_a_finished_turn_is_safe(path: Path) -> None:
    """Every call has its response."""
    store(path, clean().fill())
    assert verdict_of(google_adk, path) == "safe_replay"
    assert reading_of(google_adk, path).evidence == "write_ahead"


def test_an_open_turn_without_an_open_call_is_safe(path: Path) -> None:
    """No call in the database means that none was run."""
    store(path, Session().asks().fill("s1"), Session().asks().calls("a").answers("a").fill("s2"))
    assert [verdict_of(google_adk, path, name) for name in names(google_adk, path)] == ["safe_replay", "safe_replay"]


def test_a_call_at_the_end_without_a_response_blocks(path: Path) -> None:
    """The tool may have run."""
    assert statuses_of(google_adk, store(path, Session().asks().calls("a").fill())) == [("a", "indeterminate")]


def test_a_call_in_the_middle_without_a_response_blocks(path: Path) -> None:
    """A later invocation that went on past a call settles nothing."""
    session = Session().asks().calls("a").asks("i2").says()
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_of_two_parallel_calls_the_one_without_a_response_blocks(path: Path) -> None:
    """A sibling's response is not its own."""
    session = Session().asks().calls("a", "b").answers("b")
    expected = [("a", "indeterminate"), ("b", "succeeded")]
    assert statuses_of(google_adk, store(path, session.fill())) == expected


def test_an_error_that_the_tool_answered_is_a_result(path: Path) -> None:
    """It failed, and its outcome is known."""
    session = Session().asks().calls("a").answers("a", value={"error": "no funds"}).says()
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "failed")]


def test_an_error_of_the_invocation_settles_no_call(path: Path) -> None:
    """A tool that raised may have acted before."""
    session = Session().asks().calls("a").event("cashier", error_code="RuntimeError", error_message="timed out")
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_what_seals_an_aborted_invocation_is_no_result(path: Path) -> None:
    """ADK answers the open calls itself."""
    session = Session().asks().calls("a").answers("a", value=ABORTED, error_code="INVOCATION_ABORTED")
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_a_call_that_waits_for_a_person_is_open(path: Path) -> None:
    """What asks for the confirmation stands where the response will."""
    session = Session().asks().calls("a")
    session.answers("a", value=ASKS_FIRST, actions={"requested_tool_confirmations": {"a": {"hint": ""}}})
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_a_confirmed_call_is_settled_by_its_second_response(path: Path) -> None:
    """It comes in a later invocation, under the same id."""
    session = Session().asks().calls("a").answers("a", value=ASKS_FIRST).asks("i2").answers("a").says()
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "succeeded")]


def _rejected(*answers: dict[str, Any]) -> Session:
    """Build a session whose one call was asked about, answered so, and then rejected."""
    session = Session().asks().calls("a").answers("a", value=ASKS_FIRST)
    for number, answer in enumerate(answers):
        asks = {"id": f"c{number}", "name": "adk_request_confirmation"}
        args = {"originalFunctionCall": {"id": "a", "name": "pay"}} if number else {}
        session.event("cashier", {"function_call": {**asks, "args": args}}, long_running_tool_ids=[f"c{number}"])
        session.event("user", {"function_response": {**asks, "response": answer}})
    return session.answers("a", value={"error": "This tool call is rejected."}).says()


def test_a_call_that_a_person_rejected_never_ran(path: Path) -> None:
    """The tool asks before it starts, and the answers are all in the session."""
    store(path, _rejected({"confirmed": False}).fill())
    assert ("a", "failed") in statuses_of(google_adk, path)
    assert verdict_of(google_adk, path) == "safe_replay"


@pytest.mark.parametrize("first", [{"confirmed": True}, {"response": '{"confirmed": true}'}])
def test_a_call_that_was_confirmed_before_it_was_rejected_is_open(path: Path, first: dict[str, Any]) -> None:
    """It may have run between the two answers."""
    store(path, _rejected(first, {"confirmed": False}).fill())
    assert ("a", "indeterminate") in statuses_of(google_adk, path)


def test_another_calls_confirmation_opens_no_rejected_one(path: Path) -> None:
    """What was asked about names the call."""
    session = _rejected({"confirmed": False}).calls("b").answers("b", value=ASKS_FIRST)
    asks = {"id": "c", "name": "adk_request_confirmation"}
    args = {"originalFunctionCall": {"id": "b", "name": "pay"}}
    session.event("cashier", {"function_call": {**asks, "args": args}}, long_running_tool_ids=["c"])
    session.event("user", {"function_response": {**asks, "response": {"confirmed": True}}}).answers("b").says()
    assert verdict_of(google_adk, store(path, session.fill())) == "safe_replay"


def test_a_long_running_call_is_open_until_its_final_answer(path: Path) -> None:
    """Its tool's own answer only says that it goes on, and so may any that follows."""
    pending = {"status": "pending"}
    session = Session().asks().calls("a", long=("a",)).answers("a", value=pending).says()
    store(path, session.fill("s1"), session.answers("a", value={"status": "in_progress"}, author="user").fill("s2"))
    for name in names(google_adk, path):
        assert statuses_of(google_adk, path, name) == [("a", "indeterminate")]


@pytest.mark.parametrize("value", [{"status": "approved"}, {"result": "yes"}, {"error": "no funds"}])
def test_the_last_of_several_answers_settles_a_long_running_call(path: Path, value: dict[str, str]) -> None:
    """A final one, given by the client."""
    session = Session().asks().calls("a", long=("a",)).answers("a", value={"status": "pending"}).says()
    session.asks("i2").answers("a", value=value, author="user").says()
    assert verdict_of(google_adk, store(path, session.fill())) == "safe_replay"


def test_an_answer_that_goes_on_is_no_result(path: Path) -> None:
    """A streaming tool says so in its first answer."""
    started = {"status": "The function is running asynchronously and the results are pending."}
    session = Session().asks().calls("a").answers("a", value=started)
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_code_that_ran_on_the_host_is_a_call(path: Path) -> None:
    """Its result is an event of its own."""
    code = {"executable_code": {"code": "pay(7)", "language": "PYTHON"}}
    done = {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "paid"}}
    session = Session().asks().event("cashier", code)
    store(path, session.fill("s1"), session.event("cashier", done).fill("s2"))
    assert [verdict_of(google_adk, path, name) for name in ("s1", "s2")] == ["blocked", "safe_replay"]


def test_calls_without_ids_are_known_by_their_name(path: Path) -> None:
    """Two of one name are answered in their order."""
    session = Session().asks().calls(None, None)
    store(path, session.answers(None).fill("s1"), session.answers(None).fill("s2"))
    assert [status for _, status in statuses_of(google_adk, path, "s1")] == ["succeeded", "indeterminate"]
    assert verdict_of(google_adk, path, "s2") == "safe_replay"


def test_an_answer_without_a_call_is_corrupt(path: Path) -> None:
    """Something is missing before it."""
    store(path, Session().asks().answers("a").says().fill())
    assert codes_of(google_adk, path) == {"tool_ledger_corruption", "unmatched_tool_result"}


def test_one_id_for_two_calls_of_one_event_is_corrupt(path: Path) -> None:
    """Which of them the answer is for, nobody knows."""
    store(path, Session().asks().calls("a", "a").answers("a").fill())
    assert "tool_recovery_corruption" in codes_of(google_adk, path)


def test_a_second_answer_is_corrupt(path: Path) -> None:
    """A call that is not long-running ends once."""
    store(path, Session().asks().calls("a").answers("a").answers("a").fill())
    assert "tool_recovery_corruption" in codes_of(google_adk, path)


def test_an_id_that_comes_again_is_another_call(path: Path) -> None:
    """In another event or invocation; an answer is for the latest."""
    session = Session().asks().calls("a").asks("i2").calls("a").answers("a").calls("a").answers("a").says()
    expected = [("a", "indeterminate"), ("a", "succeeded"), ("a", "succeeded")]
    assert statuses_of(google_adk, store(path, session.fill())) == expected


def test_a_workflow_that_has_no_output_hides_what_its_nodes_did(path: Path) -> None:
    """They are functions, and no call is written before they act."""
    session = Session().asks()
    node = {"path": "wf@1/charge@1", "output_for": ["wf@1/charge@1", "wf@1"]}
    session.event("wf", output="charged", node_info=node)
    store(path, session.fill("s1"), session.asks("i2").fill("s2"), session.asks("i3").fill("s3"))
    store(path, session.event("wf", output="charged", node_info=node).fill("s4"))
    found = [verdict_of(google_adk, path, name) for name in names(google_adk, path)]
    assert found == ["safe_replay", "blocked", "blocked", "blocked"]


def test_what_a_tool_left_in_the_background_is_no_outcome(path: Path) -> None:
    """Its answer says nothing about how that ends."""
    shell = {"function_call": {"id": "a", "name": "pay", "args": {"command": "./charge 7 &"}}}
    session = Session().asks().event("cashier", shell).answers("a").says()
    assert statuses_of(google_adk, store(path, session.fill())) == [("a", "indeterminate")]


def test_a_session_without_an_event_is_no_evidence(path: Path) -> None:
    """Nothing says what was asked of it."""
    assert verdict_of(google_adk, store(path, Session().fill())) == "blocked"


def test_sessions_of_one_id_are_told_apart_by_their_users(path: Path) -> None:
    """Each is judged alone."""
    store(path, clean().fill(user="u"), Session().asks().calls("a").fill(user="v"), clean().fill("s2"))
    assert names(google_adk, path) == ["app/u/s1", "app/v/s1", "s2"]
    assert [verdict_of(google_adk, path, name) for name in names(google_adk, path)] == [
        "safe_replay",
        "blocked",
        "safe_replay",
    ]


def test_what_is_only_in_the_wal_is_read(path: Path) -> None:
    """A killed process leaves it there, and reading changes no byte of it."""
    assert statuses_of(google_adk, unclosed(path, Session().asks().calls("a").fill())) == [("a", "indeterminate")]


@pytest.mark.parametrize(
    "row", ["{", "[]", '{"a": 1}{"b": 2}', '{"content": 7, "author": "user"}', '{"content": {"parts": [7]}}']
)
def test_a_bad_row_in_the_middle_is_damage(path: Path, row: str) -> None:
    """Never half a session."""
    store(path, clean().fill(), lambda db: db.execute("UPDATE events SET event_data = ? WHERE rowid = 2", (row,)))
    with pytest.raises(CorruptLedger):
        verdict_of(google_adk, path)


def test_the_table_of_an_older_service_is_read(path: Path) -> None:
    """There an event has a column for each of its parts, and its actions are a pickle, which nothing runs."""
    columns = "id, app_name, user_id, session_id, invocation_id, author, content, actions, timestamp"
    store(
        path,
        Session().fill(),
        lambda db: db.execute("DROP TABLE events"),
        lambda db: db.execute(f"CREATE TABLE events ({columns}, long_running_tool_ids_json, partial)"),
        lambda db: db.execute(
            "INSERT INTO events VALUES ('e1', 'app', 'u', 's1', 'i', 'cashier', ?, ?, '2026-11-01 10:00:00', NULL, 0)",
            ('{"parts": [{"function_call": {"id": "a", "name": "pay", "args": {}}}]}', b"\x80\x04"),
        ),
    )
    assert statuses_of(google_adk, path) == [("a", "indeterminate")]
