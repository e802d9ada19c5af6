"""The README's agent does not do again what a person found done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from temporalio.testing import ActivityEnvironment

from resume_gate.contract import DriveRequest
from resume_gate.drive import DriveOptions
from resume_gate.events.event import FunctionCall
from resume_gate.operators.record import record_decision
from tests.docs.readme import blocks
from tests.operators.kit import RUN, interrupted, released


def _drive_of_the_readme(root: Path) -> Any:
    module: dict[str, Any] = {}
    exec(blocks("python")[0].replace("/tmp/ledgers", str(root)), module)  # noqa: S102, S108
    return module["drive_order"]


async def test_a_settled_charge_is_not_made_again(tmp_path: Path) -> None:
    """Killed in its charge, settled and driven again, it ends the run on the one call that the ledger holds."""
    store = interrupted(tmp_path)
    record_decision(store, released(store))
    request = DriveRequest(
        run=RUN,
        options=DriveOptions(operation_id="op-1"),
        attempt=2,
        invocation_id="invocation_2",
        turn_id="turn_2",
        replay=store.read(RUN).reference,
    )
    await ActivityEnvironment().run(_drive_of_the_readme(tmp_path), request)
    events = store.read(RUN).events
    assert [event.content.name for event in events if isinstance(event.content, FunctionCall)] == ["charge"]
    assert events[-1].status == "completed"
