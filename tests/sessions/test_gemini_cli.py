"""The verdicts on Gemini CLI chats: calls are written after their tools, so every end blocks; open calls show too."""

from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.events.event import FunctionCall
from resume_gate.sessions.formats import gemini_cli
from resume_gate.sessions.source import Source
from tests.sessions.verdicts import Row, jsonl, reading, statuses, verdict

HEAD: Row = {"sessionId": "s-1", "projectHash": "h", "startTime": "2026-11-01T10:00:00Z", "kind": "main"}
USER: Row = {"id": "m1", "timestamp": "2026-11-01T10:00:01Z", "type": "user", "content": [{"text": "charge order 7"}]}


def _output(text: str = "ok", key: str = "output") -> list[Row]:
    return [{"functionResponse": {"id": "a", "name": "pay", "response": {key: text}}}]


def _call(call_id: str | None = "a", status: str = "success", result: Any = None, **keys: Any) -> Row:
    args = {"command": "./charge 7"}
    return {"id": call_id, "name": "pay", "args": args, "status": status, "result": result or _output(), **keys}


def _gemini(*calls: Row, row: str = "m2", **keys: Any) -> Row:
    stamp = "2026-11-01T10:00:02Z"
    return {"id": row, "timestamp": stamp, "type": "gemini", "content": "Done.", "toolCalls": list(calls), **keys}


def test_every_end_hides_what_may_have_run() -> None:
    """A chat that was killed inside a tool looks like a finished answer; also a host cannot say otherwise."""
    data = jsonl(HEAD, USER, _gemini(_call()))
    found = reading(gemini_cli, data, declared=True)
    assert (found.evidence, verdict(gemini_cli, data, declared=True)) == ("none", "blocked")
    assert found.hides is not None
    assert "2026-11-01T10:00:02Z" in found.hides


def test_a_call_with_its_result_succeeded() -> None:
    """Call and result are one object."""
    assert statuses(gemini_cli, jsonl(HEAD, USER, _gemini(_call()))) == {"a": "succeeded"}


@pytest.mark.parametrize("status", ["validating", "scheduled", "awaiting_approval", "executing", "cancelled", "new"])
def test_a_status_that_is_no_end_leaves_the_call_open(status: str) -> None:
    """A cancelled tool may have acted."""
    assert statuses(gemini_cli, jsonl(HEAD, USER, _gemini(_call(status=status)))) == {"a": "indeterminate"}


def test_a_success_without_a_result_leaves_the_call_open() -> None:
    """There is nothing that the tool said."""
    assert statuses(gemini_cli, jsonl(HEAD, _gemini({**_call(), "result": None}))) == {"a": "indeterminate"}


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (_call(status="error", result=_output("boom", "error")), "failed"),
        (_call(result=_output("Output: boom\nExit Code: 3")), "failed"),
        (_call(result=_output("Output: x\nError: (none)\nExit Code: 0\nBackground PIDs: (none)")), "succeeded"),
        (_call(status="error", result=_output("[Operation Cancelled]", "error")), "indeterminate"),
        (_call(result=_output("Command moved to background (PID: 1).")), "indeterminate"),
        (_call(result=_output("Output: x\nBackground PIDs: 77")), "indeterminate"),
        (_call(args={"command": "x", "is_background": True}), "indeterminate"),
        (_call(args={"command": "x &"}), "indeterminate"),
    ],
)
def test_a_result_counts_for_what_it_says(call: Row, status: str) -> None:
    """The status is success also for a failed or a running command."""
    assert statuses(gemini_cli, jsonl(HEAD, USER, _gemini(call))) == {"a": status}


def test_a_later_row_replaces_a_message() -> None:
    """The message is first written without its calls."""
    rows = [HEAD, USER, _gemini(_call(status="executing", result=[])), _gemini(_call())]
    assert statuses(gemini_cli, jsonl(*rows)) == {"a": "succeeded"}


def test_a_call_that_a_later_row_leaves_out_stays() -> None:
    """It was there, so it may have run."""
    rows = [HEAD, USER, _gemini(_call(status="executing")), _gemini(), {"$rewindTo": "m1"}]
    assert statuses(gemini_cli, jsonl(*rows)) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_a_result_is_open() -> None:
    """A later answer settles nothing, and neither does what a stopped agent writes of it under a new id."""
    rows = [HEAD, USER, _gemini(_call(status="executing")), {**USER, "id": "m3"}, _gemini(row="m4")]
    assert statuses(gemini_cli, jsonl(*rows)) == {"a": "indeterminate"}
    assert statuses(gemini_cli, jsonl(*rows, _gemini(_call(status="cancelled"), row="m5"))) == {"a": "indeterminate"}


def test_of_two_calls_the_one_without_a_result_is_open() -> None:
    """A sibling's result is not its own."""
    found = statuses(gemini_cli, jsonl(HEAD, _gemini(_call(), _call("b", "executing"))))
    assert found == {"a": "succeeded", "b": "indeterminate"}


def test_a_call_id_that_comes_again_in_another_message_is_another_call() -> None:
    """A call is known by its message and its id."""
    rows = [HEAD, _gemini(_call(None)), _gemini(_call(None, "cancelled"), row="m3")]
    events = reading(gemini_cli, jsonl(*rows)).events
    assert len({(event.invocation_id, event.id) for event in events if event.role == "tool"}) == 1


def test_a_call_id_twice_in_a_message_hides_neither_call() -> None:
    """Nobody knows which of the two the result is for."""
    events = reading(gemini_cli, jsonl(HEAD, _gemini(_call(), _call()))).events
    assert sum(isinstance(event.content, FunctionCall) for event in events) == 2
    assert verdict(gemini_cli, jsonl(HEAD, _gemini(_call(), _call()))) == "blocked"


def test_a_resume_repeats_messages_in_a_change() -> None:
    """They are the same messages."""
    rows = [HEAD, USER, _gemini(_call()), {"$set": {"messages": [USER, _gemini(_call())]}}]
    assert len(reading(gemini_cli, jsonl(*rows)).events) == len(reading(gemini_cli, jsonl(*rows[:-1])).events)


def test_an_older_chat_is_one_object() -> None:
    """Also spread over lines."""
    data = jsonl({**HEAD, "messages": [USER, _gemini(_call(status="executing"))]})
    assert statuses(gemini_cli, data) == {"a": "indeterminate"}
    spread = data.replace(b"{", b"{\n").replace(b", ", b",\n")
    assert statuses(gemini_cli, spread) == {"a": "indeterminate"}
    with pytest.raises(CorruptLedger):
        reading(gemini_cli, spread[:-20])


def test_a_half_written_last_row_is_said() -> None:
    """It may be a call with its result."""
    found = reading(gemini_cli, jsonl(HEAD, USER) + b'{"id":"m2","ty').hides
    assert found is not None
    assert "half written" in found


@pytest.mark.parametrize("damage", [b'{"type":', b'{"a":1}{"b":2}', b"null", b"\xff"])
def test_a_damaged_row_in_the_middle_is_named(damage: bytes) -> None:
    """The program itself skips such rows, and shows a chat with a hole."""
    with pytest.raises(CorruptLedger) as caught:
        reading(gemini_cli, jsonl(HEAD) + damage + b"\n" + jsonl(USER))
    assert (caught.value.row, caught.value.byte) == (2, len(jsonl(HEAD)))


def test_an_empty_file_is_no_chat() -> None:
    """Who reads it all the same learns nothing."""
    assert gemini_cli.why_not(Source("x", b"")) is not None
    assert gemini_cli.read(Source("x", b""), "s").hides is not None
