"""A row, a block or an item of a kind that is not known blocks where it may hold a call, and only there."""

import json
from types import ModuleType
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats import pi
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from tests.sessions import claude_rows, codex_rows, pi_rows
from tests.sessions.verdicts import Row, jsonl, reading, verdict

CALL: Row = {"type": "toolCall", "id": "a", "name": "bash", "arguments": {"command": "./charge 7"}}
CLEAN: dict[ModuleType, list[Row]] = {
    claude_code: claude_rows.clean().rows,
    codex: codex_rows.clean().rows,
    pi: pi_rows.clean().rows,
}


@pytest.mark.parametrize("reader", CLEAN, ids=lambda reader: reader.FORMAT)
@pytest.mark.parametrize(
    "row",
    [
        {"type": "new", "toolCallId": "a"},
        {"type": "remote_tool", "sessionId": "s-1", "uuid": "x"},
        {"type": "new", "payload": {"type": "mcp_call", "id": "a"}},
        {"type": "new", "payload": {"type": "function_call", "call_id": "a", "name": "pay", "arguments": "{}"}},
        {"type": "new", "deep": [{"content": [{"type": "tool_use", "id": "a"}]}]},
    ],
)
def test_an_unknown_row_like_a_call_blocks(reader: ModuleType, row: Row) -> None:
    """The words name the kind, so that a person can look for it."""
    data = jsonl(*CLEAN[reader], row)
    assert verdict(reader, data) == "blocked"
    assert row["type"] in str(reading(reader, data).hides)


@pytest.mark.parametrize("reader", CLEAN, ids=lambda reader: reader.FORMAT)
def test_an_unknown_row_without_anything_like_a_call_does_not_block(reader: ModuleType) -> None:
    """New versions note new things; words about calls and tools are no call."""
    row = {"type": "new", "title": "A call to the tool shop", "cost": {"usd": 0.1}}
    assert verdict(reader, jsonl(*CLEAN[reader], row)) == "safe_replay"


@pytest.mark.parametrize("kind", ["mcp_tool_use", "server_tool_use"])
def test_a_call_that_the_provider_of_claude_runs_needs_its_result(kind: str) -> None:
    """Both are blocks of the answer."""
    call = {"type": kind, "id": "a", "name": "pay", "input": {}}
    result = {"type": "mcp_tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "paid"}]}
    assert verdict(claude_code, claude_rows.Chat().asks().says(call).data()) == "blocked"
    assert verdict(claude_code, claude_rows.Chat().asks().says(call, result).data()) == "safe_replay"


def test_an_unknown_block_like_a_call_blocks() -> None:
    """Also beside words."""
    block = {"type": "computer_call", "id": "a"}
    words = {"type": "text", "text": "Done."}
    assert verdict(claude_code, claude_rows.Chat().asks().says(block, words).data()) == "blocked"
    assert verdict(pi, pi_rows.Session().asks().says(block, words).data()) == "blocked"


def test_a_message_of_an_unknown_role_blocks_where_it_is_like_a_call() -> None:
    """Such roles came and went."""
    session = pi_rows.Session().asks().says()
    assert verdict(pi, session.entry("message", message={"role": "note", "content": "x"}).data()) == "safe_replay"
    assert verdict(pi, session.entry("message", message={"role": "subagent", "content": [CALL]}).data()) == "blocked"


@pytest.mark.parametrize("kind", ["mcp_tool_call", "shell_call", "something_new"])
def test_an_unknown_item_with_a_calls_id_is_a_call(kind: str) -> None:
    """Its output is of the same kind, or of another."""
    rollout = codex_rows.Rollout().asks().item(kind, call_id="a", arguments="{}")
    assert verdict(codex, rollout.data()) == "blocked"
    assert verdict(codex, rollout.item(f"{kind}_output", call_id="a", output="ok").says().data()) == "safe_replay"


@pytest.mark.parametrize(
    ("reader", "row"),
    [
        (claude_code, {"type": "assistant", "sessionId": "s-1", "uuid": "x", "message": json.dumps(CALL)}),
        (claude_code, {"type": "assistant", "sessionId": "s-1", "uuid": "x", "message": {"content": CALL}}),
        (claude_code, {"type": "assistant", "sessionId": "s-1", "uuid": "x", "message": {"content": [[CALL]]}}),
        (codex, {"type": "response_item", "payload": [{"type": "function_call", "call_id": "a"}]}),
        (codex, {"type": "response_item", "payload": None}),
        (pi, {"type": "message", "id": "x", "message": [CALL]}),
        (pi, {"type": "message", "id": "x", "message": {"role": "assistant", "content": CALL}}),
    ],
)
def test_a_known_row_of_another_shape_is_damage(reader: ModuleType, row: Row) -> None:
    """What cannot be read is not left out."""
    rows: list[Any] = CLEAN[reader]
    with pytest.raises(CorruptLedger) as caught:
        verdict(reader, jsonl(*rows, row))
    assert caught.value.row == len(rows) + 1
