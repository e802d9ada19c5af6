"""The baseline: the same agent as one activity under Temporal's own retries."""

from __future__ import annotations

from datetime import timedelta

from temporalio import workflow

PLAIN_DRIVE = "plain_drive"


@workflow.defn
class PlainStormWorkflow:
    """One order as one activity, with the default retry policy."""

    @workflow.run
    async def run(self, order: int, heartbeat_seconds: float) -> int:
        """Do the order, however often it takes."""
        done: int = await workflow.execute_activity(
            PLAIN_DRIVE,
            order,
            result_type=int,
            start_to_close_timeout=timedelta(hours=24),
            heartbeat_timeout=timedelta(seconds=heartbeat_seconds),
        )
        return done
