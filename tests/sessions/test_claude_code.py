"""The verdicts on Claude Code sessions: a call without a real result, and an answer that never came, block."""

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.source import Source
from tests.sessions.claude_rows import ASYNC, Chat, clean
from tests.sessions.verdicts import Row, jsonl, plan, reading, statuses, verdict


def test_a_finished_turn_is_safe() -> None:
    """Every call has its result and the last answer ended the turn."""
    assert verdict(claude_code, clean().data()) == "safe_replay"


def test_a_call_at_the_end_without_a_result_blocks() -> None:
    """The tool may have run."""
    assert statuses(claude_code, Chat().asks().calls("a").data()) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_a_result_blocks() -> None:
    """A resume that went on past a call settles nothing."""
    chat = Chat().asks().calls("a").resumed().asks("go on").says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_of_two_parallel_calls_the_one_without_a_result_blocks() -> None:
    """A sibling's result is not its own."""
    chat = Chat().asks().calls("a", "b").result("a").says()
    assert statuses(claude_code, chat.data()) == {"a": "succeeded", "b": "indeterminate"}


def test_a_call_on_a_dead_branch_counts() -> None:
    """A resume can leave the call's row beside the way from the last row to the root."""
    chat = Chat().asks().says({"type": "text", "text": "now"}, stop="tool_use", message="m").calls("a", message="m")
    chat.asks("go on", parentUuid="u2").says()
    found = reading(claude_code, chat.data())
    assert found.path is not None
    assert {event.id for event in found.events} - found.path == {"u3"}
    assert verdict(claude_code, chat.data()) == "blocked"


def test_a_result_without_its_call_blocks() -> None:
    """An orphan result proves that a row is missing."""
    chat = Chat().asks().result("lost").says()
    assert "unmatched_tool_result" in {found.code for found in plan(claude_code, chat.data()).diagnostics}


def test_one_call_id_twice_in_a_message_blocks() -> None:
    """Nobody knows which of the two the result is for."""
    assert verdict(claude_code, Chat().asks().calls("a", "a").result("a").says().data()) == "blocked"


def test_a_call_id_that_comes_again_later_is_another_call() -> None:
    """Some services number the calls of each answer anew."""
    chat = Chat().asks().calls("call_0").result("call_0").calls("call_0").result("call_0", "more").says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_later_result_does_not_settle_an_older_call_of_the_same_id() -> None:
    """A result belongs to the latest call of its id."""
    chat = Chat().asks().calls("call_0").asks("again").calls("call_0").result("call_0").result("call_0", "two").says()
    assert verdict(claude_code, chat.data()) == "blocked"


def test_calls_without_an_id_are_paired_in_order() -> None:
    """Two calls, two results, none named: nothing is open."""
    chat = Chat().asks().calls(None, None).result(None, "one").result(None, "two").says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_call_without_an_id_and_without_a_result_blocks() -> None:
    """Two calls, one result, none named: one is open."""
    assert verdict(claude_code, Chat().asks().calls(None, None).result(None).says().data()) == "blocked"


@pytest.mark.parametrize("odd", [7, {"a": 1}, [], True])
def test_an_odd_call_id_is_an_id_all_the_same(odd: object) -> None:
    """Whatever stands as id links call and result."""
    chat = Chat().asks().calls(odd).result(odd).says()  # type: ignore[arg-type]
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_tool_that_failed_has_a_result() -> None:
    """An error that the tool raised is an outcome: failed."""
    chat = Chat().asks().calls("a").result("a", "Exit code 3", error=True, toolUseResult="Error: Exit code 3").says()
    assert statuses(claude_code, chat.data()) == {"a": "failed"}
    assert verdict(claude_code, chat.data()) == "safe_replay"


@pytest.mark.parametrize("kind", ["interrupted", "user-rejected", "cancelled", "some-new-kind"])
def test_a_denial_is_no_result(kind: str) -> None:
    """The program writes denials also for calls that had begun to act."""
    chat = Chat().asks().calls("a").result("a", "not executed", error=True, toolDenialKind=kind).says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_a_denial_by_rule_is_a_result() -> None:
    """Rules and hooks are asked before a tool starts, and say so by their own kind."""
    chat = Chat().asks().calls("a").result("a", "denied", error=True, toolDenialKind="permission-rule").says()
    assert statuses(claude_code, chat.data()) == {"a": "failed"}


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "[Request interrupted by user for tool use]",
        "Exit code 137\n[Request interrupted by user for tool use]",
        "[Tool call interrupted: its outcome is unknown.]",
        "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>",
    ],
)
def test_a_text_that_stands_for_a_result_is_none(text: str) -> None:
    """Older versions have no other mark of it."""
    chat = Chat().asks().calls("a").result("a", text, error=True).says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_an_interrupted_command_has_no_result() -> None:
    """Its output so far is not its outcome."""
    chat = Chat().asks().calls("a").result("a", "half", toolUseResult={"stdout": "half", "interrupted": True}).says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Command running in background with ID: b1.", {"backgroundTaskId": "b1"}),
        ("Command running in background with ID: b1.", None),
        ("so far\nCommand timed out after 2s and was moved to the background with ID: b1.", None),
        ("Async agent launched successfully.", ASYNC),
    ],
)
def test_a_result_that_says_still_running_is_no_outcome(text: str, beside: object) -> None:
    """The effect may come later."""
    chat = Chat().asks().calls("a").result("a", text, toolUseResult=beside).says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_an_ampersand_leaves_the_command_running() -> None:
    """The program says nothing of a process that the shell put in the background."""
    chat = Chat().asks().calls("a", args={"command": "./charge 7 >log 2>&1 &"}).result("a", "").says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def _notified(status: str, summary: str) -> Chat:
    notice = (
        "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>a</tool-use-id>\n"
        f"<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    )
    chat = Chat().asks().calls("a").result("a", "", toolUseResult={"backgroundTaskId": "b1"}).says()
    return chat.asks(notice, origin={"kind": "task-notification"}).says()


def test_a_background_command_that_was_seen_to_end_has_its_outcome() -> None:
    """The notification with its end is the result."""
    chat = _notified("completed", 'Background command "pay" completed (exit code 0)')
    assert statuses(claude_code, chat.data()) == {"a": "succeeded"}
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_background_agent_that_completed_has_its_outcome() -> None:
    """It has no exit code; an agent that was lost is not called completed."""
    notice = "<task-notification>\n<tool-use-id>a</tool-use-id>\n<status>completed</status>\n<summary>Agent</summary>"
    chat = Chat().asks().calls("a", args={"prompt": "pay"}, name="Agent").result("a", "", toolUseResult=ASYNC).says()
    assert verdict(claude_code, chat.data()) == "blocked"
    chat.row("queue-operation", operation="enqueue", content=notice).asks(notice).says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


@pytest.mark.parametrize("status", ["killed", "stopped", "failed", "completed"])
def test_a_background_command_that_was_lost_has_none(status: str) -> None:
    """A resumed agent gives up what its predecessor started."""
    assert verdict(claude_code, _notified(status, "lost").data()) == "blocked"


def test_rows_that_repeat_results_do_not_count() -> None:
    """The log of requests holds copies of what was said."""
    blob = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]}
    chat = Chat().asks().calls("a").row("api-request-blob", message=blob)
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_a_compaction_hides_no_call() -> None:
    """The rows before it are still in the file, and are judged."""
    chat = Chat().asks().calls("a").asks("[Request interrupted by user]")
    chat.row("system", subtype="compact_boundary", parentUuid=None, compactMetadata={"trigger": "manual"})
    chat.asks("Summary", isCompactSummary=True).asks("go on").says()
    assert statuses(claude_code, chat.data()) == {"a": "indeterminate"}


def test_a_compaction_by_itself_goes_on() -> None:
    """The program compacts in the middle of a turn, and asks again."""
    chat = clean().row("system", subtype="compact_boundary", parentUuid=None, compactMetadata={"trigger": "auto"})
    assert verdict(claude_code, chat.asks("Summary", isCompactSummary=True).data()) == "blocked"


def test_a_subagents_open_call_blocks() -> None:
    """Rows beside the main chain are judged as well."""
    side: Row = {"isSidechain": True, "agentId": "x"}
    chat = Chat().asks().calls("t", name="Task").asks("look", parentUuid=None, **side).calls("a", **side)
    assert verdict(claude_code, chat.result("t", "found", parentUuid="u2").says().data()) == "blocked"


def test_a_subagent_that_ended_is_safe() -> None:
    """Its last answer is not the session's, and closes nothing there."""
    side: Row = {"isSidechain": True, "agentId": "x"}
    chat = Chat().asks().calls("t", name="Task").asks("look", parentUuid=None, **side).calls("a", **side)
    chat.result("a", **side).says(**side)
    assert verdict(claude_code, chat.data()) == "blocked"
    assert verdict(claude_code, chat.result("t", "found", parentUuid="u2").says().data()) == "safe_replay"


def test_rows_that_were_written_twice_change_nothing() -> None:
    """A resume can copy rows, ids and all."""
    rows = clean().rows
    assert verdict(claude_code, jsonl(*rows, *rows)) == "safe_replay"


def test_a_half_written_last_row_blocks() -> None:
    """It may be a call."""
    data = clean().data()
    assert verdict(claude_code, data + b'{"type":"assistant","uu') == "blocked"


def test_a_whole_last_row_without_its_newline_counts() -> None:
    """Only the newline is missing."""
    assert verdict(claude_code, clean().data().rstrip()) == "safe_replay"


@pytest.mark.parametrize("damage", [b'{"type":', b'{"a":1}{"b":2}', b"[1]", b"\xff", b'{"a": NaN}'])
def test_a_damaged_row_in_the_middle_is_named(damage: bytes) -> None:
    """Half a session is none."""
    rows = clean().data().splitlines(keepends=True)
    data = b"".join([*rows[:2], damage + b"\n", *rows[2:]])
    with pytest.raises(CorruptLedger) as caught:
        reading(claude_code, data)
    assert (caught.value.row, caught.value.byte) == (3, len(rows[0]) + len(rows[1]))


def test_an_empty_file_is_no_session() -> None:
    """Who reads it all the same learns nothing."""
    assert claude_code.why_not(Source("x", b"")) is not None
    assert claude_code.read(Source("x", b""), "s").hides is not None


def test_what_a_host_declares_does_not_count() -> None:
    """The program writes its files itself."""
    assert verdict(claude_code, Chat().asks().data(), declared=True) == "blocked"
    assert reading(claude_code, clean().data(), declared=True).evidence == "none"
