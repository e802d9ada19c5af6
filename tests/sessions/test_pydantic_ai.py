"""The verdicts on pydantic-ai's histories, which do not show when they were saved: a host has to say so."""

import json
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats import pydantic_ai
from resume_gate.sessions.source import Source
from tests.sessions.pydantic_parts import History, clean
from tests.sessions.verdicts import plan, reading, statuses, verdict


def test_a_complete_history_is_safe_only_where_it_is_declared() -> None:
    """Saved at the end of a run, it looks the same while a newer run has acted."""
    assert verdict(pydantic_ai, clean().data()) == "blocked"
    assert verdict(pydantic_ai, clean().data(), declared=True) == "safe_replay"
    assert reading(pydantic_ai, clean().data(), declared=True).evidence == "declared"


@pytest.mark.parametrize("history", [History(), History().asks(), History().asks().calls("a").returns("a")])
def test_a_declared_open_turn_without_an_open_call_is_safe(history: History) -> None:
    """A history saved after every node has the call before its tool runs."""
    assert verdict(pydantic_ai, history.data(), declared=True) == "safe_replay"
    assert verdict(pydantic_ai, history.data()) == "blocked"


def test_a_call_at_the_end_without_a_return_blocks() -> None:
    """Whatever the state of its message says."""
    assert statuses(pydantic_ai, History().asks().calls("a").data()) == {"a": "indeterminate"}


def test_a_call_in_the_middle_without_a_return_blocks() -> None:
    """A later question settles nothing."""
    assert statuses(pydantic_ai, History().asks().calls("a").asks().says().data()) == {"a": "indeterminate"}


def test_of_two_parallel_calls_the_one_without_a_return_blocks() -> None:
    """A sibling's return is not its own."""
    history = History().asks().calls("a", "b").returns("b")
    assert statuses(pydantic_ai, history.data()) == {"a": "indeterminate", "b": "succeeded"}


@pytest.mark.parametrize("outcome", ["failed", "retried"])
def test_an_error_of_the_tool_is_a_result(outcome: str) -> None:
    """It failed, and its outcome is known."""
    history = History().asks().calls("a").returns("a", outcome=outcome, content="no funds").says()
    assert statuses(pydantic_ai, history.data()) == {"a": "failed"}


def test_a_retry_of_an_older_version_is_a_result() -> None:
    """One that names a tool answers its call; one that names none answers the model's words."""
    history = History().asks().calls("a").returns("a", part_kind="retry-prompt").says()
    history.returns("r", part_kind="retry-prompt", tool_name=None)
    assert statuses(pydantic_ai, history.data()) == {"a": "failed"}


@pytest.mark.parametrize(
    "keys",
    [
        {"metadata": {"pydantic_ai_synthesized_tool_return": True}},
        {"outcome": "interrupted"},
        {"outcome": "denied"},
        {"outcome": "of a later version"},
        {"outcome": "failed", "content": "Tool execution was interrupted by an error."},
        {"outcome": "retried", "content": "Timed out after 30 seconds."},
        {"content": "The tool call was interrupted before a result was produced."},
    ],
)
def test_a_return_that_the_framework_made_is_no_result(keys: dict[str, Any]) -> None:
    """The history was repaired, and the tool may have acted all the same."""
    history = History().asks().calls("a").returns("a", **keys).says()
    assert statuses(pydantic_ai, history.data()) == {"a": "indeterminate"}
    assert verdict(pydantic_ai, history.data(), declared=True) == "blocked"


def test_a_call_that_the_provider_runs_needs_its_return_too() -> None:
    """It can come in a later response."""
    history = History().asks().calls("a", kind="builtin-tool-call")
    assert statuses(pydantic_ai, history.data()) == {"a": "indeterminate"}
    history.returns("a", part_kind="builtin-tool-return").says()
    assert statuses(pydantic_ai, history.data()) == {"a": "succeeded"}


@pytest.mark.parametrize("state", ["incomplete", "suspended"])
def test_a_response_that_was_cut_hides_calls_whatever_is_declared(state: str) -> None:
    """A call in it may not be there."""
    assert verdict(pydantic_ai, History().asks().says(state=state).data(), declared=True) == "blocked"


def test_a_response_that_was_cut_in_the_middle_hides_calls_too() -> None:
    """A later answer settles nothing; one that was only suspended went on."""
    assert verdict(pydantic_ai, clean().says(state="incomplete").asks().says().data(), declared=True) == "blocked"
    assert verdict(pydantic_ai, clean().says(state="suspended").says().data(), declared=True) == "safe_replay"


@pytest.mark.parametrize("part", [{"part_kind": "remote-call"}, {"part_kind": "new", "tool_call_id": "a"}])
def test_a_part_of_an_unknown_kind_like_a_call_blocks(part: dict[str, Any]) -> None:
    """Whatever the host declares."""
    history = History().asks().message("response", part, {"part_kind": "text", "content": "Done."})
    assert verdict(pydantic_ai, history.data(), declared=True) == "blocked"


@pytest.mark.parametrize(
    "part", [{"part_kind": "hologram", "url": "x"}, {"part_kind": "tool-availability-delta", "tools": ["pay"]}]
)
def test_other_parts_do_not_block(part: dict[str, Any]) -> None:
    """Nothing in them is like a call, or they are known to only tell of tools."""
    history = History().asks().message("response", part, {"part_kind": "text", "content": "Done."})
    assert verdict(pydantic_ai, history.data(), declared=True) == "safe_replay"


def test_a_return_without_a_call_is_corrupt() -> None:
    """Something is missing before it."""
    codes = {found.code for found in plan(pydantic_ai, History().asks().returns("a").says().data()).diagnostics}
    assert codes == {"tool_ledger_corruption", "unmatched_tool_result"}


def test_one_id_for_two_calls_of_one_response_is_corrupt() -> None:
    """Which of them the return is for, nobody knows."""
    assert plan(pydantic_ai, History().asks().calls("a", "a").returns("a").data()).disposition == "blocked"


def test_an_id_that_comes_again_is_another_call() -> None:
    """In a later response; a return is for the latest."""
    history = History().asks().calls("a").asks().calls("a").returns("a").calls("a").returns("a").says()
    operations = plan(pydantic_ai, history.data()).operations
    assert [operation.status for operation in operations] == ["indeterminate", "succeeded", "succeeded"]


def test_calls_without_ids_are_known_by_their_name() -> None:
    """Two of one name are answered in their order."""
    history = History().asks().calls(None, None).returns(None)
    assert list(statuses(pydantic_ai, history.data()).values()) == ["succeeded", "indeterminate"]


def test_arguments_are_an_object_or_its_text() -> None:
    """Text that is no JSON stays text."""
    history = History().asks().calls("a", "b", "c")
    for part, args in zip(history.messages[1]["parts"], ['{"order": 7}', '{"order"', None], strict=True):
        part["args"] = args
    assert [operation.args for operation in plan(pydantic_ai, history.data()).operations] == [
        {"order": 7},
        '{"order"',
        {},
    ]


@pytest.mark.parametrize("data", [clean().data()[:-9], clean().data() * 2], ids=["torn", "glued"])
def test_a_torn_or_glued_history_is_damage(data: bytes) -> None:
    """Never half a session."""
    source = Source("bad", data)
    assert pydantic_ai.why_not(source) is None
    with pytest.raises(CorruptLedger):
        pydantic_ai.sessions(source)


@pytest.mark.parametrize("bad", [{"kind": "request"}, {"kind": "request", "parts": [7]}, {"kind": "x", "parts": []}, 7])
def test_a_bad_message_in_the_middle_is_damage(bad: Any) -> None:
    """JSON that is no message is no message."""
    messages = [*clean().messages[:2], bad, *clean().messages[2:]]
    source = Source("bad", json.dumps(messages).encode())
    assert pydantic_ai.why_not(source) is None
    with pytest.raises(CorruptLedger):
        pydantic_ai.read(source, "c-1")


def test_another_conversation_is_not_in_the_file() -> None:
    """And its absence is no evidence."""
    found = pydantic_ai.read(Source("x", clean().data()), "c-2", declared=True)
    assert (found.events, found.evidence) == ((), "none")
    assert found.hides is not None
