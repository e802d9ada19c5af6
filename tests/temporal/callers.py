"""Callers' workflows on a worker with the plugin: the gate alone, and the gate with its parking."""

from __future__ import annotations

import asyncio

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from resume_gate import ResumePlan
    from resume_gate.contract import GateRequest, GateResult
    from resume_gate.temporal.passing import gate, pass_gate


@workflow.defn
class GateCaller:
    """Asks for a plan and returns it."""

    @workflow.run
    async def run(self, request: GateRequest, task_queue: str) -> ResumePlan:
        """Run the gate's activity through our helper."""
        return await gate(request, task_queue=task_queue)


@workflow.defn
class PassingCaller:
    """Passes the gate, parked meanwhile."""

    @workflow.run
    async def run(self, request: GateRequest, task_queue: str) -> GateResult:
        """Wait for as long as it takes."""
        return await pass_gate(request, task_queue=task_queue)


@workflow.defn
class ImpatientCaller:
    """Passes the gate, or gives up after a while of its own choosing."""

    @workflow.run
    async def run(self, request: GateRequest, task_queue: str) -> str:
        """Return the kind of result, or what a caller does instead of waiting on."""
        try:
            async with asyncio.timeout(1):
                return (await pass_gate(request, task_queue=task_queue)).kind
        except TimeoutError:
            return "gave up"
