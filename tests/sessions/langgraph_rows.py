"""Builds small LangGraph threads, checkpoint by checkpoint, as the saver writes them."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from tests.sessions.stores import Fill, Row, text

_TABLES = """
CREATE TABLE IF NOT EXISTS checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE IF NOT EXISTS writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL, task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL,
    channel TEXT NOT NULL, type TEXT, value BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
"""
_CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def packed(value: Any) -> bytes:
    """Write a value as the saver's MessagePack."""
    return msgspec.msgpack.encode(value)


def made(module: str, name: str, value: Any, code: int = 5) -> msgspec.msgpack.Ext:
    """Write an object as the saver does: where its class is, and what it is made from."""
    return msgspec.msgpack.Ext(code, packed([module, name, value, "model_validate_json"]))


def message(kind: str, content: str = "", **keys: Any) -> msgspec.msgpack.Ext:
    """Write a message object."""
    return made(f"langchain_core.messages.{kind}", _CLASSES[kind], {"content": content, "type": kind, **keys})


def ai(*call_ids: str | None, name: str = "pay", **keys: Any) -> msgspec.msgpack.Ext:
    """Write an answer that asks for these calls."""
    calls = [{"name": name, "args": {"order": 7}, "id": call_id, "type": "tool_call"} for call_id in call_ids]
    return message("ai", "" if calls else "Done.", tool_calls=calls, **keys)


def tool(call_id: str | None, content: str = "paid", **keys: Any) -> msgspec.msgpack.Ext:
    """Write a tool's result."""
    return message("tool", content, **{"tool_call_id": call_id, "name": "pay", "status": "success", **keys})


def send(node: str, arg: Any) -> msgspec.msgpack.Ext:
    """Write a task that is due."""
    return made("langgraph.types", "Send", [node, arg], code=1)


class Thread:
    """A thread under construction; every method but the last adds to it and returns the thread."""

    def __init__(self, step: int = -1, namespace: str = "") -> None:
        self.rows: list[Row] = []
        self.writes: list[tuple[str, str, str, Any]] = []
        self.messages: list[Any] = []
        self.namespace = namespace
        self.version = 4
        self._first = step

    def checkpoint(self, source: str, values: Row, **keys: Any) -> Thread:
        """Add a checkpoint with these channel values."""
        last = self.rows[-1] if self.rows else None
        step = self._first if last is None else last["metadata"]["step"] + 1
        row = {
            "id": f"{self.namespace}c{len(self.rows) + 1:03d}",
            "parent": last and last["id"],
            "metadata": {"source": source, "step": step},
            "value": {"v": self.version, "channel_values": values, "channel_versions": {}, "versions_seen": {}},
        }
        self.rows.append({**row, **keys})
        return self

    def wrote(self, node: str, *messages: Any, channel: str = "messages", at: str | None = None) -> Thread:
        """Add what a node wrote under the last checkpoint, or under the one named."""
        for value in messages:
            self.writes.append((at or self.rows[-1]["id"], node, channel, value))
        if channel == "messages" and at is None:
            self.messages += messages
        return self

    def step(self, *due: str, **keys: Any) -> Thread:
        """Add the checkpoint that holds all that was written, with the nodes that are due."""
        return self.checkpoint(
            "loop", {"messages": [*self.messages], **{f"branch:to:{node}": None for node in due}}, **keys
        )

    def asks(self) -> Thread:
        """Add a question: its own checkpoint, and the one where the model is due."""
        question = message("human", "charge order 7", id=f"h{len(self.rows)}")
        self.checkpoint("input", {"messages": [*self.messages], "__start__": {"messages": [question]}})
        return self.wrote("__start__", question).step("agent")

    def calls(self, *call_ids: str | None) -> Thread:
        """Add an answer that asks for these calls, and the checkpoint where the tools are due."""
        return self.wrote("agent", ai(*call_ids, id=f"a{len(self.rows)}")).step("tools")

    def results(self, *call_ids: str | None) -> Thread:
        """Add the results of these calls, and the checkpoint where the model is due."""
        return self.wrote("tools", *(tool(one, id=f"t{len(self.rows)}-{one}") for one in call_ids)).step("agent")

    def says(self) -> Thread:
        """Add an answer in words, and the checkpoint where nothing is due."""
        return self.wrote("agent", ai(id=f"a{len(self.rows)}")).step()

    def fill(self, thread: str = "t1") -> Fill:
        """Return what writes the thread into a database."""
        rows, writes = tuple(self.rows), tuple(self.writes)

        def write(connection: sqlite3.Connection) -> None:
            connection.executescript(_TABLES)
            for row in rows:
                blob = row.get("blob", packed(row["value"]))
                place = (
                    thread,
                    self.namespace,
                    row["id"],
                    row["parent"],
                    "msgpack",
                    blob,
                    text(row["metadata"]).encode(),
                )
                connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", place)
            for number, (at, node, channel, value) in enumerate(writes):
                path = f"~__pregel_pull, {node}"
                cell = (thread, self.namespace, at, f"task-{number}", path, channel, packed(value))
                connection.execute("INSERT INTO writes VALUES (?, ?, ?, ?, ?, 0, ?, 'msgpack', ?)", cell)

        return write


def clean() -> Thread:
    """Return a thread with one settled call and an answer."""
    return Thread().asks().calls("a").results("a").says()
