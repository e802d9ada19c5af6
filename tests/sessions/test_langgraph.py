"""The verdicts on LangGraph's calls: open until the result is in a checkpoint, or in what was written under one."""

from pathlib import Path

import msgspec
import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.langgraph import session as langgraph
from tests.sessions.langgraph_rows import Thread, ai, clean, message, packed, send, tool
from tests.sessions.stores import codes_of, names, plan_of, reading_of, statuses_of, store, unclosed, verdict_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database goes."""
    return tmp_path / "store.db"


def test_a_finished_turn_is_safe(path: Path) -> None:
    """Its chain of checkpoints is whole, and nothing is due."""
    store(path, clean().asks().says().fill())
    assert verdict_of(langgraph, path) == "safe_replay"
    assert reading_of(langgraph, path).evidence == "none"
    assert reading_of(langgraph, path, declared=True).evidence == "declared"


def test_a_message_counts_once(path: Path) -> None:
    """Every later checkpoint repeats it, with the id that it got meanwhile."""
    thread = Thread().asks().wrote("agent", ai("a"))
    thread.messages[-1] = ai("a", id="a1")
    thread.step("tools").wrote("tools", tool("a"))
    thread.messages[-1] = tool("a", id="t1")
    thread.step("agent").says()
    store(path, thread.fill())
    assert statuses_of(langgraph, path) == [("a", "succeeded")]
    assert len(reading_of(langgraph, path).events) == 4


def test_equal_messages_without_ids_are_as_many_as_there_are(path: Path) -> None:
    """The second of them is another call, and open."""
    thread = Thread().asks().wrote("agent", ai("a")).step("tools").wrote("tools", tool("a")).step("agent")
    thread.wrote("agent", ai("a")).step("tools")
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "succeeded"), ("a", "indeterminate")]


def test_a_write_can_be_the_whole_list_again(path: Path) -> None:
    """So a functional graph writes it, also with messages that have no ids."""
    thread = Thread().asks().wrote("agent", ai("a")).step("tools").wrote("tools", tool("a")).step("agent")
    thread.wrote("agent", [*thread.messages, ai()], at=thread.rows[-1]["id"])
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "succeeded")]


def test_a_call_at_the_end_without_a_result_blocks(path: Path) -> None:
    """Whatever is declared, the tool may have run."""
    store(path, Thread().asks().calls("a").fill())
    assert statuses_of(langgraph, path) == [("a", "indeterminate")]
    assert verdict_of(langgraph, path, declared=True) == "blocked"


def test_a_call_that_is_only_in_the_writes_counts(path: Path) -> None:
    """The next checkpoint may not have been stored."""
    store(path, Thread().asks().wrote("agent", ai("a", id="a1")).fill())
    assert statuses_of(langgraph, path) == [("a", "indeterminate")]


def test_a_call_that_is_only_in_a_due_task_counts(path: Path) -> None:
    """One that a message asked for is no second one."""
    call = {"name": "pay", "args": {}, "id": "b", "type": "tool_call"}
    task = send("tools", {"tool_call": call, "state": {"messages": [ai("a", id="a1")]}})
    thread = Thread().asks().wrote("agent", ai("a", id="a1")).wrote("agent", task, channel="__pregel_tasks")
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate"), ("b", "indeterminate")]


def test_a_finished_sibling_is_only_in_the_writes(path: Path) -> None:
    """The other call is open."""
    store(path, Thread().asks().calls("a", "b").wrote("tools", tool("b")).fill())
    assert statuses_of(langgraph, path) == [("a", "indeterminate"), ("b", "succeeded")]


def test_a_call_in_the_middle_without_a_result_blocks(path: Path) -> None:
    """A new input that went on past a call settles nothing."""
    thread = Thread().asks().calls("a").asks().says()
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate")]


def test_a_call_of_a_branch_that_was_left_counts(path: Path) -> None:
    """The agent would go on without it, so it is not on the path."""
    thread = Thread().asks().calls("a")
    left = thread.rows[-1]["id"]
    thread.messages = thread.messages[:1]
    thread.checkpoint("loop", {"messages": [*thread.messages, ai(id="z")]}, parent=thread.rows[1]["id"])
    thread.rows[-1]["metadata"]["step"] = 1
    store(path, thread.fill())
    found = reading_of(langgraph, path)
    assert statuses_of(langgraph, path) == [("a", "indeterminate")]
    assert (left, found.path) == ("c003", frozenset(event.id for event in found.events) - {"message-2"})


def test_calls_of_a_subgraph_count(path: Path) -> None:
    """It has checkpoints in a namespace of its own."""
    inner = Thread(namespace="tools:1").asks().calls("b")
    store(path, clean().fill(), inner.fill())
    assert statuses_of(langgraph, path) == [("a", "succeeded"), ("b", "indeterminate")]


def test_a_failed_tool_has_a_result(path: Path) -> None:
    """The graph goes on with it."""
    thread = (
        Thread().asks().calls("a").wrote("tools", tool("a", "Error: no funds", status="error", id="t")).step("agent")
    )
    assert statuses_of(langgraph, store(path, thread.says().fill())) == [("a", "failed")]


def test_an_error_of_the_task_is_no_result(path: Path) -> None:
    """A tool that raised may have acted before."""
    thread = Thread().asks().calls("a").wrote("tools", "RuntimeError('timed out')", channel="__error__")
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate")]


@pytest.mark.parametrize(
    "content",
    [
        "User rejected the tool call for `pay` with id a",
        "Tool call pay with id a was cancelled - another message came in before it could be completed.",
    ],
)
def test_what_a_middleware_says_instead_of_a_tool_is_no_result(path: Path, content: str) -> None:
    """The history was repaired, and the tool may have acted all the same."""
    thread = Thread().asks().calls("a").wrote("tools", tool("a", content, id="t")).step("agent").says()
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate")]


def test_a_result_without_a_call_is_corrupt(path: Path) -> None:
    """Something is missing before it."""
    store(path, Thread().asks().results("a").says().fill())
    assert codes_of(langgraph, path) == {"tool_ledger_corruption", "unmatched_tool_result"}


def test_one_id_for_two_calls_of_one_message_is_corrupt(path: Path) -> None:
    """Which of them the result is for, nobody knows: at least one of them is open."""
    store(path, Thread().asks().calls("a", "a").results("a").says().fill())
    assert plan_of(langgraph, path).disposition == "blocked"


def test_an_id_that_comes_again_is_another_call(path: Path) -> None:
    """In a later message; a result is for the latest."""
    thread = Thread().asks().calls("a").asks().calls("a").results("a").calls("a").results("a").says()
    expected = [("a", "indeterminate"), ("a", "succeeded"), ("a", "succeeded")]
    assert statuses_of(langgraph, store(path, thread.fill())) == expected


def test_calls_without_ids_are_known_by_their_name(path: Path) -> None:
    """Two of one name are answered in their order."""
    thread = Thread().asks().calls(None, None).wrote("tools", tool(None, id="t1"))
    assert [status for _, status in statuses_of(langgraph, store(path, thread.fill()))] == [
        "succeeded",
        "indeterminate",
    ]


def test_messages_can_be_plain_dicts(path: Path) -> None:
    """A state without message objects has them as the model's provider does."""
    call = {"id": "a", "type": "function", "function": {"name": "pay", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    thread = Thread().asks().wrote("agent", asked).step("tools")
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate")]


def test_a_changed_message_keeps_the_calls_that_it_had(path: Path) -> None:
    """A person can take a call out of it, which does not undo it."""
    thread = Thread().asks().wrote("agent", ai("a", id="m")).step("tools")
    thread.messages[-1] = ai("b", id="m")
    thread.step("tools")
    assert statuses_of(langgraph, store(path, thread.fill())) == [("a", "indeterminate"), ("b", "indeterminate")]


def test_each_thread_of_a_database_is_judged_alone(path: Path) -> None:
    """Also one that has only writes."""
    lost = Thread().asks()
    lost.rows.clear()
    store(path, clean().fill("t1"), Thread().asks().calls("a").fill("t2"), lost.fill("t3"))
    found = {name: verdict_of(langgraph, path, name) for name in names(langgraph, path)}
    assert found == {"t1": "safe_replay", "t2": "blocked", "t3": "blocked"}


def test_what_is_only_in_the_wal_is_read(path: Path) -> None:
    """A killed process leaves it there, and reading changes no byte of it."""
    assert statuses_of(langgraph, unclosed(path, Thread().asks().calls("a").fill())) == [("a", "indeterminate")]


@pytest.mark.parametrize(
    "blob", [b"\xc1", packed(7), packed({}) * 2, packed({"v": 4}), packed({"v": 4, "channel_values": []}), b""]
)
def test_a_bad_checkpoint_in_the_middle_is_damage(path: Path, blob: bytes) -> None:
    """Never half a session."""
    thread = clean()
    thread.rows[2]["blob"] = blob
    store(path, thread.fill())
    with pytest.raises(CorruptLedger):
        verdict_of(langgraph, path)


@pytest.mark.parametrize("kind", ["pickle", "msgpack+aes", "?"])
def test_what_cannot_be_read_safely_is_damage(path: Path, kind: str) -> None:
    """A pickle runs code, and what is encrypted says nothing."""
    store(path, clean().fill(), lambda db: db.execute("UPDATE writes SET type = ? WHERE rowid = 2", (kind,)))
    with pytest.raises(CorruptLedger):
        verdict_of(langgraph, path)


def test_objects_that_are_not_known_are_not_needed(path: Path) -> None:
    """They are values beside the messages."""
    other = [message("human", "x", id="x"), {"uuid": packed(1)}]
    store(path, clean().fill(), Thread(namespace="n").checkpoint("input", {"other": other}).fill("t2"))
    assert verdict_of(langgraph, path, "t1") == "safe_replay"
    assert len(reading_of(langgraph, path, "t2").events) == 1


def test_checkpoints_of_older_savers_are_json(path: Path) -> None:
    """There a message is LangChain's constructor envelope."""
    value = (
        '{"v": 1, "channel_values": {"messages": [{"lc": 1, "type": "constructor", "id": ["langchain", "messages", '
        '"AIMessage"], "kwargs": {"type": "ai", "content": "", "id": "a1", "tool_calls": [{"name": "pay", "args": {}, '
        '"id": "a"}]}}]}, "channel_versions": {}, "versions_seen": {}}'
    )
    row = "UPDATE checkpoints SET type = 'json', checkpoint = ? WHERE checkpoint_id = 'c002'"
    store(path, Thread().asks().fill(), lambda db: db.execute(row, (value.encode(),)))
    assert statuses_of(langgraph, path) == [("a", "indeterminate")]


def test_an_object_of_a_kind_that_is_not_known_is_damage(path: Path) -> None:
    """It may be a message with a call."""
    thread = clean()
    thread.rows[2]["value"]["channel_values"]["x"] = msgspec.msgpack.Ext(42, b"")
    store(path, thread.fill())
    with pytest.raises(CorruptLedger, match="42"):
        verdict_of(langgraph, path)
