"""``python tests/benchmarks/plan_speed.py``: what a plan costs beside the least that reading its rows can cost.

The floor is reading the file, SHA-256 over it, and a bare typed decode of its rows; ours is reading, the committed
prefix and ``build_resume_plan``. Both in CPU time, in turn, in one process: the least of all rounds, since whatever
else the machine does only adds to it, and beside their ratio the median of each round's own.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from resume_gate import RunRef, RuntimeEvent, build_resume_plan
from resume_gate.events.canonical import canonical_args_hash
from resume_gate.ledger.prefix import read_prefix

EVENTS = 100_000
ROUNDS = 15
RUN = RunRef("session-1", "run-1")
_HEAD = {"invocationId": "invocation-0123456789", "runId": RUN.run_id, "sessionId": RUN.session_id, "turnId": "turn-1"}
_SYSTEM = {"role": "system", "author": "system"}


def _step(number: int) -> list[dict[str, Any]]:
    """Return one model step's events: words, a call, its T1 and its result."""
    call_id, operation = f"call-{number}", f"operation-{number}"
    args = {"path": f"/srv/app/module_{number}.py", "line": number, "flags": ["a", "b"], "content": "x" * 200}
    dispatch = {
        "protocol": "t1_after_preflight_v1",
        "operationId": operation,
        "providerToolCallId": call_id,
        "toolName": "Edit",
        "canonicalArgsHash": canonical_args_hash("Edit", json.dumps(args).encode()),
        "recoveryMode": "never_auto_retry",
    }
    refs = {"operationId": operation, "toolCallId": call_id}
    words = {"kind": "text", "text": "I will look at the file and change it. " * 3}
    call = {"kind": "function_call", "id": call_id, "name": "Edit", "args": args}
    result = {"kind": "function_response", "id": call_id, "name": "Edit", "result": "ok " * 40}
    return [
        {"role": "model", "author": "agent", "content": words},
        {"role": "model", "author": "agent", "content": call},
        {**_SYSTEM, "actions": {"toolDispatch": dispatch}, "refs": refs},
        {"role": "tool", "author": "tool", "content": result, "refs": refs},
    ]


def ledger() -> bytes:
    """Return a legal ledger of ``EVENTS`` events, under the protocol marker."""
    marker = {"runtimeProtocol": {"toolBoundary": "t1_after_preflight_v1"}}
    bodies = [{"role": "user", "author": "user", "content": {"kind": "text", "text": "go"}, "actions": marker}]
    bodies += [body for number in range(EVENTS // 4) for body in _step(number)]
    rows = (
        {"id": f"event-{place:08}", **_HEAD, "ts": 1_700_000_000_000 + place, "partial": False, **body}
        for place, body in enumerate(bodies[:EVENTS])
    )
    return b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def floor(path: Path) -> None:
    """Do the least: read, hash, decode."""
    data = path.read_bytes()
    hashlib.sha256(data).hexdigest()
    decode = msgspec.json.Decoder(RuntimeEvent).decode
    [decode(row) for row in data.split(b"\n") if row]


def ours(path: Path) -> None:
    """Read the committed prefix and plan it."""
    prefix = read_prefix(RUN, path.read_bytes())
    build_resume_plan(prefix.events, run=prefix.run, prefix_digest=prefix.digest)


def seconds(work: Callable[[Path], None], path: Path) -> float:
    """Return the CPU seconds that one round takes."""
    start = time.process_time()
    work(path)
    return time.process_time() - start


def main() -> None:
    """Print both medians and their ratio."""
    with TemporaryDirectory() as place:
        path = Path(place) / "runtime-events.jsonl"
        size = path.write_bytes(ledger())
        rounds = [(seconds(floor, path), seconds(ours, path)) for _ in range(ROUNDS + 1)][1:]
    floor_least, plan_least = (min(times) for times in zip(*rounds, strict=True))
    ratio, usual = plan_least / floor_least, median(plan / floor for floor, plan in rounds)
    table = Table("Events", "MB", "Floor, CPU s", "Plan, CPU s", "Ratio", "Median ratio", box=None)
    figures = (f"{floor_least:.3f}", f"{plan_least:.3f}", f"{ratio:.2f}", f"{usual:.2f}")
    table.add_row(f"{EVENTS:,}", f"{size / 1e6:.1f}", *figures)
    Console().print(table)


if __name__ == "__main__":
    main()
