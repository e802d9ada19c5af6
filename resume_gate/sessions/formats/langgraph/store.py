"""One LangGraph thread, from the tables of its SQLite saver: checkpoints with their writes, in the order of time."""

from __future__ import annotations

from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.langgraph.blobs import Send, decoded
from resume_gate.sessions.source import Source
from resume_gate.sessions.tables import columns_of, json_object, query, tables_with

_CHECKPOINTS = frozenset({"thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "checkpoint"})
_WRITES = frozenset({"thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel", "value"})
_OWN_SENDS = 4
"""From this checkpoint version on, a checkpoint itself has the tasks that are due."""


class Write(NamedTuple):
    """What one task wrote to one channel."""

    path: str
    channel: str
    value: Any

    @property
    def node(self) -> str | None:
        """The node whose task it was, where the path names it."""
        kind, _, node = self.path.partition("__pregel_pull, ")
        return node.split(", ")[0] if node and kind in ("", "~") else None


class Checkpoint(NamedTuple):
    """One checkpoint, with what its tasks wrote before there was a next one."""

    namespace: str
    name: str
    parent: str | None
    source: str
    step: int | None
    version: int
    ts: Any
    values: dict[str, Any]
    versions: dict[str, Any]
    seen: dict[str, Any]
    writes: tuple[Write, ...]

    @property
    def sends(self) -> list[Send]:
        """The tasks that are due, as the checkpoint itself has them."""
        due = self.values.get("__pregel_tasks")
        return [task for task in due if isinstance(task, Send)] if isinstance(due, list) else []

    def due(self, parent: Checkpoint | None) -> list[Send]:
        """Return the tasks that are due; older versions keep them in the writes of the parent."""
        if self.version >= _OWN_SENDS or parent is None:
            return self.sends
        return self.sends + [write.value for write in parent.writes if isinstance(write.value, Send)]


class Thread(NamedTuple):
    """All of a thread, of all its namespaces and branches."""

    checkpoints: tuple[Checkpoint, ...]
    lost: bool
    """Whether there are writes of a checkpoint that is not there."""
    unclosed: bool
    """Whether whoever wrote the database has not closed it."""

    def by_name(self) -> dict[tuple[str, str | None], Checkpoint]:
        """Return the checkpoints by namespace and name."""
        return {(checkpoint.namespace, checkpoint.name): checkpoint for checkpoint in self.checkpoints}


def has_tables(source: Source) -> bool:
    """Tell whether the saver's tables are there."""
    return "checkpoints" in tables_with(source, _CHECKPOINTS) and "writes" in tables_with(source, _WRITES)


def thread_ids(source: Source) -> list[str]:
    """Return the ids of all threads."""
    found = query(source, "SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes ORDER BY 1")
    return [str(name) for (name,) in found]


def thread(source: Source, name: str) -> Thread:
    """Return a thread; ``CorruptLedger`` where a value of it is damaged."""
    writes = _writes(source, name)
    kind = "type" if "type" in columns_of(source, "checkpoints") else "'json'"
    rows = query(
        source,
        f"SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, {kind}, checkpoint, metadata "  # noqa: S608 - constants
        "FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id, checkpoint_ns",
        name,
    )
    checkpoints = tuple(_checkpoint(number, row, writes) for number, row in enumerate(rows, 1))
    lost = writes.keys() - {(checkpoint.namespace, checkpoint.name) for checkpoint in checkpoints}
    return Thread(checkpoints, bool(lost), source.unclosed)


def _writes(source: Source, name: str) -> dict[tuple[str, str], list[Write]]:
    columns = columns_of(source, "writes")
    path = "task_path" if "task_path" in columns else "''"
    kind = "type" if "type" in columns else "'json'"
    found: dict[tuple[str, str], list[Write]] = {}
    rows = query(
        source,
        f"SELECT checkpoint_ns, checkpoint_id, {path}, channel, {kind}, value "  # noqa: S608 - constants
        "FROM writes WHERE thread_id = ? ORDER BY rowid",
        name,
    )
    for number, (namespace, checkpoint, task, channel, written, value) in enumerate(rows, 1):
        write = Write(str(task), str(channel), decoded(written, value, f"row {number} of the writes"))
        found.setdefault((str(namespace), str(checkpoint)), []).append(write)
    return found


def _checkpoint(number: int, row: tuple[Any, ...], writes: dict[tuple[str, str], list[Write]]) -> Checkpoint:
    namespace, name, parent, kind, blob, metadata = row
    where = f"row {number} of the checkpoints"
    value = decoded(kind, blob, where)
    known = {} if metadata is None else json_object(metadata, number)
    if not isinstance(value, dict):
        raise CorruptLedger(f"{where}: it is no checkpoint")
    step, version = known.get("step"), value.get("v")
    return Checkpoint(
        namespace=str(namespace),
        name=str(name),
        parent=str(parent) if parent else None,
        source=str(known.get("source")),
        step=step if isinstance(step, int) else None,
        version=version if isinstance(version, int) else 1,
        ts=value.get("ts"),
        values=_map(value, "channel_values", where),
        versions=_map(value, "channel_versions", where),
        seen=_map(value, "versions_seen", where),
        writes=tuple(writes.get((str(namespace), str(name)), ())),
    )


def _map(value: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    found = value.get(key)
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise CorruptLedger(f"{where}: its {key} are not there")
    return found
