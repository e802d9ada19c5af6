"""What the ends of a LangGraph thread can hide: of its branches and namespaces, and of turns that an input cut off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from resume_gate.sessions.formats.langgraph.messages import messages_in
from resume_gate.sessions.formats.langgraph.store import Checkpoint, Thread
from resume_gate.sessions.linking import id_of

_START = "__start__"
_PREBUILT = frozenset({_START, "agent", "model", "tools"})
"""Nodes that do nothing beside calling the model, or the tools that it asked for."""
_ONE_LAYOUT = 3
"""From this checkpoint version on, every edge has a channel of its own, so that what is due can be told."""
_FIRST_STEP = -1
_BY_HAND = ("input", "update", "fork")

_EMPTY = "The thread has no checkpoint, and that is no evidence: durability 'exit' leaves none before the end."
_LOST = "A checkpoint was lost: there are writes of one that is not there. Check what the thread's last tools did."
_GAPS = (
    "The chain of checkpoints has gaps, as durability 'exit' leaves them: a newer turn may have run without a trace. "
    "Check what was asked since."
)
_INPUT_ONLY = (
    "There is only an input's checkpoint: durability 'exit' and lost writes leave the same. Check what it asked for."
)
_OPEN = (
    "A turn is open, and the store does not show its durability: with 'async', the default, calls that ran may be "
    "missing. Check what that turn asked for, or declare the durability 'sync' if it was."
)
_AGAIN = (
    "On a branch of the thread the call {call} is due without a result. A result that another branch has is not that "
    "of this one, where the tool may have run again: check what it did."
)
_UNCLOSED = (
    "The database was not closed, and the store does not show its durability: with 'async', the default, a newer "
    "turn may have run without a trace. Check what was asked since, or declare the durability 'sync' if it was."
)


def hidden(thread: Thread, *, declared: bool) -> str | None:
    """Say what the thread can hide beside the calls in it; ``None`` where that is nothing."""
    always = _betrayed(thread)
    if always is not None:
        return always
    known = thread.by_name()
    ends = [(end, known.get((end.namespace, end.parent))) for end in _ends(thread)]
    if declared:
        return _strange(thread, ends)
    if any(_is_open(thread, end, parent) for end, parent in ends):
        return _OPEN
    return _UNCLOSED if thread.unclosed else None


def _betrayed(thread: Thread) -> str | None:
    """Say what the store shows whatever the host declares."""
    if thread.lost:
        return _LOST
    if not thread.checkpoints:
        return _EMPTY
    known = thread.by_name()
    if not all(_follows(checkpoint, known) for checkpoint in thread.checkpoints):
        return _GAPS
    return _INPUT_ONLY if all(checkpoint.source == "input" for checkpoint in thread.checkpoints) else None


def _follows(checkpoint: Checkpoint, known: dict[tuple[str, str | None], Checkpoint]) -> bool:
    if checkpoint.parent is None:
        return checkpoint.source in _BY_HAND[1:] or checkpoint.step == _FIRST_STEP
    parent = known.get((checkpoint.namespace, checkpoint.parent))
    if parent is None or parent.step is None or checkpoint.step is None:
        return False
    return checkpoint.step == parent.step + 1


def _ends(thread: Thread) -> Iterator[Checkpoint]:
    """Yield the checkpoints from which no node went on, but at most a new input, an update by hand or a fork."""
    followed: dict[tuple[str, str | None], bool] = {}
    for checkpoint in thread.checkpoints:
        before = (checkpoint.namespace, checkpoint.parent)
        followed[before] = followed.get(before, False) or checkpoint.source not in _BY_HAND
    for checkpoint in thread.checkpoints:
        if not followed.get((checkpoint.namespace, checkpoint.name), False):
            yield checkpoint


def _is_open(thread: Thread, end: Checkpoint, parent: Checkpoint | None) -> bool:
    if any(True for _ in _due(end, parent)):
        return True
    # With nothing due, what was written is the next input, whose own checkpoint should be there.
    leaf = all(other.parent != end.name or other.namespace != end.namespace for other in thread.checkpoints)
    return bool(leaf and end.writes) or (end.version < _ONE_LAYOUT and not _has_last_word(end))


def _strange(thread: Thread, ends: list[tuple[Checkpoint, Checkpoint | None]]) -> str | None:
    """Name a node that was due, of which it is not known that all it does is in messages."""
    known = (_by_convention(thread) | _speakers(thread)) - _entrypoints(thread)
    for end, parent in ends:
        due = list(_due(end, parent))
        for node in due:
            if node not in known:
                return (
                    f"The node {node!r} was due or running: what it did beside writing messages is not in the record."
                )
        again = next(_unanswered(end), None) if due else None
        if again is not None:
            return _AGAIN.format(call=again)
        if end.version < _ONE_LAYOUT and not _has_last_word(end):
            return "The checkpoint is of an old version, which does not show which nodes were due."
    return None


def _unanswered(end: Checkpoint) -> Iterator[str]:
    """Yield the calls that have no result in a checkpoint and its writes, whatever another branch says of them."""
    there = [*messages_in(list(end.values.values())), *messages_in([write.value for write in end.writes])]
    messages = {message.name or message.print: message for message in there}.values()
    answers = Counter(id_of(message.data.get("tool_call_id")) for message in messages if message.kind == "tool")
    for call in (call for message in messages if message.kind == "ai" for call in message.calls):
        answers[call.call_id] -= 1
        if answers[call.call_id] < 0:
            yield f"{call.name} ({call.call_id})"


def _by_convention(thread: Thread) -> frozenset[str]:
    # The names say what a node does only in an agent's graph: one without messages may call anything ``agent``.
    has_messages = any("messages" in checkpoint.values for checkpoint in thread.checkpoints)
    return _PREBUILT if has_messages else frozenset({_START})


def _speakers(thread: Thread) -> frozenset[str]:
    writes = (write for checkpoint in thread.checkpoints for write in checkpoint.writes)
    spoke = (write.node for write in writes if any(message.is_evidence for message in messages_in(write.value)))
    return frozenset(node for node in spoke if node)


def _entrypoints(thread: Thread) -> frozenset[str]:
    """Return the functions that run whole graphs: what they did before they end stands in no checkpoint."""
    seen = (pair for checkpoint in thread.checkpoints for pair in checkpoint.seen.items())
    return frozenset(node for node, channels in seen if isinstance(channels, dict) and _START in channels) - {_START}


def _due(end: Checkpoint, parent: Checkpoint | None) -> Iterator[str]:
    """Yield the nodes that were due at a checkpoint."""
    for task in end.due(parent):
        yield task.node
    for channel, value in end.values.items():
        kind, _, target = channel.rpartition(":")
        if kind.startswith("join:"):
            yield from [target] if value else []  # empty again, it has been seen
        elif channel == _START or kind == "start" or kind.startswith("branch:"):
            yield _unseen(end, channel) or target
        elif node := _unseen(end, channel):
            yield node


def _unseen(end: Checkpoint, channel: str) -> str | None:
    """Return a node that has seen this channel before, but not as it is now."""
    version = end.versions.get(channel)
    for node, seen in end.seen.items():
        is_node = node == _START or not node.startswith("__")
        if is_node and isinstance(seen, dict) and channel in seen and _is_newer(version, seen[channel]):
            return node
    return None


def _is_newer(version: Any, seen: Any) -> bool:
    try:
        return bool(version > seen)
    except TypeError:
        return bool(version != seen)


def _has_last_word(end: Checkpoint) -> bool:
    *_, last = [None, *messages_in(list(end.values.values()))]
    return last is not None and last.kind == "ai" and not last.calls
