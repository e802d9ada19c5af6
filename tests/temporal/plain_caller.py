"""A caller's workflow that knows of the gate nothing but names: default converter, no import of ours."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from temporalio import workflow


@workflow.defn
class PlainCaller:
    """Asks for a plan with plain JSON and returns the plain JSON that came."""

    @workflow.run
    async def run(self, arguments: list[dict[str, Any]], task_queue: str) -> dict[str, Any]:
        """Run the gate's activity by name."""
        plan: dict[str, Any] = await workflow.execute_activity(
            "resume_gate",
            args=arguments,
            task_queue=task_queue,
            result_type=dict,
            start_to_close_timeout=timedelta(seconds=30),
        )
        return plan
