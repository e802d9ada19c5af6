"""An author's drive worker as a process of its own, to be stopped and killed.

The first attempt of a run commits a call and its T1, says so with a file beside the ledger, and then only heartbeats;
every later one settles. It ends with whoever started it: its standard input is their pipe.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

from temporalio import activity
from temporalio.worker import Worker

from resume_gate import RuntimeEventStore
from resume_gate.agent.driving import driving
from resume_gate.contract import DriveRequest
from resume_gate.temporal import connect, heartbeats
from tests.temporal.ledgers import begin, file_of

PROCESS_DRIVE = "process_drive"


def in_tool(store: RuntimeEventStore, request_run: Any) -> Path:
    """Return the file that says that the run's first drive is inside its tool."""
    return file_of(store, request_run).with_name("in-tool")


class ProcessDrive:
    """The drive activity of this process."""

    def __init__(self, store: RuntimeEventStore) -> None:
        self._store = store

    @activity.defn(name=PROCESS_DRIVE)
    async def drive(self, request: DriveRequest) -> Any:
        """Hang in the first attempt's tool, settle later ones."""
        with driving(self._store, request) as turn:
            if request.attempt == 1:
                begin(turn)
                in_tool(self._store, request.run).touch()
                async with heartbeats(turn.ledger, every=timedelta(milliseconds=100)):
                    await asyncio.Event().wait()
            turn.end()
        return {"kind": "settled", "operationId": request.options.operation_id, "outcome": request.attempt}


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(70)


async def _serve(address: str, queue: str, root: str) -> None:
    drive = ProcessDrive(RuntimeEventStore(root))
    async with Worker(await connect(address=address), task_queue=queue, activities=[drive.drive]):
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    asyncio.run(_serve(*sys.argv[1:]))
