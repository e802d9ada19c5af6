"""One row of every shape that the contract names, with all of its keys; nested objects are found by path."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.kit.builders import DIGEST, Row, call, end, event, opened, reconciled, recovery_decision, response, t1, user

REFS: Row = {
    "storedMessageId": "x",
    "traceEventId": "x",
    "toolCallId": "x",
    "providerEventId": "x",
    "sourceMessageDigest": DIGEST,
    "providerRequestTraceId": "x",
    "artifactId": "x",
    "operationId": "x",
    "parentToolCallId": "x",
    "parentOperationId": "x",
    "stepId": "x",
    "sourceInvocationId": "x",
    "sourceRunId": "x",
    "sourceTurnId": "x",
    "sourceRuntimeEventHighWater": 0,
}
OBJECT_ACTIONS = (
    "stateDelta",
    "permissionRequest",
    "permissionDecision",
    "permissionAnswerAccepted",
    "permissionClosureAccepted",
    "userQuestionRequest",
    "userQuestionAnswerAccepted",
    "tokenUsage",
    "continuationStart",
    "workspaceFact",
)
TEXT: Row = {
    "kind": "text",
    "text": "go",
    "displayText": "Go!",
    "attachments": [{"name": "a"}],
    "quotes": ["q"],
    "inlineReferences": [1, None],
    "origin": "chat",
    "steering": True,
    "providerOptions": {"a": None},
}
THINKING: Row = {"kind": "thinking", "text": "hmm", "signature": "s", "providerOptions": {}}
ERROR: Row = {"kind": "error", "message": "m", "code": "c", "reason": "r", "details": ["a", "b"]}
ACTIONS: Row = {
    **{key: {"any": [None, 1]} for key in OBJECT_ACTIONS},
    "artifactDelta": {"s": "x", "n": 1.5, "b": False},
    "transferToAgent": "other",
    "endInvocation": False,
}


def _call() -> Row:
    row = call()
    row["content"] = {**row["content"], "providerOptions": {"a": 1}, "providerExecuted": True}
    return row


def _response() -> Row:
    row = response()
    row["content"] = {**row["content"], "isError": False, "providerExecuted": False, "providerOutput": None}
    return row


SAMPLES: dict[str, Row] = {
    "text": user(content=TEXT, refs=REFS, branch="b", origin="provider", modelVisibility="visible"),
    "thinking": event("model", "agent", content=THINKING),
    "call": _call(),
    "response": _response(),
    "error": event("system", "host", content=ERROR),
    "actions": event("system", "host", actions=ACTIONS),
    "marker": opened(),
    "dispatch": t1(),
    "reconciled": reconciled(),
    "completed": recovery_decision(["e1", "e2"], outcome="e2"),
    "parked": recovery_decision(["e1"]),
    "end": end(),
}

# Objects whose keys the contract does not name.
_OPEN = {"args", "result", "providerOutput", "providerOptions", "artifactDelta", *OBJECT_ACTIONS}

Path = tuple[str, ...]


def objects(value: Any, path: Path = ()) -> Iterator[Path]:
    """List the paths of all objects whose keys the contract names."""
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            if key not in _OPEN:
                yield from objects(item, (*path, key))


def keys(value: Any, path: Path = ()) -> Iterator[Path]:
    """List the paths of all keys that the contract names."""
    for parent in objects(value, path):
        yield from ((*parent, key) for key in at(value, parent))


def at(value: Any, path: Path) -> Any:
    """Find what a path leads to."""
    for key in path:
        value = value[key]
    return value


def with_value(row: Row, path: Path, value: Any) -> Row:
    """Copy a row with another value at the path."""
    copy = deepcopy(row)
    at(copy, path[:-1])[path[-1]] = value
    return copy
