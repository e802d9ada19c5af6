"""The crash story: an agent is killed inside its charge, with the gate and without it.

``python -m examples.crash_story``: a real Temporal server, real processes, a real SIGKILL. Takes under a minute.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from rich.console import Console
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from examples.order_worker import TASK_QUEUE as ORDER_QUEUE
from examples.order_worker import PlainOrderWorkflow
from resume_gate import RunRef, RuntimeEventStore
from resume_gate.contract import (
    AGENT_RUN_WORKFLOW,
    STATUS,
    TASK_QUEUE,
    AgentRunRequest,
    AgentRunResult,
    GateStatus,
    HostPolicy,
    agent_run_workflow_id,
    gate_workflow_id,
)
from resume_gate.errors import ResumeGateError
from resume_gate.temporal import connect, wait_until_ready
from resume_gate.temporal.devserver import start_server

ROOT = Path(__file__).resolve().parents[1]
RUN = RunRef("shop", "order-7")
_POLL = 0.1
_PATIENCE = 30.0
out = Console(highlight=False, soft_wrap=True)


class Story:
    """One stage: a server, a ledger root, a file of charges, and the processes on it."""

    def __init__(self, place: Path, address: str) -> None:
        self.charges = place / "charges.txt"
        self.root = place / "ledgers"
        self.root.mkdir()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._environment = os.environ | {
            "TEMPORAL_ADDRESS": address,
            "RESUME_GATE_ROOT": str(self.root),
            "RESUME_GATE_LOG_LEVEL": "ERROR",
            "ORDER_CHARGES": str(self.charges),
        }

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start one of the project's own processes."""
        process = subprocess.Popen(  # noqa: S603 - our own modules
            [sys.executable, *command], cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL
        )
        self._processes.append(process)
        return process

    def type(self, *command: str) -> str:
        """Run ``resume-gate`` as a person would, and return what it prints."""
        code = "from resume_gate.cli.app import main; main()"
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-c", code, *command], env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ResumeGateError(f"resume-gate {command[0]} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def charged(self) -> int:
        """Count the charges in the world."""
        return len(self.charges.read_text().splitlines()) if self.charges.exists() else 0

    async def until_charged(self, times: int) -> None:
        """Wait for a charge to be in the world."""
        for _ in range(int(_PATIENCE / _POLL)):
            if self.charged() >= times:
                return
            await asyncio.sleep(_POLL)
        raise ResumeGateError(f"{times} charges expected, {self.charged()} came")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


async def parked(client: Client) -> GateStatus:
    """Wait until the run parks, and return what its gate shows."""
    gate = client.get_workflow_handle(gate_workflow_id(RUN))
    for _ in range(int(_PATIENCE / _POLL)):
        try:
            status: GateStatus = await gate.query(STATUS, result_type=GateStatus)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # not started yet
                raise
        else:
            if status.phase == "parked":
                return status
        await asyncio.sleep(_POLL)
    raise ResumeGateError("the run was expected to park")


async def with_gate(story: Story, client: Client) -> int:
    """Tell the story with the gate; return how often order 7 was charged."""
    out.rule("With the resume gate")
    story.start("worker.py")
    first = story.start("-m", "examples.order_worker")
    request = AgentRunRequest(
        run=RUN,
        text="charge order 7",
        drive_activity="drive_order",
        drive_task_queue=ORDER_QUEUE,
        tool_boundary="t1_after_preflight_v1",
        host=HostPolicy(heartbeat_timeout=timedelta(seconds=2)),
    )
    run = await client.start_workflow(
        AGENT_RUN_WORKFLOW, request, id=agent_run_workflow_id(RUN), task_queue=TASK_QUEUE, result_type=AgentRunResult
    )
    await story.until_charged(1)
    first.kill()
    out.print("1. The agent charged order 7 and was killed (SIGKILL) before the bank's answer was recorded.")
    story.start("-m", "examples.order_worker")
    status = await parked(client)
    out.print("2. A new worker is up. The gate read the ledger and parked the run. A person sees:\n")
    out.print(story.type("show", RUN.session_id, RUN.run_id), style="cyan", markup=False)
    plan = status.plan.plan_digest if status.plan else ""
    said = story.type(
        "release", RUN.session_id, RUN.run_id, "--plan", plan, "--reason", "the agent may look for itself"
    )
    out.print(f"3. The person releases the run: {said}", markup=False)
    result = await run.result()
    out.print(f"4. The agent was told not to repeat the call, looked, and ended: {result.outcome}", markup=False)
    return story.charged()


async def without_gate(story: Story, client: Client) -> int:
    """Tell the same under Temporal's own retries; return how often order 8 was charged."""
    out.rule("The same agent under plain Temporal retries")
    before = story.charged()
    first = story.start("-m", "examples.order_worker")
    run = await client.start_workflow(PlainOrderWorkflow.run, 8, id="plain-order-8", task_queue=ORDER_QUEUE)
    await story.until_charged(before + 1)
    first.kill()
    out.print("1. The agent charged order 8 and was killed (SIGKILL) before the bank's answer came.")
    story.start("-m", "examples.order_worker")
    out.print(f"2. A new worker is up, the activity is retried, and the agent ends: {await run.result()}")
    return story.charged() - before


async def tell() -> int:
    """Tell both stories; 0 where the gate charged once and the retries twice."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory(prefix="crash-story-")))
        server = stack.enter_context(start_server(database=place / "temporal.db"))
        client = await connect(address=server.address)
        await wait_until_ready(client)
        with Story(place, server.address) as story:
            gated = await with_gate(story, client)
            events = RuntimeEventStore(story.root).read(RUN).high_water
        (place / "plain").mkdir()
        with Story(place / "plain", server.address) as story:
            plain = await without_gate(story, client)
    out.rule("In the file of charges")
    out.print(f"with the gate:       order 7 charged {gated} time{'s' * (gated != 1)}, {events} events in its ledger")
    out.print(f"with plain retries:  order 8 charged {plain} time{'s' * (plain != 1)}")
    return 0 if (gated, plain) == (1, 2) else 1


def main() -> None:
    """Tell the story and leave."""
    try:
        code = asyncio.run(tell())
    except ResumeGateError as error:
        out.print(f"the story broke off: {error}", style="red", markup=False)
        code = 1
    sys.stdout.flush()
    os._exit(code)  # see resume_gate.cli.app.main


if __name__ == "__main__":
    main()
