"""A ledger of any size fits through Temporal: the plan is bounded, the decision is not."""

import json

from resume_gate.verdict.bounds import MAX_PLAN_BYTES
from tests.kit.builders import call, numbered, opened, t1, text_of
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, start_gate

_CALLS = 20_000


def _rows(run_id: str) -> bytes:
    rows = [opened()]
    for number in range(_CALLS):
        args = {"text": "x" * 1_000_000} if number == 0 else {"order": number}
        rows += [call(f"c{number}", args=args), t1(f"c{number}", args=args)]
    return b"".join(text_of({**row, "runId": run_id}) + b"\n" for row in numbered(rows))


async def test_twenty_thousand_open_calls_can_be_released(site: Site) -> None:
    """A plan over them, one with arguments of a megabyte, stays under 64 KiB, and the release settles every one."""
    run = new_run()
    ledgers.put(site.store, run, _rows(run.run_id))
    gate = await start_gate(site, run)
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    plan = status.plan
    assert plan is not None
    assert len(json.dumps(plan.model_dump(mode="json")).encode()) < MAX_PLAN_BYTES
    assert len(plan.open_operations) + plan.omitted.open_operations == _CALLS
    assert plan.open_operations[0].args is None
    answer = await decide(gate, decision("release", plan))
    assert answer.events_added == _CALLS + 1
    assert (await gate.result()).kind == "cleared"
