"""The heartbeats of a drive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from temporalio import activity

from resume_gate.contract import Heartbeat
from resume_gate.ledger.files.store import LedgerWriter


@asynccontextmanager
async def heartbeats(ledger: LedgerWriter, *, every: timedelta = timedelta(seconds=1)) -> AsyncIterator[None]:
    """Heartbeat the running activity with the ledger's high-water, which becomes the next gate's minimum."""

    async def beat() -> None:
        while True:
            activity.heartbeat(Heartbeat(high_water=ledger.high_water))
            await asyncio.sleep(every.total_seconds())

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
