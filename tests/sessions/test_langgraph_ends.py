"""What the end of a LangGraph thread can hide: the store does not show its durability, but some things betray it."""

from pathlib import Path

import pytest

from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.source import open_source
from tests.sessions.langgraph_rows import Thread, ai, clean, send, tool
from tests.sessions.stores import reading_of, store, unclosed, verdict_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database goes."""
    return tmp_path / "store.db"


def _both(path: Path) -> tuple[str, str]:
    """Judge a thread alone, and where the host declares that its durability was ``sync``."""
    return verdict_of(langgraph, path), verdict_of(langgraph, path, declared=True)


@pytest.mark.parametrize("thread", [Thread().asks(), Thread().asks().calls("a").results("a"), clean().asks()])
def test_an_open_turn_is_safe_only_where_it_is_declared(path: Path, thread: Thread) -> None:
    """With durability ``async`` the call may be lost, and its tool may have run."""
    assert _both(store(path, thread.fill())) == ("blocked", "safe_replay")


def test_an_open_turn_that_a_new_input_cut_off_hides_calls_too(path: Path) -> None:
    """Its answer never came, whatever came later."""
    assert _both(store(path, Thread().asks().asks().says().fill())) == ("blocked", "safe_replay")


def test_an_open_branch_hides_calls_too(path: Path) -> None:
    """Nothing went on from it."""
    thread = clean()
    thread.checkpoint("loop", {"messages": [], "branch:to:agent": None}, parent="c002", id="c0025")
    thread.rows[-1]["metadata"]["step"] = 1
    assert _both(store(path, thread.fill())) == ("blocked", "safe_replay")


@pytest.mark.parametrize("node", ["agent", "model", "tools"])
def test_a_graph_without_messages_has_no_agents_nodes(path: Path, node: str) -> None:
    """A node's name says what it does only where its graph speaks: here it may have charged, in no call."""
    thread = Thread().checkpoint("input", {"order": 7}).checkpoint("loop", {"order": 7, f"branch:to:{node}": None})
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_a_turn_that_was_resumed_is_no_end(path: Path) -> None:
    """What was due at its checkpoint ran after all."""
    thread = Thread().asks().wrote("agent", "later?", channel="__interrupt__").says()
    assert _both(store(path, thread.fill())) == ("safe_replay", "safe_replay")


def test_a_due_task_makes_a_turn_open(path: Path) -> None:
    """Whether it is in the checkpoint, or, in older versions, in the writes of its parent."""
    due = Thread().asks().wrote("agent", ai(id="x")).checkpoint("loop", {"__pregel_tasks": [send("tools", {})]})
    older = Thread()
    older.version = 3
    older.asks().wrote("agent", send("tools", {}), channel="__pregel_tasks").wrote("agent", ai(id="x")).step()
    store(path, due.fill("t1"), older.fill("t2"))
    assert [verdict_of(langgraph, path, name) for name in ("t1", "t2")] == ["blocked", "blocked"]


def test_a_node_that_has_not_seen_its_channel_is_due(path: Path) -> None:
    """A graph without branches has channels of any name."""
    thread = clean()
    thread.rows[-1]["value"]["channel_versions"] = {"messages": 7}
    thread.rows[-1]["value"]["versions_seen"] = {"agent": {"messages": 7}, "__interrupt__": {"messages": 1}}
    store(path, thread.fill("t1"))
    assert verdict_of(langgraph, path, "t1") == "safe_replay"
    thread.rows[-1]["value"]["versions_seen"]["agent"] = {"messages": 6}
    store(path, thread.fill("t2"))
    assert verdict_of(langgraph, path, "t2") == "blocked"


def test_a_call_that_runs_again_on_a_branch_is_open_there(path: Path) -> None:
    """Going back to before its tool runs it a second time, and the first result is not that of the second run."""
    thread = clean()
    due = thread.rows[2]
    thread.checkpoint("fork", due["value"]["channel_values"], parent=due["id"])
    thread.rows[-1]["metadata"]["step"] = due["metadata"]["step"] + 1
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_a_join_is_due_once_something_reached_it(path: Path) -> None:
    """An empty one waits for nothing."""
    for name, arrived in (("t1", []), ("t2", ["b"])):
        thread = clean()
        thread.rows[-1]["value"]["channel_values"]["join:b+c:d"] = arrived
        thread.rows[-1]["value"]["channel_versions"]["join:b+c:d"] = 2
        thread.rows[-1]["value"]["versions_seen"]["d"] = {"join:b+c:d": 1}
        store(path, thread.fill(name))
    assert [verdict_of(langgraph, path, name) for name in ("t1", "t2")] == ["safe_replay", "blocked"]


def test_a_node_of_its_own_kind_hides_what_it_did(path: Path) -> None:
    """Also where ``sync`` is declared: what it does need not be a tool call."""
    thread = clean().wrote("agent", ai(id="x")).step("charge_card")
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")
    assert "charge_card" in str(reading_of(langgraph, path, declared=True).hides)


@pytest.mark.parametrize("said", [ai(id="run--x"), ai(id="x", usage_metadata={"total_tokens": 7})])
def test_a_node_that_wrote_what_a_model_said_is_known_to_call_it(path: Path, said: object) -> None:
    """Whatever the node is called."""
    thread = Thread().asks().wrote("cashier", said).step().asks().step("cashier")
    assert _both(store(path, thread.fill())) == ("blocked", "safe_replay")


def test_a_node_that_made_its_message_itself_may_do_anything_beside(path: Path) -> None:
    """A node that charges a card and then says so is no model's."""
    thread = Thread().asks().wrote("charge_card", ai(id="x")).step().asks().step("charge_card")
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_a_function_that_runs_the_whole_graph_hides_what_it_did(path: Path) -> None:
    """It gets the input itself, so that nothing is due but it; also where it has a name that is known."""
    thread = Thread().checkpoint("input", {"__start__": "go"}).checkpoint("loop", {"__end__": "done"})
    thread.checkpoint("input", {"__end__": "done", "__start__": "again"})
    for number, row in enumerate(thread.rows):
        row["value"]["channel_versions"] = {"__start__": number + 1}
        row["value"]["versions_seen"] = {"agent": {"__start__": 1}} if number else {}
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_an_update_by_hand_closes_no_turn(path: Path) -> None:
    """Nothing ran in it, so what was due before it may have run without a trace."""
    thread = Thread().asks().checkpoint("update", {"messages": []})
    assert _both(store(path, thread.fill())) == ("blocked", "safe_replay")


@pytest.mark.parametrize("thread", [Thread(step=3), Thread(step=-2)])
def test_durability_exit_is_betrayed_by_its_root(path: Path, thread: Thread) -> None:
    """A newer turn leaves no trace, whatever is declared."""
    thread.checkpoint("loop", {"messages": [ai(id="x")]})
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_a_thread_can_begin_with_an_update(path: Path) -> None:
    """Then its root has another step."""
    thread = Thread(step=0).checkpoint("update", {"messages": []}).asks().says()
    assert _both(store(path, thread.fill())) == ("safe_replay", "safe_replay")


def test_a_gap_in_the_chain_betrays_lost_checkpoints(path: Path) -> None:
    """By a parent that is not there, or by a step that does not follow its parent's."""
    jumped, orphan = clean(), clean()
    jumped.rows[-1]["metadata"]["step"] += 3
    orphan.rows.pop(2)
    store(path, jumped.fill("t1"), orphan.fill("t2"))
    for name in ("t1", "t2"):
        assert verdict_of(langgraph, path, name, declared=True) == "blocked"


def test_writes_of_a_checkpoint_that_is_not_there_betray_a_lost_one(path: Path) -> None:
    """Whatever is declared."""
    thread = clean().wrote("tools", tool("a", id="x"), at="c999")
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_an_input_alone_is_no_evidence(path: Path) -> None:
    """Durability ``exit`` and lost writes leave the same."""
    thread = Thread().asks()
    thread.rows.pop()
    assert _both(store(path, thread.fill())) == ("blocked", "blocked")


def test_an_input_without_its_checkpoint_opens_a_turn(path: Path) -> None:
    """It was written under the last checkpoint, where nothing was due."""
    thread = clean().wrote("", ai(id="x"))
    assert _both(store(path, thread.fill())) == ("blocked", "safe_replay")


def test_a_database_that_was_not_closed_can_hide_a_newer_turn(path: Path) -> None:
    """With durability ``async`` all of it may be lost with the process."""
    assert _both(unclosed(path, clean().fill())) == ("blocked", "safe_replay")


def test_looking_once_does_not_close_it(path: Path) -> None:
    """Every thread of the database is judged alike."""
    unclosed(path, clean().fill("t1"), clean().fill("t2"))
    with open_source(path) as source:
        found = [langgraph.read(source, name).hides for name in ("t1", "t2", "t1")]
    assert found[0] is not None
    assert found == [found[0]] * 3


def test_an_old_version_does_not_show_what_is_due(path: Path) -> None:
    """There the turn is open until the model has the last word."""
    old = Thread()
    old.version = 1
    old.asks().calls("a").results("a")
    old.step()
    store(path, old.fill("t1"), old.says().fill("t2"))
    assert [verdict_of(langgraph, path, name) for name in ("t1", "t2")] == ["blocked", "safe_replay"]
    assert verdict_of(langgraph, path, "t1", declared=True) == "blocked"
