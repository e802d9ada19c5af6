"""The process harness: a process is killed at each failpoint, and a new store reads what it left (contract section 8).

This proves recovery from the death of a process, not from the loss of power.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Raw

from resume_gate.agent.recorder import now_ms
from resume_gate.errors import ResumeGateError
from resume_gate.events.canonical import digest
from resume_gate.events.event import Actions, FunctionCall, FunctionResponse, RuntimeEvent, Text
from resume_gate.failpoints import FAILPOINTS, Failpoint, FailpointId, Prefix
from resume_gate.ledger.files.paths import ledger_path
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.ledger.prefix import CommittedPrefix
from resume_gate.verdict.plan import Disposition, ResumePlan, build_resume_plan
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef

SESSION = "crash-test"
READY_WITHIN = 60.0
"""Seconds within which a child has to report that it is ready to be killed."""

_END = Actions(end_invocation=True)
_LENGTH: dict[Prefix, int] = {
    "before_function_call": 1,
    "after_function_call": 2,
    "after_function_response": 3,
    "after_terminal_event": 4,
}
_SAFE = {"disposition": "safe_replay", "rejection reasons": []}
_EXPECTED: dict[Prefix, dict[str, Any]] = {
    "before_function_call": {**_SAFE, "operations": [], "replay": ["user"], "terminal status": None},
    "after_function_call": {
        "disposition": "blocked",
        "rejection reasons": ["dangling_tool_state"],
        "operations": ["indeterminate"],
        "replay": ["user"],
        "terminal status": None,
    },
    "after_function_response": {
        **_SAFE,
        "operations": ["succeeded"],
        "replay": ["user", "call", "response"],
        "terminal status": None,
    },
    "after_terminal_event": {
        **_SAFE,
        "operations": ["succeeded"],
        "replay": ["user", "call", "response", "terminal"],
        "terminal status": "completed",
    },
}


class CrashRow(NamedTuple):
    """What became of one failpoint: ``detail`` says what is wrong, and is empty where the row passed.

    ``events`` counts what the reopened ledger holds; ``disposition`` is ``None`` where it could not be planned.
    """

    failpoint: FailpointId
    where: str
    prefix: Prefix
    events: int
    disposition: Disposition | None
    passed: bool
    detail: str


class Death(NamedTuple):
    """What a killed child had acknowledged: event ids, and the digest of the ledger's bytes; or why it failed."""

    failpoint: Failpoint
    run: RunRef
    event_ids: list[str]
    digest: str
    failure: str


def run_crash_test(root: Path) -> Iterator[CrashRow]:
    """Kill a real process at each of the twelve failpoints, one after the other; yield a row for each.

    The runs are new ones of the session ``crash-test`` below ``root``, and stay there as evidence. A row says what went
    wrong; only a missing root (``FileNotFoundError``) or a child that cannot be started (``OSError``) raises.
    """
    ledger_path(root, RunRef(SESSION, "root"))
    return (judge_death(root, die_at(root, failpoint)) for failpoint in FAILPOINTS)


def committed_events(run: RunRef, prefix: Prefix) -> list[RuntimeEvent]:
    """Return the events of a committed prefix, in a ledger without the protocol marker."""
    call = FunctionCall(id="call_1", name="charge", args=Raw(b'{"order":7}'))
    response = FunctionResponse(id="call_1", name="charge", result=Raw(b'{"charged":true}'))
    events = [
        _event(run, "user", role="user", author="user", content=Text(text="charge order 7")),
        _event(run, "call", role="model", author="agent", content=call),
        _event(run, "response", role="tool", author="tool", content=response),
        _event(run, "terminal", role="system", author="system", status="completed", actions=_END),
    ]
    return events[: _LENGTH[prefix]]


def _event(run: RunRef, name: str, **parts: Any) -> RuntimeEvent:
    return RuntimeEvent(
        id=f"{run.run_id}:{name}",
        invocation_id="invocation_1",
        run_id=run.run_id,
        session_id=run.session_id,
        turn_id="turn_1",
        ts=now_ms(),
        partial=False,
        **parts,
    )


def finally_marker(root: Path, run: RunRef) -> Path:
    """Return the file that a child's ``finally`` writes: there only if the child was not killed."""
    return root / f"{run.run_id}.finally-ran"


def die_at(root: Path, failpoint: Failpoint) -> Death:
    """Start a child that commits the failpoint's prefix of a new run, and kill it once it reports ready."""
    run = RunRef(SESSION, f"{failpoint.id}-{uuid.uuid4().hex}")
    arguments = (str(root), run.session_id, run.run_id, failpoint.prefix)
    with start_child("-m", "resume_gate.crash.child", *arguments) as child:
        report = await_report(child)
        ended = child.poll()
        child.kill()
        child.wait()
        errors = "" if child.stderr is None else child.stderr.read().strip()
    if not report:
        last = errors.splitlines()[-1] if errors else f"no word within {READY_WITHIN:.0f} s"
        return Death(failpoint, run, [], "", f"the child did not report ready: {last}")
    failure = "" if ended is None else f"the child ended by itself with code {ended}, before it was killed"
    ready = json.loads(report)
    return Death(failpoint, run, ready["eventIds"], ready["digest"], failure)


def start_child(*arguments: str) -> subprocess.Popen[str]:
    """Start this interpreter with its own arguments, able to import this very package, all three streams piped."""
    package = str(Path(__file__).resolve().parent.parent)
    search = os.pathsep.join(part for part in (package, os.environ.get("PYTHONPATH")) if part)
    return subprocess.Popen(  # noqa: S603 - this interpreter and this package
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": search},
    )


def await_report(child: subprocess.Popen[str]) -> str:
    """Return a child's next line, without its end; empty where it ended first, or had to be killed for its silence."""
    if child.stdout is None:
        return ""
    watchdog = threading.Timer(READY_WITHIN, child.kill)
    watchdog.start()
    try:
        line = child.stdout.readline()
    finally:
        watchdog.cancel()
    return line[:-1] if line.endswith("\n") else ""


def judge_death(root: Path, death: Death) -> CrashRow:
    """Reopen a dead child's ledger with a new store, and compare it with what the contract promises."""
    if death.failure:
        return _row(death, None, [death.failure])
    try:
        seen = _project(root, death.run)
        again = _project(root, death.run)
        after = digest(ledger_path(root, death.run).read_bytes())
    except (ResumeGateError, OSError) as error:
        return _row(death, None, [f"the ledger could not be projected: {error}"])
    complaints = list(_complaints(death, seen))
    if seen != again:
        complaints.append("two projections of the same ledger differ")
    if not seen.prefix.digest == after == death.digest:
        complaints.append("the ledger's bytes are not those that the dead process had acknowledged")
    if finally_marker(root, death.run).exists():
        complaints.append("the child's finally ran, so it was not killed")
    return _row(death, seen, complaints)


class _Projection(NamedTuple):
    prefix: CommittedPrefix
    plan: ResumePlan
    replay: list[RuntimeEvent]


def _project(root: Path, run: RunRef) -> _Projection:
    prefix = RuntimeEventStore(root).read(run)
    plan = build_resume_plan(prefix.events, run=run, prefix_digest=prefix.digest)
    return _Projection(prefix, plan, list(replay_events(prefix.events)))


def _complaints(death: Death, seen: _Projection) -> Iterator[str]:
    planned = [event.id for event in committed_events(death.run, death.failpoint.prefix)]
    found_ids = [event.id for event in seen.prefix.events]
    if not planned == death.event_ids == found_ids:
        yield f"event ids: {found_ids} found, {death.event_ids} acknowledged, {planned} planned"
    found = {
        "disposition": seen.plan.disposition,
        "rejection reasons": list(seen.plan.rejection_reasons),
        "operations": [operation.status for operation in seen.plan.operations],
        "replay": [event.id.rpartition(":")[2] for event in seen.replay],
        "terminal status": seen.plan.terminal_status,
    }
    for name, expected in _EXPECTED[death.failpoint.prefix].items():
        if found[name] != expected:
            yield f"{name}: {found[name]} instead of {expected}"


def _row(death: Death, seen: _Projection | None, complaints: list[str]) -> CrashRow:
    return CrashRow(
        *death.failpoint,
        events=0 if seen is None else seen.prefix.high_water,
        disposition=None if seen is None else seen.plan.disposition,
        passed=not complaints,
        detail="; ".join(complaints),
    )
