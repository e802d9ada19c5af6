"""The agent, behind the gate and without it: the same script, the same tool, the same world."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from temporalio import activity

from resume_gate import RuntimeEventStore
from resume_gate.agent.driving import driving
from resume_gate.agent.recorder import Recorder, ToolCall
from resume_gate.contract import DriveRequest
from resume_gate.drive import DriveOutcome, Settled
from resume_gate.temporal import heartbeats
from tests.chaos.deaths import Deaths
from tests.chaos.memory import LOOK_TOOL, STEP_TOOL, verdicts
from tests.chaos.place import Place, effects, note, order_of
from tests.chaos.plain import PLAIN_DRIVE
from tests.chaos.script import Group, Step, script

DRIVE = "storm_drive"
BEAT = timedelta(seconds=0.5)


class ToolFailure(Exception):
    """What a tool of this agent raises of itself."""


class Tool:
    """The one tool that acts on the world, and the one that looks."""

    def __init__(self, place: Place, order: int, deaths: Deaths) -> None:
        self._place = place
        self._order = order
        self._deaths = deaths

    async def act(self, step: Step) -> str:
        """Do a step's effect, in its time and manner."""
        await asyncio.sleep(step.before)
        self._deaths("P3")
        if step.manner == "raises_before":
            raise ToolFailure("refused, and nothing was done")
        note(self._place.world, {"order": self._order, "step": step.name}, sync=True)
        await asyncio.sleep(step.after)
        if step.manner == "raises_after":
            raise ToolFailure("done, and then the answer was an error")
        return f"step {step.name} of order {self._order} is done"

    def look(self, step: Step) -> bool:
        """Tell whether a step's effect is in the world."""
        return (self._order, step.name) in effects(self._place.world)


class Drive:
    """One drive of one order, from what its ledger holds to the end of its script."""

    def __init__(self, turn: Recorder, tool: Tool, attempt: int) -> None:
        self._turn = turn
        self._tool = tool
        self._attempt = attempt
        self._verdicts = verdicts(turn.ledger.events)

    async def group(self, steps: Group) -> None:
        """Do what is left of a group, in parallel."""
        left = [step for step in steps if self._verdicts.get(step.name) != "done"]
        # Not asyncio.gather: when one append fails, that would leave the others acting after the ledger was closed.
        async with asyncio.TaskGroup() as tasks:
            for step in left:
                tasks.create_task(self.step(step, None))
        if left:
            self._turn.say(f"steps {', '.join(step.name for step in steps)} are over")

    async def step(self, step: Step, parent: ToolCall | None) -> None:
        """Do a step that is not done; one of unknown outcome only after a look at the world."""
        verdict = self._verdicts.get(step.name)
        if verdict == "done" or (verdict == "unknown" and await self._look(step, parent)):
            return
        async with self._call("step", STEP_TOOL, step, parent) as call:
            for child in step.children:
                await self.step(child, call)
            call.result = await self._tool.act(step)

    async def _look(self, step: Step, parent: ToolCall | None) -> bool:
        async with self._call("look", LOOK_TOOL, step, parent) as call:
            call.result = self._tool.look(step)
        return bool(call.result)

    def _call(self, what: str, tool: str, step: Step, parent: ToolCall | None) -> ToolCall:
        return self._turn.tool(
            f"{what}-{step.name}-{self._attempt}",
            tool,
            {"step": step.name},
            recovery="replay_safe" if tool == LOOK_TOOL else "never_auto_retry",
            hidden=parent is not None,
            parent=parent,
        )


class Agent:
    """Both ways of running it, as activities over one place."""

    def __init__(self, place: Place, store: RuntimeEventStore, seed: int, deaths: Deaths) -> None:
        self._place = place
        self._store = store
        self._seed = seed
        self._deaths = deaths

    @activity.defn(name=DRIVE)
    async def drive(self, request: DriveRequest) -> DriveOutcome:
        """Drive the run on from what its ledger holds."""
        order = order_of(request.run)
        with driving(self._store, request, failpoint=self._deaths) as turn:
            async with heartbeats(turn.ledger, every=BEAT):
                drive = Drive(turn, Tool(self._place, order, self._deaths), request.attempt)
                for group in script(self._seed, order):
                    await drive.group(group)
                turn.end("completed")
        return DriveOutcome(Settled(operation_id=request.options.operation_id, outcome=order))

    @activity.defn(name=PLAIN_DRIVE)
    async def plain(self, order: int) -> int:
        """Do the same without ledger and gate: what was done is known to this attempt alone."""
        tool = Tool(self._place, order, self._deaths)
        async with beating():
            for group in script(self._seed, order):
                async with asyncio.TaskGroup() as tasks:
                    for step in group:
                        tasks.create_task(self._plain_step(tool, step))
        return order

    async def _plain_step(self, tool: Tool, step: Step) -> None:
        self._deaths("P2")
        for child in step.children:
            await self._plain_step(tool, child)
        with suppress(ToolFailure):
            await tool.act(step)
        self._deaths("P4")


@asynccontextmanager
async def beating() -> AsyncIterator[None]:
    """Heartbeat, as a plain activity would."""

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(BEAT.total_seconds())

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
