"""Where nothing could be settled, release and settle are refused in words that say what ends it."""

from collections.abc import Callable
from typing import Any

import pytest

from resume_gate import ResumePlan, RunRef
from tests.kit.builders import Row, call, end, opened, reconciled, recovery_decision, response, t1, text_of, user
from tests.kit.builders import file_of as rows_of
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, new_run, parked, refused, start_gate

_PARKED_BUNDLE = (
    opened(),
    call(),
    t1(),
    reconciled("diverged"),
    recovery_decision(["e2", "e3", "e4"]),
)


def _rows(*rows: Row) -> Callable[[RunRef], bytes]:
    return lambda run: rows_of(*rows).replace(text_of("run-1"), text_of(run.run_id))


_CASES = [
    pytest.param(lambda _run: b"", {}, "runtime_ledger_empty", "Check that the worker's root", id="empty"),
    pytest.param(_rows(user(), call()), {"cut": 3}, "runtime_ledger_unreadable", "Repair the file", id="torn"),
    pytest.param(
        _rows(user(), call(), response()),
        {"expected_high_water": 9},
        "runtime_offset_mismatch",
        "recheck accepting the high-water seen",
        id="lost events",
    ),
    pytest.param(_rows(user(), call(), call()), {}, "dangling_tool_state", "Repair the ledger", id="a corrupt call"),
    pytest.param(_rows(user(), response()), {}, "dangling_tool_state", "Repair the ledger", id="an orphan response"),
    pytest.param(
        _rows(*_PARKED_BUNDLE),
        {},
        "dangling_tool_state",
        "Neither release nor settle ends this",
        id="a parked recovery",
    ),
    pytest.param(
        _rows(user(), call(), response(modelVisibility="hidden"), end()),
        {},
        "dangling_tool_state",
        "Repair the ledger",
        id="half hidden",
    ),
]


@pytest.mark.parametrize(("make", "how", "reason", "ends_it"), _CASES)
async def test_a_release_of_what_cannot_be_settled_is_refused(
    site: Site, make: Callable[[RunRef], bytes], how: dict[str, Any], reason: str, ends_it: str
) -> None:
    """Release and settle are refused with what ends the block; abandoning is always possible."""
    run = new_run()
    data = make(run)
    ledgers.put(site.store, run, data[: -how.get("cut", 0) or None])
    gate = await start_gate(site, run, **{key: value for key, value in how.items() if key != "cut"})
    plan = await parked(gate)
    assert reason in plan.rejection_reasons
    for given in _settling(plan):
        kind, why = await refused(gate, given)
        assert (kind, ends_it in why) == ("Refused", True), why
    await decide(gate, decision("abandon", plan))
    assert (await gate.result()).kind == "abandoned"


def _settling(plan: ResumePlan) -> list[Any]:
    calls = [{"callEventId": "e2", "outcome": "succeeded"}]
    return [decision("release", plan), decision("settle", plan, calls=calls)]
