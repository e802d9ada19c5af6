"""One worker process of the storm: the control worker over the root, and the agent on its own queue."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Literal, NamedTuple

from temporalio import activity
from temporalio.client import Client
from temporalio.common import RawValue
from temporalio.worker import Worker

import worker as control
from activities.conversion import as_failures
from activities.gate import GateActivities
from activities.ledger import LedgerActivities
from resume_gate import RuntimeEventStore
from resume_gate.contract import RECORD_DECISION
from resume_gate.decisions import DecisionRecord
from resume_gate.operators.record import record_decision
from resume_gate.settings import Settings
from resume_gate.temporal.connecting import NoServerError, connect
from resume_gate.temporal.payloads import NOTHING, decode
from resume_gate.temporal.plugin import ResumeGatePlugin
from tests.chaos.agent import Agent
from tests.chaos.deaths import Deaths
from tests.chaos.impatience import ImpatientPlugin
from tests.chaos.place import Place, note
from tests.chaos.plain import PlainStormWorkflow
from tests.chaos.witness import WitnessedStore
from workflows.agent_run import AgentRunWorkflow
from workflows.gate import ResumeGateWorkflow

QUEUE = "storm"
GRACE = timedelta(seconds=0.5)
_STICKY = timedelta(seconds=1)
Mode = Literal["gate", "baseline"]


class Job(NamedTuple):
    """What a worker process is to do."""

    place: Place
    seed: int
    mode: Mode
    address: str


class MortalLedger(LedgerActivities):
    """The control worker's appends, which may die at P10 and between writing and returning."""

    def __init__(self, store: RuntimeEventStore, place: Place, deaths: Deaths) -> None:
        super().__init__(store)
        self._place = place
        self._deaths = deaths

    @activity.defn(name=RECORD_DECISION)
    def record_decision(self, given: RawValue = NOTHING) -> int:
        """Append a decision's rows; see ``LedgerActivities``."""
        with as_failures():
            record = decode(given, DecisionRecord)
            high_water = record_decision(self._store, record, failpoint=self._deaths)
        self._deaths("decision recorded")
        note(self._place.acknowledged, {"run": record.run.run_id, "ids": [], "highWater": high_water})
        return high_water


def work(job: Job) -> None:
    """Serve until SIGTERM, or the storm's end; the target of every worker process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logging.basicConfig(filename=job.place.log, level=logging.WARNING, format="%(asctime)s %(process)d %(message)s")
    asyncio.run(_serve(job))
    sys.stdout.flush()
    os._exit(0)  # a short-lived Temporal client may crash in the interpreter's own exit


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


async def _serve(job: Job) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    deaths = Deaths(job.place)
    deaths.break_appends()
    store = WitnessedStore(job.place)
    agent = Agent(job.place, store, job.seed, deaths)
    async with AsyncExitStack() as stack:
        if job.mode == "gate":
            await stack.enter_async_context(_control_worker(job, store, deaths))
        await stack.enter_async_context(_agent_worker(job, agent))
        await stop.wait()


@asynccontextmanager
async def _control_worker(job: Job, store: RuntimeEventStore, deaths: Deaths) -> AsyncIterator[None]:
    gate = GateActivities(store, io_attempts=8)
    ledger = MortalLedger(store, job.place, deaths)
    plugin = ResumeGatePlugin(
        workflows=[ResumeGateWorkflow, AgentRunWorkflow],
        activities=[gate.resume_gate, ledger.open_run, ledger.record_decision],
    )
    settings = Settings(root=job.place.ledgers, shutdown_grace=GRACE)
    client = await _connect(job.address, plugin)
    with ThreadPoolExecutor(16) as executor:
        serving = control.worker(
            client,
            settings,
            executor,
            sticky_queue_schedule_to_start_timeout=_STICKY,
            plugins=[ImpatientPlugin()],
        )
        async with serving:
            yield


@asynccontextmanager
async def _agent_worker(job: Job, agent: Agent) -> AsyncIterator[None]:
    serving = Worker(
        await _connect(job.address, ResumeGatePlugin()),
        task_queue=QUEUE,
        activities=[agent.drive] if job.mode == "gate" else [agent.plain],
        workflows=[] if job.mode == "gate" else [PlainStormWorkflow],
        sticky_queue_schedule_to_start_timeout=_STICKY,
        graceful_shutdown_timeout=GRACE,
    )
    async with serving:
        yield


async def _connect(address: str, plugin: ResumeGatePlugin) -> Client:
    while True:
        try:
            return await connect(address=address, plugin=plugin)
        except NoServerError:  # it is being killed and restarted, too
            await asyncio.sleep(0.2)
