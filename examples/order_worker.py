"""The author's own worker: drives the order agent behind the gate, and the same agent under plain retries.

Settings: ``RESUME_GATE_ROOT`` (the ledgers), ``ORDER_CHARGES`` (the file of charges), ``TEMPORAL_ADDRESS``.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from temporalio import activity, workflow
from temporalio.worker import Worker

from examples.order_agent import Outcome, next_step, tools
from resume_gate import RuntimeEventStore, replay_events
from resume_gate.agent.driving import driving
from resume_gate.contract import DriveRequest
from resume_gate.drive import DriveOutcome, Settled
from resume_gate.events.canonical import loads
from resume_gate.events.event import FunctionResponse, RuntimeEvent, Text
from resume_gate.temporal import connect, heartbeats

TASK_QUEUE = "order-agent"
_BEAT = timedelta(seconds=0.5)
_LOST_AFTER = timedelta(seconds=2)


def seen(events: Sequence[RuntimeEvent]) -> list[Outcome]:
    """Return what the model has seen of its tools."""
    answers = [event.content for event in events if isinstance(event.content, FunctionResponse)]
    return [Outcome(one.name, loads(bytes(one.result)), failed=one.is_error is True) for one in answers]


def asked(events: Sequence[RuntimeEvent]) -> int:
    """Return the order that the user's first words end with."""
    texts = [event.content.text for event in events if isinstance(event.content, Text)]
    return int(texts[0].split()[-1])


@asynccontextmanager
async def beating() -> AsyncIterator[None]:
    """Heartbeat, as a plain activity would."""

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(_BEAT.total_seconds())

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()


class OrderAgent:
    """Both ways of running the agent, over one root and one file of charges."""

    def __init__(self, root: Path, charges: Path) -> None:
        self._store = RuntimeEventStore(root)
        self._tools = tools(charges)

    @activity.defn
    async def drive_order(self, request: DriveRequest) -> DriveOutcome:
        """Drive the run on from what its ledger holds."""
        with driving(self._store, request) as turn:
            async with heartbeats(turn.ledger, every=_BEAT):
                events = list(replay_events(turn.ledger.events))
                history = seen(events)
                order = asked(events)
                while not isinstance(step := next_step(order, history), str):
                    name = f"call_{len(history) + 1}"
                    async with turn.tool(name, step.tool, step.args, recovery="never_auto_retry") as call:
                        call.result = await self._tools[step.tool](**step.args)
                    history.append(Outcome(step.tool, call.result, call.error is not None))
                turn.say(step)
                turn.end("completed")
        return DriveOutcome(Settled(operation_id=request.options.operation_id, outcome=step))

    @activity.defn
    async def plain_order(self, order: int) -> str:
        """Do the same without ledger and gate."""
        history: list[Outcome] = []
        async with beating():
            while not isinstance(step := next_step(order, history), str):
                history.append(Outcome(step.tool, await self._tools[step.tool](**step.args), failed=False))
        return step


@workflow.defn
class PlainOrderWorkflow:
    """The agent as one activity under Temporal's own retries."""

    @workflow.run
    async def run(self, order: int) -> str:
        """Charge the order, however often it takes."""
        return await workflow.execute_activity_method(
            OrderAgent.plain_order,
            order,
            start_to_close_timeout=timedelta(minutes=1),
            heartbeat_timeout=_LOST_AFTER,
        )


async def main() -> None:
    """Serve until the process ends."""
    agent = OrderAgent(Path(os.environ["RESUME_GATE_ROOT"]), Path(os.environ["ORDER_CHARGES"]))
    await Worker(
        await connect(),
        task_queue=TASK_QUEUE,
        activities=[agent.drive_order, agent.plain_order],
        workflows=[PlainOrderWorkflow],
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),  # this worker is going to be killed
    ).run()


if __name__ == "__main__":
    asyncio.run(main())
