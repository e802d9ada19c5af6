"""The verdicts on sessions of the OpenAI Agents SDK: a step is stored after its tools, so an open turn hides calls."""

from pathlib import Path
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats import openai_agents
from tests.sessions.openai_rows import Chat, clean, hosted
from tests.sessions.stores import codes_of, names, reading_of, statuses_of, store, unclosed, verdict_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database goes."""
    return tmp_path / "store.db"


def test_a_finished_turn_is_safe(path: Path) -> None:
    """A newer turn would have stored its question first."""
    store(path, clean().asks().says().fill())
    assert verdict_of(openai_agents, path) == "safe_replay"
    assert reading_of(openai_agents, path, declared=True).evidence == "none"


@pytest.mark.parametrize("chat", [Chat().asks(), Chat().asks().calls("a").outputs("a"), clean().asks()])
def test_an_open_turn_hides_calls(path: Path, chat: Chat) -> None:
    """Whether or not a host says anything."""
    store(path, chat.fill())
    assert verdict_of(openai_agents, path) == "blocked"
    assert verdict_of(openai_agents, path, declared=True) == "blocked"


def test_an_open_turn_in_the_middle_hides_calls(path: Path) -> None:
    """A later question with its answer settles nothing of the turn before."""
    assert verdict_of(openai_agents, store(path, Chat().asks().asks().says().fill())) == "blocked"


@pytest.mark.parametrize("status", ["in_progress", "incomplete"])
def test_an_unfinished_answer_ends_no_turn(path: Path, status: str) -> None:
    """More of it was to come."""
    assert verdict_of(openai_agents, store(path, Chat().asks().says(status=status).fill())) == "blocked"


def test_a_call_without_an_output_blocks(path: Path) -> None:
    """At the end or in the middle."""
    store(path, Chat().asks().calls("a").fill("s1"), Chat().asks().calls("a").says().asks().says().fill("s2"))
    for name in names(openai_agents, path):
        assert statuses_of(openai_agents, path, name) == [("a", "indeterminate")]


def test_of_two_parallel_calls_the_one_without_an_output_blocks(path: Path) -> None:
    """A sibling's output is not its own."""
    store(path, Chat().asks().calls("a", "b").outputs("b").says().fill())
    assert statuses_of(openai_agents, path) == [("a", "indeterminate"), ("b", "succeeded")]


def test_an_error_of_the_tool_is_a_result(path: Path) -> None:
    """It failed, and its outcome is known."""
    output = "An error occurred while running the tool. Please try again. Error: no funds"
    store(path, Chat().asks().calls("a").outputs("a", output=output).says().fill())
    assert statuses_of(openai_agents, path) == [("a", "failed")]


@pytest.mark.parametrize(
    "output",
    [
        "Tool 'pay' timed out after 30 seconds.",
        "Tool execution was not approved.",
        [{"stdout": "", "stderr": "", "outcome": {"type": "timeout"}}],
    ],
)
def test_what_the_sdk_says_instead_of_a_tool_is_no_result(path: Path, output: Any) -> None:
    """The tool may have acted, or may act still."""
    store(path, Chat().asks().calls("a").outputs("a", output=output).says().fill())
    assert statuses_of(openai_agents, path) == [("a", "indeterminate")]


def test_an_unfinished_output_is_no_result(path: Path) -> None:
    """Its status says so."""
    store(path, Chat().asks().calls("a").outputs("a", status="in_progress").says().fill())
    assert statuses_of(openai_agents, path) == [("a", "indeterminate")]


@pytest.mark.parametrize(
    ("item", "status"),
    [
        (hosted(output="paid"), "succeeded"),
        (hosted(error="no funds"), "failed"),
        (hosted(), "indeterminate"),
        (hosted(status="calling"), "indeterminate"),
        (hosted("web_search_call", status="completed"), "succeeded"),
        (hosted("charge_card_call", status="completed"), "indeterminate"),
        (hosted("new_kind", call_id="h"), "indeterminate"),
    ],
)
def test_a_call_of_the_provider_says_itself_how_it_ended(path: Path, item: dict[str, Any], status: str) -> None:
    """Of kinds that are not known, ``completed`` is only the item's own status."""
    store(path, Chat().asks().item(**item).says().fill())
    assert statuses_of(openai_agents, path) == [("h", status)]


@pytest.mark.parametrize("kind", ["shell", "apply_patch", "computer", "local_shell", "custom_tool"])
def test_every_kind_of_call_needs_its_output(path: Path, kind: str) -> None:
    """Each kind has an output of its own, linked by the call's id."""
    chat = Chat().asks().item(type=f"{kind}_call", call_id="a", status="completed")
    store(
        path, chat.says().fill("s1"), chat.item(type=f"{kind}_call_output", call_id="a", output="ok").says().fill("s2")
    )
    assert [statuses_of(openai_agents, path, name) for name in ("s1", "s2")] == [
        [("a", "indeterminate")],
        [("a", "succeeded")],
    ]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "remote_tool", "id": "h"},
        {"role": "assistant", "content": "x", "tool_calls": [{"id": "a"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "pay", "input": {}}]},
    ],
)
def test_an_item_of_an_unknown_kind_like_a_call_blocks(path: Path, item: dict[str, Any]) -> None:
    """The words name its kind; one that tells of tools is known, and no call."""
    store(path, Chat().asks().item(**item).says().fill("s1"))
    assert verdict_of(openai_agents, path, "s1") == "blocked"
    store(path, Chat().asks().item(type="mcp_list_tools", tools=[{"name": "pay"}]).says().fill("s2"))
    assert verdict_of(openai_agents, path, "s2") == "safe_replay"


def test_words_between_two_steps_end_no_turn(path: Path) -> None:
    """Newer models say so in the message itself."""
    store(path, Chat().asks().says(phase="commentary").fill("s1"), Chat().asks().says(phase="final_answer").fill("s2"))
    assert [verdict_of(openai_agents, path, name) for name in ("s1", "s2")] == ["blocked", "safe_replay"]


def test_an_approval_is_open_until_it_is_answered(path: Path) -> None:
    """The answer names the request."""
    chat = Chat().asks().item(type="mcp_approval_request", id="r", name="pay", arguments="{}")
    store(
        path, chat.says().fill("s1"), chat.item(type="mcp_approval_response", approval_request_id="r").says().fill("s2")
    )
    assert [verdict_of(openai_agents, path, name) for name in ("s1", "s2")] == ["blocked", "safe_replay"]


def test_an_output_without_a_call_is_corrupt(path: Path) -> None:
    """Something is missing before it."""
    store(path, Chat().asks().outputs("a").says().fill())
    assert codes_of(openai_agents, path) == {"tool_ledger_corruption", "unmatched_tool_result"}


def test_one_id_for_two_calls_of_one_step_is_corrupt(path: Path) -> None:
    """Which of them the output is for, nobody knows."""
    store(path, Chat().asks().calls("a", "a").outputs("a").says().fill())
    assert "tool_recovery_corruption" in codes_of(openai_agents, path)


def test_an_id_that_comes_again_is_another_call(path: Path) -> None:
    """In a later step; an output is for the latest."""
    chat = Chat().asks().calls("a").says().asks().calls("a").outputs("a").calls("a").outputs("a").says()
    expected = [("a", "indeterminate"), ("a", "succeeded"), ("a", "succeeded")]
    assert statuses_of(openai_agents, store(path, chat.fill())) == expected


def test_a_call_without_an_id_cannot_be_settled_by_one(path: Path) -> None:
    """Not even by an output without one, whose kind is all that it shares with the call."""
    assert verdict_of(openai_agents, store(path, Chat().asks().calls(None).outputs(None).says().fill())) == "blocked"


def test_an_old_index_may_be_of_an_sdk_that_stores_late(path: Path) -> None:
    """It stored a turn only when it ended, so that a newer one can have run without a trace."""
    assert verdict_of(openai_agents, store(path, clean().fill(index="created_at"))) == "blocked"


def test_a_turn_that_was_stored_step_by_step_is_of_a_newer_sdk(path: Path) -> None:
    """Its question is in the store well before its answer."""
    chat = Chat().asks().later(3).calls("a").outputs("a").says()
    assert verdict_of(openai_agents, store(path, chat.fill(index="created_at"))) == "safe_replay"


def test_a_compaction_hides_the_turns_before_it(path: Path) -> None:
    """It takes their items out of the store, also those of a turn that was cut off."""
    store(path, Chat().item(type="compaction", id="c", encrypted_content="x").asks().says().fill())
    assert verdict_of(openai_agents, path) == "blocked"


def test_a_session_without_an_item_is_no_evidence(path: Path) -> None:
    """What ran may not have been stored yet."""
    assert verdict_of(openai_agents, store(path, Chat().fill())) == "blocked"


def test_each_session_of_a_database_is_judged_alone(path: Path) -> None:
    """Their rows stand between one another's."""
    store(path, clean().fill("s1"), Chat().asks().calls("a").says().fill("s2"), clean().fill("s3"))
    found = {name: verdict_of(openai_agents, path, name) for name in names(openai_agents, path)}
    assert found == {"s1": "safe_replay", "s2": "blocked", "s3": "safe_replay"}


def test_what_is_only_in_the_wal_is_read(path: Path) -> None:
    """A killed process leaves it there, and reading changes no byte of it."""
    unclosed(path, clean().fill("s1"), Chat().asks().fill("s2"))
    assert [verdict_of(openai_agents, path, name) for name in ("s1", "s2")] == ["safe_replay", "blocked"]


@pytest.mark.parametrize("row", ["{", "[]", '{"a": 1}{"b": 2}', '{"__enc__": 1, "payload": "x"}', b"\xff", 7])
def test_a_bad_row_in_the_middle_is_damage(path: Path, row: Any) -> None:
    """Never half a session, and none that is encrypted."""
    change = "UPDATE agent_messages SET message_data = ? WHERE id = 2"
    store(path, clean().fill(), lambda db: db.execute(change, (row,)))
    with pytest.raises(CorruptLedger):
        verdict_of(openai_agents, path)


def test_a_damaged_database_is_damage(path: Path) -> None:
    """Its pages do not hold together."""
    store(path, *[clean().fill(f"s{number}") for number in range(200)])
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xaa" * (len(data) - 12288)
    path.write_bytes(data)
    with pytest.raises(CorruptLedger):
        verdict_of(openai_agents, path, "s7")
