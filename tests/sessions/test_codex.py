"""The verdicts on Codex rollouts: the call is there before its tool starts, so only a call without an end blocks."""

from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.source import Source
from tests.sessions.codex_rows import DONE, RUNS, SCRIPT_DONE, Rollout, clean
from tests.sessions.verdicts import jsonl, plan, reading, statuses, verdict

EXEC = 'const r = await tools.exec_command({"cmd": "./charge 7"}); text(r.output);'


def test_a_finished_turn_is_safe() -> None:
    """Every call has its output."""
    assert verdict(codex, clean().data()) == "safe_replay"
    assert reading(codex, clean().data()).evidence == "write_ahead"


def test_an_open_turn_without_an_open_call_is_safe() -> None:
    """No call in the file means that none was run."""
    assert verdict(codex, Rollout().asks().data()) == "safe_replay"
    assert verdict(codex, Rollout().asks().calls("a").output("a").data()) == "safe_replay"


def test_a_call_at_the_end_without_an_output_blocks() -> None:
    """The tool may have run."""
    assert statuses(codex, Rollout().asks().calls("a").data()) == {"a": "indeterminate"}


def test_a_command_that_ended_is_not_yet_its_calls_output() -> None:
    """Whether more of the call was to come, only its output says."""
    assert statuses(codex, Rollout().asks().calls("a").ran("a").data()) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_an_output_blocks() -> None:
    """A resume that went on past a call settles nothing."""
    rollout = Rollout().asks().calls("a").asks("go on", "t2").says("t2")
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}


def test_of_two_parallel_calls_the_one_without_an_output_blocks() -> None:
    """A sibling's output is not its own."""
    rollout = Rollout().asks().calls("a").calls("b").output("a")
    assert statuses(codex, rollout.data()) == {"a": "succeeded", "b": "indeterminate"}


def test_an_output_without_its_call_blocks() -> None:
    """An orphan proves that a row is missing."""
    found = plan(codex, Rollout().asks().output("lost").says().data())
    assert "unmatched_tool_result" in {diagnostic.code for diagnostic in found.diagnostics}


def test_one_call_id_twice_blocks() -> None:
    """Nobody knows which of the two the output is for."""
    assert verdict(codex, Rollout().asks().calls("a").calls("a").output("a").says().data()) == "blocked"


def test_a_call_id_that_comes_again_later_is_another_call() -> None:
    """Some services number the calls of each answer anew."""
    again = Rollout().asks().calls("c0").output("c0").calls("c0").output("c0", "more").says()
    assert verdict(codex, again.data()) == "safe_replay"
    assert verdict(codex, Rollout().asks().calls("c0").output("c0").calls("c0").data()) == "blocked"


def test_calls_without_an_id_are_paired_in_order() -> None:
    """Two calls and two outputs leave none open, one output leaves one."""
    rollout = Rollout().asks().calls(None).calls(None).output(None)
    assert verdict(codex, rollout.data()) == "blocked"
    assert verdict(codex, rollout.output(None, "more").data()) == "safe_replay"


@pytest.mark.parametrize(
    "text",
    [
        "Wall time: 1.4 seconds\naborted by user",
        "aborted by user after 0.8s",
        "aborted",
        "exec command rejected by user",
        "patch rejected by user",
        'exec_command failed for `/bin/bash`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    ],
)
def test_an_aborted_or_rejected_call_has_no_outcome(text: str) -> None:
    """Its tool may have acted before; a turn that ended by it proves nothing."""
    rollout = Rollout().asks().calls("a").output("a", text).event("turn_aborted", turn_id="t1", reason="interrupted")
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}


def test_an_abort_that_a_command_only_prints_is_its_output() -> None:
    """What a tool says is not what the agent says."""
    assert verdict(codex, Rollout().asks().calls("a").output("a", f"{DONE}aborted by user").says().data()) == (
        "safe_replay"
    )


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("Wall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nboom", "failed"),
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nboom", "failed"),
        ('{"output":"boom","metadata":{"exit_code":2,"duration_seconds":0.1}}', "failed"),
        ({"content": "boom", "success": False}, "failed"),
        ('{"output":"","metadata":{"exit_code":0,"duration_seconds":0.1}}', "succeeded"),
        ({"content": "ok", "success": True}, "succeeded"),
        ([{"type": "input_text", "text": "ok"}], "succeeded"),
    ],
)
def test_an_output_of_any_form_is_an_outcome(output: Any, status: str) -> None:
    """Also a failure is one."""
    assert statuses(codex, Rollout().asks().calls("a").output("a", output).says().data()) == {"a": status}


def test_a_command_that_still_runs_has_no_outcome() -> None:
    """The effect may come later."""
    rollout = Rollout().asks().calls("a").output("a", RUNS).says()
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}


def test_a_command_that_was_polled_to_its_end_has_its_outcome() -> None:
    """The exit that a later call saw is the first call's as well."""
    rollout = Rollout().asks().calls("a").output("a", RUNS)
    rollout.calls("b", {"session_id": 42}, "write_stdin").output("b", RUNS)
    assert statuses(codex, rollout.data()) == {"a": "indeterminate", "b": "indeterminate"}
    rollout.calls("c", {"session_id": 42}, "write_stdin").output("c", DONE).says()
    assert verdict(codex, rollout.data()) == "safe_replay"


def test_a_command_that_was_seen_to_end_has_its_outcome() -> None:
    """Its process is named by the session id."""
    rollout = Rollout().asks().calls("a").output("a", RUNS).says()
    assert verdict(codex, rollout.ran("a", code=-1).data()) == "blocked"
    assert verdict(codex, rollout.ran("a").data()) == "safe_replay"


def test_an_agent_that_was_started_goes_on() -> None:
    """It acts in a rollout of its own; that it completed, a later call sees."""
    rollout = Rollout().asks().calls("a", {"message": "charge"}, "spawn_agent").output("a", '{"agent_id": "x"}').says()
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}
    rollout.asks("wait", "t2").calls("b", {"ids": ["x"]}, "wait").output("b", '{"status": {"x": "running"}}')
    assert statuses(codex, rollout.data())["a"] == "indeterminate"
    rollout.calls("c", {"ids": ["x"]}, "wait").output("c", '{"status": {"x": {"completed": "paid"}}}').says("t2")
    assert verdict(codex, rollout.data()) == "safe_replay"


def test_another_command_under_the_same_number_ends_nothing() -> None:
    """Numbers of processes come again."""
    rollout = Rollout().asks().calls("a").output("a", RUNS).says().asks("go on", "t2").calls("b", {"cmd": "ls"})
    assert statuses(codex, rollout.ran("b", "ls").output("b").data()) == {"a": "indeterminate", "b": "succeeded"}


def test_a_resumed_agent_counts_its_scripts_anew() -> None:
    """The end of its first script is not that of the first script before."""
    runs = "Script running with cell ID 1\nWall time 1.0 seconds\nOutput:\n"
    rollout = Rollout().asks().script("a", EXEC, runs).asks("go on", "t2").script("b", "text(1)", runs)
    rollout.calls("c", {"cell_id": "1"}, "wait").output("c", SCRIPT_DONE)
    assert statuses(codex, rollout.data()) == {"a": "indeterminate", "b": "succeeded", "c": "succeeded"}


def test_an_ampersand_leaves_the_command_running() -> None:
    """The exit code is the shell's, not that of what it put in the background."""
    for args in ({"cmd": "./charge 7 &"}, {"command": ["bash", "-lc", "./charge 7 &"]}):
        assert statuses(codex, Rollout().asks().calls("a", args).output("a").data()) == {"a": "indeterminate"}


def test_an_older_shell_call_is_one() -> None:
    """The service's own shell tool has its command in an action."""
    action = {"type": "exec", "command": ["./charge", "7"]}
    rollout = Rollout().asks().item("local_shell_call", id="a", call_id=None, status="completed", action=action)
    assert verdict(codex, rollout.data()) == "blocked"
    assert verdict(codex, rollout.output("a").data()) == "safe_replay"


def test_a_script_whose_commands_ended_is_safe() -> None:
    """A command of the script is named in the file when it ended."""
    rollout = Rollout().asks().script("a", EXEC).ran("exec-1")
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}
    rollout.item("custom_tool_call_output", call_id="a", output=[{"type": "input_text", "text": SCRIPT_DONE}])
    assert verdict(codex, rollout.data()) == "safe_replay"


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (SCRIPT_DONE, "indeterminate"),
        ([SCRIPT_DONE, '{"session_id":42,"output":""}'], "indeterminate"),
        ([SCRIPT_DONE, '{"exit_code":0,"output":""}'], "succeeded"),
        ([SCRIPT_DONE, '"{\\"exit_code\\":0}"'], "succeeded"),
        ("Script running with cell ID 4\nWall time 1.0 seconds\nOutput:\n", "indeterminate"),
        ("Script terminated\nWall time 1.0 seconds\nOutput:\n", "indeterminate"),
        ("aborted by user after 0.8s", "indeterminate"),
    ],
)
def test_a_script_is_over_only_with_its_commands(output: Any, status: str) -> None:
    """A command that a script started goes on when the script does not wait for it."""
    assert statuses(codex, Rollout().asks().script("a", EXEC, output).data()) == {"a": status}


def test_a_script_that_was_waited_for_has_its_outcome() -> None:
    """The end that a later call saw is the script's; an agent that does not know the script saw none."""
    rollout = Rollout().asks().script("a", EXEC, "Script running with cell ID 4\nWall time 1.0 seconds\nOutput:\n")
    rollout.calls("b", {"cell_id": "4"}, "wait")
    lost = "Script failed\nWall time 0.0 seconds\nOutput:\nScript error:\nexec cell 4 not found"
    assert statuses(codex, rollout.output("b", lost).data())["a"] == "indeterminate"
    rollout.ran("exec-1").calls("c", {"cell_id": "4"}, "wait").output("c", SCRIPT_DONE)
    assert statuses(codex, rollout.data())["a"] == "succeeded"


def test_a_script_that_puts_a_command_in_the_background_has_no_outcome() -> None:
    """As with a shell call."""
    text = 'await tools.exec_command({cmd: "./charge 7 &"});'
    output = [SCRIPT_DONE, '{"exit_code":0}']
    assert statuses(codex, Rollout().asks().script("a", text, output).data()) == {"a": "indeterminate"}


def test_a_command_whose_call_is_not_there_blocks() -> None:
    """A row is missing; what the user ran by hand is not meant."""
    assert verdict(codex, Rollout().asks().ran("lost").says().data()) == "blocked"
    own = {"type": "CommandExecution", "id": "x", "source": "user_shell", "command": ["ls"], "exit_code": 0}
    assert verdict(codex, Rollout().asks().event("item_completed", item=own).says().data()) == "safe_replay"


def test_what_a_compaction_repeats_does_not_count() -> None:
    """The rows before it are still in the file, and are judged."""
    history = [{"type": "function_call_output", "call_id": "a", "output": DONE}]
    rollout = Rollout().asks().calls("a").row("compacted", message="", replacement_history=history)
    assert statuses(codex, rollout.data()) == {"a": "indeterminate"}


def test_searches_of_the_service_are_no_calls() -> None:
    """They are over when they are written, and act on nothing."""
    rollout = Rollout().asks().item("web_search_call", id="w", status="completed", action={"type": "search"})
    assert verdict(codex, rollout.item("tool_search_call", call_id=None, execution="server").data()) == "safe_replay"


@pytest.mark.parametrize("version", ["0.42.0", "0.0.0", "dev"])
def test_an_old_version_proves_nothing_about_an_open_turn(version: str) -> None:
    """It wrote a call only after its tool had run."""
    assert reading(codex, Rollout(version).asks().data()).evidence == "none"
    assert verdict(codex, Rollout(version).asks().data()) == "blocked"
    assert verdict(codex, Rollout(version).asks().says().asks("x", "t2").asks("y", "t3").says("t3").data()) == "blocked"
    assert verdict(codex, Rollout(version).asks().says().data()) == "safe_replay"


def test_the_first_versions_had_bare_rows() -> None:
    """A row is then what is the payload now."""
    head = {"id": "s-1", "timestamp": "2026-11-01T10:00:00Z", "instructions": None}
    call = {"type": "function_call", "name": "shell", "call_id": "a", "arguments": "{}"}
    assert statuses(codex, jsonl(head, call)) == {"a": "indeterminate"}


def test_a_half_written_last_row_blocks() -> None:
    """It may be a call."""
    assert verdict(codex, clean().data() + b'{"timestamp":"20') == "blocked"


@pytest.mark.parametrize("damage", [b'{"type":', b'{"a":1}{"b":2}', b"7", b"\xff"])
def test_a_damaged_row_in_the_middle_is_named(damage: bytes) -> None:
    """Half a session is none."""
    first, rest = clean().data().split(b"\n", 1)
    with pytest.raises(CorruptLedger) as caught:
        reading(codex, first + b"\n" + damage + b"\n" + rest)
    assert (caught.value.row, caught.value.byte) == (2, len(first) + 1)


def test_an_empty_file_is_no_rollout() -> None:
    """Who reads it all the same learns nothing."""
    assert codex.why_not(Source("x", b"")) is not None
    assert codex.read(Source("x", b""), "s").hides is not None


def test_the_files_beside_the_rollouts_are_none() -> None:
    """The index and the history of prompts hold no calls."""
    assert codex.why_not(Source("history.jsonl", b'{"session_id":"s","ts":1,"text":"hi"}\n')) is not None
    assert codex.why_not(Source("session_index.jsonl", b'{"id":"s","thread_name":"x","updated_at":"y"}\n')) is not None
