"""A parked run outlives the embedded server that it was parked on."""

import os
import signal
from dataclasses import replace
from pathlib import Path

from resume_gate import RuntimeEventStore
from resume_gate.settings import Settings
from resume_gate.temporal.devserver import start_server
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_of, new_run, parked, serving, start_gate


async def test_a_parked_run_is_decided_after_the_server_was_killed(site: Site, tmp_path: Path) -> None:
    """After SIGKILL of the server, another one on the same file has the run parked as before, to be decided."""
    settings = Settings(root=tmp_path, task_queue="persistence")
    run = new_run()
    ledgers.dangling(RuntimeEventStore(tmp_path), run)
    with start_server(database=settings.server_file) as first:
        async with serving(first.address, settings) as client:
            plan = await parked(await start_gate(replace(site, client=client, settings=settings), run))
        os.kill(first.pid, signal.SIGKILL)
        first._keeper.wait(timeout=20)
    with start_server(database=settings.server_file) as second:
        async with serving(second.address, settings) as client:
            gate = gate_of(replace(site, client=client, settings=settings), run)
            assert await parked(gate) == plan
            await decide(gate, decision("release", plan))
            assert (await gate.result()).kind == "cleared"
