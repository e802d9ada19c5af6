"""Drives as tests script them: one step an attempt, in this process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from temporalio import activity

from resume_gate import RunRef, RuntimeEventStore
from resume_gate.agent.driving import driving
from resume_gate.contract import DriveRequest
from tests.temporal.ledgers import begin

DRIVE = "scripted_drive"
DRIVES = "scripted-drives"

Step = Callable[[DriveRequest], Awaitable[Any]]


class Drives:
    """The drive activity; each run has its script, whose last step is repeated."""

    def __init__(self, store: RuntimeEventStore) -> None:
        self._store = store
        self._scripts: dict[RunRef, tuple[Step, ...]] = {}
        self.requests: dict[RunRef, list[DriveRequest]] = defaultdict(list)

    def script(self, run: RunRef, *steps: Step) -> None:
        """Say what the run's drives do, in turn."""
        self._scripts[run] = steps

    @activity.defn(name=DRIVE)
    async def drive(self, request: DriveRequest) -> Any:
        """Do the step of this attempt."""
        self.requests[request.run].append(request)
        steps = self._scripts[request.run]
        return await steps[min(request.attempt, len(steps)) - 1](request)

    def settles(self, outcome: Any = "done") -> Step:
        """Make one call, end the run, settle."""

        async def step(request: DriveRequest) -> Any:
            with driving(self._store, request) as turn:
                async with turn.tool("look", "look", {}) as call:
                    call.result = "ok"
                turn.end()
            return {"kind": "settled", "operationId": request.options.operation_id, "outcome": outcome}

        return step

    def answers(self, outcome: Any, *, events: int = 0) -> Step:
        """Commit so many events and answer with this: a dict gets the operation id, anything else goes as it is."""

        async def step(request: DriveRequest) -> Any:
            with driving(self._store, request) as turn:
                for number in range(events):
                    turn.say(f"step {number}")
            if isinstance(outcome, dict):
                return {"operationId": request.options.operation_id, **outcome}
            return outcome

        return step

    def dies_in_tool(self) -> Step:
        """Fail between T1 and T2."""

        async def step(request: DriveRequest) -> Any:
            with driving(self._store, request) as turn:
                begin(turn)
            raise RuntimeError("the agent died in its tool")

        return step

    def fails(self, why: str = "no model answers") -> Step:
        """Fail without a new event."""

        async def step(_request: DriveRequest) -> Any:
            raise RuntimeError(why)

        return step
