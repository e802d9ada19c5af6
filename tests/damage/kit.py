"""A small ledger to damage, and what must hold of whatever is left."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from resume_gate import CorruptLedger, Recorder, ResumePlan, RunRef, RuntimeEventStore, build_resume_plan
from resume_gate.ledger.files.paths import ledger_path
from resume_gate.ledger.prefix import read_prefix

RUN = RunRef("s", "r")


@cache
def open_ledger() -> bytes:
    """Return a ledger of a user event, a settled call, and an open one."""
    with TemporaryDirectory() as root:
        with RuntimeEventStore(root, durability="process").open(RUN) as ledger:
            turn = Recorder(ledger, invocation_id="i", turn_id="t", clock=lambda: 1)
            turn.user("go")
            with turn.tool("a", "look", {}) as call:
                call.result = 1
            turn.tool("b", "pay", {"n": 7}).__enter__()
        return ledger_path(Path(root), RUN).read_bytes()


def plan_of(data: bytes) -> ResumePlan | None:
    """Return the plan of what is left, or ``None`` where it is called damaged."""
    try:
        return build_resume_plan(read_prefix(RUN, data).events)
    except CorruptLedger:
        return None


def is_honest(data: bytes) -> bool:
    """Tell whether damaged bytes are refused, blocked, or a legal shorter prefix from before the open call."""
    plan = plan_of(data)
    if plan is None or not plan.safe:
        return True
    return open_ledger().startswith(data) and all(call.tool_call_id != "b" for call in plan.operations)
