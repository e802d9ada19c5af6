"""A disk that does not answer: the run parks with the cause, and a recheck goes on when it is back."""

from dataclasses import replace
from pathlib import Path

from resume_gate import RuntimeEventStore
from resume_gate.settings import Settings
from resume_gate.temporal.devserver import DevServer
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, eventually, new_run, parked, refused, serving, start_gate


async def test_a_missing_root_parks_until_it_is_back(site: Site, server: DevServer, tmp_path: Path) -> None:
    """A root that is gone blocks as unavailable, with the cause, and nothing is created in its place."""
    root = tmp_path / "volume"
    root.mkdir()
    settings = Settings(root=root, task_queue="unmounted", io_attempts=1)
    store, run = RuntimeEventStore(root), new_run()
    ledgers.safe(store, run)
    root.rename(tmp_path / "elsewhere")
    async with serving(server.address, settings):
        gate = await start_gate(replace(site, settings=settings), run)
        plan = await parked(gate)
        assert plan.rejection_reasons == ("runtime_ledger_unavailable",)
        assert "not mounted" in plan.diagnostics[0].message
        assert not root.exists()
        _, why = await refused(gate, decision("release", plan))
        assert "Mend the disk" in why
        (tmp_path / "elsewhere").rename(root)
        await decide(gate, decision("recheck", plan))
        assert (await gate.result()).kind == "cleared"


async def test_a_disk_that_fails_is_tried_again_first(site: Site, server: DevServer, tmp_path: Path) -> None:
    """With more than one attempt the gate tries again before it calls a person."""
    settings = Settings(root=tmp_path / "volume", task_queue="slow-disk", io_attempts=3)
    run = new_run()
    async with serving(server.address, settings):
        gate = await start_gate(replace(site, settings=settings), run)

        async def tried() -> bool | None:
            described = (await gate.describe()).raw_description
            return any(pending.attempt > 1 for pending in described.pending_activities) or None

        await eventually(tried)
        (tmp_path / "volume").mkdir()
        ledgers.safe(RuntimeEventStore(tmp_path / "volume"), run)
        assert (await gate.result()).kind == "cleared"
