"""Terse builders of ledgers: each returns a row as the plain dict that its JSON is made of.

``ledger`` numbers the rows (``e1``, ``e2``, …) and decodes them. A keyword of a builder replaces or adds a key of its
row.
"""

import json
from collections.abc import Iterable
from typing import Any

from resume_gate.errors import InvalidEvent
from resume_gate.events.canonical import canonical_args_hash
from resume_gate.events.codec import decode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.verdict.recovery import Recovery, ToolDecision, recover
from resume_gate.verdict.replay import replay_events

Row = dict[str, Any]

TOOL_BOUNDARY = "t1_after_preflight_v1"
MARKER: Row = {"runtimeProtocol": {"toolBoundary": TOOL_BOUNDARY}}
HIDDEN: Row = {"modelVisibility": "hidden", "origin": "code_mode"}
OTHER_TURN: Row = {"invocationId": "inv-2", "turnId": "turn-2"}
ARGS: Row = {"command": "ls"}
DIGEST = "sha256:" + "0a" * 32
IDENTITY: Row = {"invocationId": "inv-1", "runId": "run-1", "sessionId": "ses-1", "turnId": "turn-1"}


def event(role: str, author: str, **keys: Any) -> Row:
    """Build a row without an id."""
    return {**IDENTITY, "ts": 1_700_000_000_000, "partial": False, "role": role, "author": author, **keys}


def user(text: str = "go", **keys: Any) -> Row:
    """Build a user's text."""
    return event("user", "user", **{"content": {"kind": "text", "text": text}, **keys})


def opened(**keys: Any) -> Row:
    """Build a user's text that opens a ledger with the protocol marker."""
    return user(**{"actions": MARKER, **keys})


def say(text: str = "let me see", **keys: Any) -> Row:
    """Build a model's text."""
    return event("model", "agent", **{"content": {"kind": "text", "text": text}, **keys})


def call(call_id: str = "a", name: str = "Bash", args: Any = ARGS, **keys: Any) -> Row:
    """Build a tool call."""
    content = {"kind": "function_call", "id": call_id, "name": name, "args": args}
    return {**event("model", "agent", content=content), **keys}


def refs(call_id: str = "a", operation_id: str | None = None) -> Row:
    """Build the refs that name an operation and its call."""
    return {"operationId": operation_id or f"op-{call_id}", "toolCallId": call_id}


def t1(call_id: str = "a", name: str = "Bash", args: Any = ARGS, **keys: Any) -> Row:
    """Build the T1 of a call; ``op``, ``mode`` and ``args_hash`` are its operation id, recovery mode and hash."""
    operation_id = keys.pop("op", f"op-{call_id}")
    dispatch = {
        "protocol": TOOL_BOUNDARY,
        "operationId": operation_id,
        "providerToolCallId": call_id,
        "toolName": name,
        "canonicalArgsHash": keys.pop("args_hash", None) or canonical_args_hash(name, text_of(args)),
        "recoveryMode": keys.pop("mode", "reconcile"),
    }
    own = {"actions": {"toolDispatch": dispatch}, "refs": refs(call_id, operation_id)}
    return event("system", "system", **{**own, **keys})


def response(call_id: str = "a", name: str = "Bash", result: Any = "ok", **keys: Any) -> Row:
    """Build a response to a call without T1; ``is_error`` is its error flag."""
    content = {"kind": "function_response", "id": call_id, "name": name, "result": result}
    if "is_error" in keys:
        content["isError"] = keys.pop("is_error")
    return event("tool", "tool", **{"content": content, **keys})


def t2(call_id: str = "a", name: str = "Bash", result: Any = "ok", **keys: Any) -> Row:
    """Build a response to a call with T1."""
    return response(call_id, name, result, **{"refs": refs(call_id), **keys})


def reconciled(observation: str = "matches_expected_state", call_id: str = "a", **keys: Any) -> Row:
    """Build a reconcile result."""
    payload = {
        "protocol": "tool_reconcile_v1",
        "operationId": f"op-{call_id}",
        "observation": observation,
        "observationSchema": "state_identity_v1",
        "observationDigest": DIGEST,
    }
    fact = {"kind": "maka.tool.reconcile_result", "version": 1, "payload": payload}
    return event("system", "system", **{"actions": {"toolRecovery": fact}, "refs": refs(call_id), **keys})


def recovery_decision(evidence: Iterable[str], call_id: str = "a", **keys: Any) -> Row:
    """Build a recovery decision: completed where ``outcome`` names an event, else parked for ``reason``."""
    outcome, reason = keys.pop("outcome", None), keys.pop("reason", "reconcile_diverged")
    payload = {"protocol": "tool_recovery_v1", "operationId": f"op-{call_id}", "evidenceEventIds": list(evidence)}
    if outcome is None:
        payload |= {"disposition": "parked", "reasonCode": reason}
    else:
        payload |= {"disposition": "completed", "outcomeEventId": outcome}
        payload["reasonCode"] = "reconcile_matches_expected_state"
    fact = {"kind": "maka.tool.recovery_decision", "version": 1, "payload": payload}
    return event("system", "system", **{"actions": {"toolRecovery": fact}, "refs": refs(call_id), **keys})


def end(status: str = "completed", **keys: Any) -> Row:
    """Build a terminal event."""
    return event("system", "system", **{"status": status, "actions": {"endInvocation": True}, **keys})


def text_of(value: Any) -> bytes:
    """Write plain values as JSON text."""
    return json.dumps(value, separators=(",", ":")).encode()


def numbered(rows: Iterable[Row]) -> list[Row]:
    """Give each row that has no id the one of its place."""
    return [{"id": f"e{place}", **row} for place, row in enumerate(rows, 1)]


def ledger(*rows: Row) -> list[RuntimeEvent]:
    """Number and decode the rows."""
    return [decode_event(text_of(row)) for row in numbered(rows)]


def file_of(*rows: Row) -> bytes:
    """Number the rows and write them as a ledger file's bytes."""
    return b"".join(text_of(row) + b"\n" for row in numbered(rows))


def decodes(row: Row | bytes) -> bool:
    """Tell whether a row is a valid RuntimeEvent."""
    try:
        decode_event(row if isinstance(row, bytes) else text_of({"id": "e1", **row}))
    except InvalidEvent:
        return False
    return True


def recovered(*rows: Row) -> Recovery:
    """Scan and decide the rows."""
    return recover(ledger(*rows))


def issues(*rows: Row) -> list[tuple[str, str]]:
    """List the ledger's issues as (code, event id)."""
    return [(issue.code, issue.event_id) for issue in recovered(*rows).issues]


def decided(*rows: Row) -> ToolDecision:
    """Return the decision of the ledger's only operation."""
    (decision,) = recovered(*rows).decisions
    return decision


def verdict(*rows: Row) -> tuple[str, str]:
    """Return status and reason of the ledger's only operation."""
    decision = decided(*rows)
    return (decision.status, decision.reason)


def plan(*rows: Row) -> ResumePlan:
    """Plan the rows."""
    return build_resume_plan(ledger(*rows))


def diagnostics(*rows: Row) -> list[tuple[str, str | None, str | None]]:
    """List the plan's diagnostics as (code, event id, call id)."""
    return [(found.code, found.event_id, found.tool_call_id) for found in plan(*rows).diagnostics]


def replay(*rows: Row) -> list[str]:
    """List the ids of the events that the next model sees."""
    return [seen.id for seen in replay_events(ledger(*rows))]
