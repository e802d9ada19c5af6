"""The control worker: ``python worker.py``. Workflows, gate and appends over one ledger root; no drive runs here."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from temporalio.client import Client
from temporalio.worker import Worker

from activities.gate import GateActivities
from activities.ledger import LedgerActivities
from resume_gate.errors import ContractMisuse, ResumeGateError
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.sessions.gate import SessionGate
from resume_gate.settings import Settings, load_settings
from resume_gate.temporal.connecting import configured, connect, wait_until_ready
from resume_gate.temporal.devserver import DevServer, DevServerError, start_server
from resume_gate.temporal.plugin import ResumeGatePlugin
from workflows.agent_run import AgentRunWorkflow
from workflows.arity import OneArgument
from workflows.gate import ResumeGateWorkflow

_ACTIVITIES_AT_ONCE = 16
_LOOK_SECONDS = 1.0


def session_gate(settings: Settings) -> SessionGate | None:
    """Return the gate over foreign sessions, where the operator allows a root of them."""
    declared = frozenset(name.strip() for name in settings.declared_formats.split(",") if name.strip())
    if settings.sessions is not None:
        return SessionGate(settings.sessions, declared)
    if declared:
        raise ContractMisuse("RESUME_GATE_DECLARED_FORMATS says nothing without RESUME_GATE_SESSIONS: set both")
    return None


def plugin(settings: Settings) -> ResumeGatePlugin:
    """Return what this worker registers."""
    store = RuntimeEventStore(settings.root, durability=settings.durability)
    gate = GateActivities(store, io_attempts=settings.io_attempts, sessions=session_gate(settings))
    ledger = LedgerActivities(store)
    return ResumeGatePlugin(
        workflows=[ResumeGateWorkflow, AgentRunWorkflow],
        activities=[gate.resume_gate, ledger.open_run, ledger.record_decision],
    )


def worker(client: Client, settings: Settings, executor: ThreadPoolExecutor, **options: Any) -> Worker:
    """Return the worker on a client that was connected with ``plugin``; ``options`` are further ones of ``Worker``."""
    return Worker(
        client,
        task_queue=settings.task_queue,
        interceptors=[OneArgument()],
        activity_executor=executor,
        max_concurrent_activities=_ACTIVITIES_AT_ONCE,
        graceful_shutdown_timeout=settings.shutdown_grace,
        **options,
    )


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Run until ``stop`` is set, beside an embedded server where none is configured."""
    with ExitStack() as stack:
        executor = stack.enter_context(ThreadPoolExecutor(_ACTIVITIES_AT_ONCE))
        server = None
        if not configured():
            server = stack.enter_context(start_server(database=settings.server_file, port=settings.port, ui=True))
        client = await connect(address=server.address if server else None, plugin=plugin(settings))
        await wait_until_ready(client)
        async with worker(client, settings, executor):
            print(f"resume gate: {_served(settings, client, server)}", flush=True)  # noqa: T201
            await _until(stop, server)


def _served(settings: Settings, client: Client, server: DevServer | None) -> str:
    page = f", web page {server.page}" if server else ""
    where = client.service_client.config.target_host
    return f"serving {settings.root} on queue {settings.task_queue}, Temporal at {where}{page}"


async def _until(stop: asyncio.Event, server: DevServer | None) -> None:
    while not stop.is_set():
        if server is not None and not server.running:
            raise DevServerError("the embedded server died: start again, the parked runs are in its file")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _LOOK_SECONDS)


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows: a console interrupt raises KeyboardInterrupt instead
            break
    await serve(settings, stop)


def _require_directory(variable: str, path: Path) -> None:
    if not path.is_dir():
        raise ContractMisuse(f"{variable}: {path} is not a directory; create it, or mount its volume")


def main() -> int:
    """Read the settings and serve; 2 where they are wrong or no server answers."""
    try:
        settings = load_settings()
        _require_directory("RESUME_GATE_ROOT", settings.root)
        if settings.sessions is not None:
            _require_directory("RESUME_GATE_SESSIONS", settings.sessions)
        logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
        asyncio.run(_run(settings))
    except ResumeGateError as error:
        print(f"resume gate: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    code = main()
    # At the interpreter's own end the SDK's threads may abort it (temporalio/sdk-python issue 300).
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
