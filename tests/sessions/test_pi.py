"""The verdicts on pi sessions: the call is there before its tool starts, so only a call without an end blocks."""

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats import pi
from resume_gate.sessions.source import Source
from tests.sessions.pi_rows import Session, clean
from tests.sessions.verdicts import jsonl, plan, reading, statuses, verdict


def test_a_finished_turn_is_safe() -> None:
    """Every call has its result."""
    assert verdict(pi, clean().data()) == "safe_replay"
    assert reading(pi, clean().data()).evidence == "write_ahead"


def test_an_open_turn_without_an_open_call_is_safe() -> None:
    """No call in the file means that none was run."""
    assert verdict(pi, Session().asks().data()) == "safe_replay"
    assert verdict(pi, Session().asks().calls("a").result("a").data()) == "safe_replay"


def test_a_call_at_the_end_without_a_result_blocks() -> None:
    """The tool may have run."""
    assert statuses(pi, Session().asks().calls("a").data()) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_a_result_blocks() -> None:
    """A resume that went on past a call settles nothing."""
    assert statuses(pi, Session().asks().calls("a").asks("go on").says().data()) == {"a": "indeterminate"}


def test_of_two_parallel_calls_the_one_without_a_result_blocks() -> None:
    """A sibling's result is not its own."""
    session = Session().asks().calls("a", "b").result("a")
    assert statuses(pi, session.data()) == {"a": "succeeded", "b": "indeterminate"}


def test_a_call_on_a_dead_branch_counts() -> None:
    """The agent goes on without it, the world does not."""
    session = Session().asks().calls("a").asks("other way", parentId="e1").says()
    found = reading(pi, session.data())
    assert found.path is not None
    assert {event.id for event in found.events} - found.path == {"e2"}
    assert verdict(pi, session.data()) == "blocked"


def test_a_result_without_its_call_blocks() -> None:
    """An orphan proves that a row is missing."""
    found = plan(pi, Session().asks().result("lost").says().data())
    assert "unmatched_tool_result" in {diagnostic.code for diagnostic in found.diagnostics}


def test_one_call_id_twice_in_a_message_blocks() -> None:
    """Nobody knows which of the two the result is for."""
    assert verdict(pi, Session().asks().calls("a", "a").result("a").says().data()) == "blocked"


def test_a_call_id_that_comes_again_later_is_another_call() -> None:
    """Some services number the calls of each answer anew."""
    again = Session().asks().calls("c0").result("c0").calls("c0").result("c0", "more").says()
    assert verdict(pi, again.data()) == "safe_replay"
    assert verdict(pi, Session().asks().calls("c0").result("c0").calls("c0").data()) == "blocked"


def test_calls_without_an_id_are_paired_in_order() -> None:
    """Two calls and two results leave none open, one result leaves one."""
    session = Session().asks().calls(None, None).result(None)
    assert verdict(pi, session.data()) == "blocked"
    assert verdict(pi, session.result(None, "more").data()) == "safe_replay"


@pytest.mark.parametrize("stop", ["error", "aborted"])
def test_a_call_of_a_message_that_did_not_end_was_never_run(stop: str) -> None:
    """The agent looks for calls only in a message that ended by itself."""
    session = Session().asks().calls("a", stop=stop).calls("b").result("b").says()
    assert statuses(pi, session.data()) == {"a": "failed", "b": "succeeded"}
    assert verdict(pi, session.data()) == "safe_replay"


def test_a_result_of_a_call_that_cannot_have_run_blocks() -> None:
    """The rows contradict each other."""
    assert verdict(pi, Session().asks().calls("a", stop="error").result("a").data()) == "blocked"


@pytest.mark.parametrize(
    "text",
    [
        "Command aborted",
        "half of it\n\nCommand aborted",
        "Operation aborted",
        "Tool execution was interrupted; its outcome is unknown.",
    ],
)
def test_a_text_that_stands_for_a_result_is_none(text: str) -> None:
    """The agent writes it where it stopped a tool, or found no result on a resume."""
    session = Session().asks().calls("a").result("a", text, error=True).says(stop="aborted")
    assert statuses(pi, session.data()) == {"a": "indeterminate"}


def test_a_tool_that_failed_has_a_result() -> None:
    """An error that the tool raised is an outcome: failed."""
    session = Session().asks().calls("a").result("a", "boom\n\nCommand exited with code 3", error=True).says()
    assert statuses(pi, session.data()) == {"a": "failed"}


@pytest.mark.parametrize("command", ["./charge 7 &", "(sleep 4; ./charge 7) >/dev/null 2>&1 &", "setsid ./charge 7"])
def test_a_command_in_the_background_has_no_outcome(command: str) -> None:
    """The agent says nothing of what the shell left running."""
    session = Session().asks().calls("a", command=command).result("a", "(no output)").says()
    assert statuses(pi, session.data()) == {"a": "indeterminate"}


def test_a_compaction_hides_no_call() -> None:
    """The entries before it are still in the file, and are judged."""
    session = Session().asks().calls("a").entry("compaction", summary="paid", firstKeptEntryId="e4").asks().says()
    assert statuses(pi, session.data()) == {"a": "indeterminate"}


def test_an_older_session_has_no_tree() -> None:
    """Its entries have no ids; all of them count."""
    rows = [{key: value for key, value in row.items() if key not in ("parentId", "version")} for row in clean().rows]
    rows = [rows[0], *({key: value for key, value in row.items() if key != "id"} for row in rows[1:])]
    assert verdict(pi, jsonl(*rows)) == "safe_replay"
    assert reading(pi, jsonl(*rows)).path is None


def test_a_half_written_last_row_blocks() -> None:
    """It may be a call."""
    assert verdict(pi, clean().data() + b'{"type":"message","id') == "blocked"


@pytest.mark.parametrize("damage", [b'{"type":', b'{"a":1}{"b":2}', b'"x"', b"\xff"])
def test_a_damaged_row_in_the_middle_is_named(damage: bytes) -> None:
    """Half a session is none."""
    first, rest = clean().data().split(b"\n", 1)
    with pytest.raises(CorruptLedger) as caught:
        reading(pi, first + b"\n" + damage + b"\n" + rest)
    assert (caught.value.row, caught.value.byte) == (2, len(first) + 1)


def test_an_empty_file_is_no_session() -> None:
    """Who reads it all the same learns nothing."""
    assert pi.why_not(Source("x", b"")) is not None
    assert pi.read(Source("x", b""), "s").hides is not None
