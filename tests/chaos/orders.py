"""The orders: each started, awaited, and started again where a person gave its run up before it began."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from temporalio.client import Client, WorkflowFailureError, WorkflowHandle
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from resume_gate.contract import (
    AGENT_RUN_WORKFLOW,
    TASK_QUEUE,
    AgentRunRequest,
    AgentRunResult,
    HostPolicy,
    agent_run_workflow_id,
)
from tests.chaos.agent import DRIVE
from tests.chaos.place import run_of
from tests.chaos.plain import PlainStormWorkflow
from tests.chaos.worker import QUEUE, Mode

_AGAIN = 0.3
_TWIN = " (second start)"
_TASK = timedelta(seconds=3)  # a worker that died with a workflow task is then soon found out


class Orders:
    """Every order of one storm, and how each ended."""

    def __init__(self, client: Client, mode: Mode, *, lost_after: float) -> None:
        self._client = client
        self._mode = mode
        self._lost_after = timedelta(seconds=lost_after)
        self.under_way: dict[str, asyncio.Task[None]] = {}
        self.reopened = 0
        self.failed: list[str] = []

    def begin(self, order: int, *, twin: bool = False) -> None:
        """Start an order's run, under its own id or, as its twin, under another."""
        name = f"order {order}{_TWIN if twin else ''}"
        if name not in self.under_way:
            self.under_way[name] = asyncio.create_task(self._see_through(order, name, twin=twin))

    async def second_start(self, share: float) -> None:
        """Start a run again that is under way; without the gate that would do it all twice, and is not done."""
        going = [number for number in range(len(self.under_way)) if self.is_going(number)]
        if going and self._mode == "gate":
            self.begin(going[int(share * len(going))], twin=True)

    def is_going(self, order: int) -> bool:
        """Tell whether an order was begun and has not ended."""
        task = self.under_way.get(f"order {order}")
        return task is not None and not task.done()

    @property
    def twins(self) -> int:
        """How many runs were started a second time."""
        return sum(name.endswith(_TWIN) for name in self.under_way)

    @property
    def begun(self) -> int:
        """How many orders were begun."""
        return len(self.under_way) - self.twins

    @property
    def going(self) -> list[str]:
        """The names of the runs that have not ended."""
        return [name for name, task in self.under_way.items() if not task.done()]

    async def all_over(self, seconds: float) -> None:
        """Return when every run has ended, or the time is up."""
        if self.under_way:
            await asyncio.wait(self.under_way.values(), timeout=seconds)

    async def _see_through(self, order: int, name: str, *, twin: bool) -> None:
        while True:
            result = await self._result(await self._start(order, twin=twin), name)
            if not isinstance(result, AgentRunResult) or result.kind != "abandoned":
                return
            self.reopened += 1

    async def _start(self, order: int, *, twin: bool) -> WorkflowHandle[Any, Any]:
        while True:
            try:
                return await self._start_once(order, twin=twin)
            except WorkflowAlreadyStartedError as error:
                return self._client.get_workflow_handle(error.workflow_id, result_type=self._result_type)
            except RPCError:  # the server is being killed and restarted
                await asyncio.sleep(_AGAIN)

    @property
    def _result_type(self) -> type:
        return AgentRunResult if self._mode == "gate" else int

    async def _start_once(self, order: int, *, twin: bool) -> WorkflowHandle[Any, Any]:
        if self._mode == "baseline":
            return await self._client.start_workflow(
                PlainStormWorkflow.run,
                args=[order, self._lost_after.total_seconds()],
                id=f"plain-{order}",
                task_queue=QUEUE,
                task_timeout=_TASK,
            )
        request = AgentRunRequest(
            run=run_of(order),
            text=f"do order {order}",
            drive_activity=DRIVE,
            drive_task_queue=QUEUE,
            tool_boundary="t1_after_preflight_v1",
            host=HostPolicy(heartbeat_timeout=self._lost_after),
        )
        workflow_id = agent_run_workflow_id(run_of(order)) + ("/twin" if twin else "")
        return await self._client.start_workflow(
            AGENT_RUN_WORKFLOW,
            request,
            id=workflow_id,
            task_queue=TASK_QUEUE,
            result_type=AgentRunResult,
            task_timeout=_TASK,
        )

    async def _result(self, handle: WorkflowHandle[Any, Any], name: str) -> Any:
        while True:
            try:
                return await handle.result()
            except WorkflowFailureError as error:
                self.failed.append(f"{name}: {error.cause}")
                return None
            except RPCError:
                await asyncio.sleep(_AGAIN)
