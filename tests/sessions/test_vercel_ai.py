"""The verdicts on messages of the Vercel AI SDK: a part without its output blocks, and so does an open turn."""

import json
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats import vercel_ai
from resume_gate.sessions.source import Source
from tests.sessions.verdicts import Row, reading, statuses, verdict

USER: Row = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "charge order 7"}]}
TEXT: Row = {"type": "text", "text": "Done.", "state": "done"}


def _tool(state: str = "output-available", call_id: str | None = "a", **keys: Any) -> Row:
    output = {"output": {"paid": 7}} if state == "output-available" else {}
    return {"type": "tool-pay", "toolCallId": call_id, "state": state, "input": {"order": 7}, **output, **keys}


def _answer(*parts: Row, row: str = "m2") -> Row:
    return {"id": row, "role": "assistant", "parts": [{"type": "step-start"}, *parts]}


def _data(*messages: Row) -> bytes:
    return json.dumps(messages).encode()


def test_a_finished_turn_is_safe() -> None:
    """Every call has its output and the answer's text is whole."""
    assert verdict(vercel_ai, _data(USER, _answer(_tool(), TEXT)), declared=True) == "safe_replay"


@pytest.mark.parametrize(
    "part",
    [
        _tool("input-streaming"),
        _tool("input-available"),
        _tool("approval-requested", approval={"id": "x"}),
        _tool("approval-responded", approval={"id": "x", "approved": True}),
        _tool(preliminary=True),
        _tool("some-new-state"),
    ],
)
def test_a_part_without_its_output_blocks(part: Row) -> None:
    """The tool may have run since the message was saved."""
    assert statuses(vercel_ai, _data(USER, _answer(part, TEXT))) == {"a": "indeterminate"}


@pytest.mark.parametrize(
    "part",
    [
        _tool("output-denied", approval={"id": "x", "approved": False}),
        _tool("approval-responded", approval={"id": "x", "approved": False}),
        _tool("output-error", errorText="boom"),
    ],
)
def test_a_refusal_and_an_error_are_outcomes(part: Row) -> None:
    """The SDK asks before it starts a tool; an error is the tool's own."""
    assert statuses(vercel_ai, _data(USER, _answer(part, TEXT))) == {"a": "failed"}
    assert verdict(vercel_ai, _data(USER, _answer(part, TEXT)), declared=True) == "safe_replay"


def test_a_command_in_the_background_has_no_outcome() -> None:
    """Its output is not its end."""
    for keys in ({"input": {"command": "x &"}}, {"output": "Command running in background with ID: b1"}):
        assert statuses(vercel_ai, _data(USER, _answer(_tool(**keys), TEXT))) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_its_output_blocks() -> None:
    """A later answer settles nothing."""
    messages = [USER, _answer(_tool("input-available")), {**USER, "id": "m3"}, _answer(TEXT, row="m4")]
    assert verdict(vercel_ai, _data(*messages)) == "blocked"


def test_of_two_parallel_calls_the_one_without_its_output_blocks() -> None:
    """A sibling's output is not its own."""
    found = statuses(vercel_ai, _data(USER, _answer(_tool(), _tool("input-available", "b"), TEXT)))
    assert found == {"a": "succeeded", "b": "indeterminate"}


def test_one_call_id_twice_in_a_message_blocks() -> None:
    """One of the two may be open."""
    assert verdict(vercel_ai, _data(USER, _answer(_tool("input-available"), _tool(), TEXT))) == "blocked"


def test_a_call_without_an_id_and_without_its_output_blocks() -> None:
    """Whether or not a sibling of it has one."""
    for parts in ([_tool("input-available", None)], [_tool("input-available", None), _tool(call_id=None)]):
        assert verdict(vercel_ai, _data(USER, _answer(*parts, TEXT)), declared=True) == "blocked"


def test_call_ids_are_unique_in_a_message_only() -> None:
    """Also where there is none."""
    again = _data(USER, _answer(_tool(call_id=None), TEXT), _answer(_tool(call_id=None), TEXT, row="m3"))
    assert verdict(vercel_ai, again, declared=True) == "safe_replay"


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [USER, _answer()],
        [USER, _answer(_tool())],
        [USER, _answer(TEXT, _tool())],
        [USER, _answer({**TEXT, "state": "streaming"})],
        [USER, _answer(TEXT), {**USER, "id": "m3"}],
    ],
)
def test_a_turn_that_did_not_end_blocks(messages: list[Row]) -> None:
    """A further step may have called tools; a host that saves calls first can say so."""
    assert verdict(vercel_ai, _data(*messages)) == "blocked"
    assert verdict(vercel_ai, _data(*messages), declared=True) == "safe_replay"
    assert reading(vercel_ai, _data(*messages), declared=True).evidence == "declared"


def test_a_declaration_settles_no_open_call() -> None:
    """The call is in the file, and may have run."""
    assert verdict(vercel_ai, _data(USER, _answer(_tool("input-available"))), declared=True) == "blocked"


def test_parts_beside_the_text_do_not_open_a_turn() -> None:
    """Sources and data are added to an answer."""
    answer = _answer(TEXT, {"type": "data-usage", "data": 1})
    assert verdict(vercel_ai, _data(USER, answer), declared=True) == "safe_replay"


def test_a_dynamic_tool_has_its_name_beside() -> None:
    """Tools that were not known before the run are parts of one type."""
    part = {**_tool("input-available"), "type": "dynamic-tool", "toolName": "pay"}
    (operation,) = [event for event in reading(vercel_ai, _data(USER, _answer(part))).events if event.role != "user"]
    assert getattr(operation.content, "name", None) == "pay"


def test_an_older_part_holds_the_call_inside() -> None:
    """Its states are call, partial-call and result."""
    inside = {"toolCallId": "a", "toolName": "pay", "args": {"order": 7}}
    part = {"type": "tool-invocation", "toolInvocation": {**inside, "state": "call"}}
    assert statuses(vercel_ai, _data(USER, _answer(part, TEXT))) == {"a": "indeterminate"}
    part = {"type": "tool-invocation", "toolInvocation": {**inside, "state": "result", "result": 1}}
    assert statuses(vercel_ai, _data(USER, _answer(part, TEXT))) == {"a": "succeeded"}


def test_a_call_that_an_older_message_keeps_beside_its_parts_counts() -> None:
    """Some hosts saved parts only for what they showed."""
    inside = {"toolCallId": "a", "toolName": "pay", "args": {}, "state": "call"}
    assert statuses(vercel_ai, _data(USER, {**_answer(TEXT), "toolInvocations": [inside]})) == {"a": "indeterminate"}
    odd = {**_answer({"type": "tool-x", "toolInvocation": 7}, TEXT), "toolInvocations": [inside]}
    assert verdict(vercel_ai, _data(USER, odd), declared=True) == "blocked"
    both = _answer({"type": "tool-invocation", "toolInvocation": {**inside, "state": "result", "result": 1}}, TEXT)
    assert statuses(vercel_ai, _data(USER, {**both, "toolInvocations": [inside]})) == {"a": "succeeded"}


@pytest.mark.parametrize("text", ["This operation was aborted", "AbortError: cancelled", "Interrupted by the user"])
def test_a_tool_that_was_stopped_has_no_outcome(text: str) -> None:
    """It may have acted before it was."""
    assert statuses(vercel_ai, _data(USER, _answer(_tool("output-error", errorText=text), TEXT))) == {
        "a": "indeterminate"
    }


@pytest.mark.parametrize(
    "message",
    [
        _answer({"type": "mcp-call", "id": "a"}, TEXT),
        _answer({"type": "remote", "toolCallId": "a"}, TEXT),
        {**_answer(TEXT), "content": [{"type": "tool-call", "toolCallId": "a"}]},
    ],
)
def test_a_part_of_an_unknown_kind_like_a_call_blocks(message: Row) -> None:
    """Whatever the host declares."""
    assert verdict(vercel_ai, _data(USER, message), declared=True) == "blocked"


def test_other_unknown_parts_do_not_block() -> None:
    """Nothing in them is like a call."""
    assert verdict(vercel_ai, _data(USER, _answer({"type": "hologram", "url": "x"}, TEXT)), declared=True) == (
        "safe_replay"
    )


@pytest.mark.parametrize(
    "bad",
    [7, {"id": "m2", "role": "assistant"}, {"role": "assistant", "parts": "[]"}, _answer({"toolCallId": "a"})],
)
def test_a_message_of_another_shape_is_damage(bad: Row) -> None:
    """What cannot be read is not left out."""
    with pytest.raises(CorruptLedger):
        verdict(vercel_ai, _data(USER, bad), declared=True)


def test_messages_in_a_chat_object_are_read() -> None:
    """Some hosts save the whole chat."""
    data = json.dumps({"id": "chat-1", "messages": [USER, _answer(_tool(), TEXT)]}).encode()
    assert verdict(vercel_ai, data, declared=True) == "safe_replay"


def test_a_cut_or_glued_file_is_damage() -> None:
    """Half a session is none, and two are not one."""
    data = _data(USER, _answer(_tool(), TEXT))
    for damaged in (data[:-9], data * 2):
        with pytest.raises(CorruptLedger):
            reading(vercel_ai, damaged)


def test_an_empty_file_is_no_session() -> None:
    """Nor is an empty array, which other formats begin with."""
    for data in (b"", b"[]"):
        assert vercel_ai.why_not(Source("x", data)) is not None
    assert vercel_ai.read(Source("x", b"[]"), "s").hides is not None


def test_a_finished_turn_may_hide_a_newer_one() -> None:
    """Without the host's word a whole file proves nothing about a turn that was not saved yet."""
    assert verdict(vercel_ai, _data(USER, _answer(_tool(), TEXT))) == "blocked"
