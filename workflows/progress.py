"""What an agent's run must remember from drive to drive, and over continue-as-new."""

from __future__ import annotations

from typing import Self

from pydantic import JsonValue

from resume_gate.contract import AgentRunRequest, Hold
from resume_gate.wire import Answer


class AgentRunStatus(Answer):
    """Where a run stands: the answer to the query ``status``."""

    phase: str
    attempt: int
    last_error: str | None = None


class Progress(Answer):
    """Attempts, the high-water below which evidence was lost, and how often nothing came of a drive."""

    attempt: int = 0
    minimum: int | None = None
    dispatched_at: int | None = None
    idle: int = 0
    bad_outcome: bool = False
    deferred: bool = False
    last_error: str | None = None
    question: Hold | None = None

    def _with(self, **update: object) -> Self:
        return self.model_copy(update=update)

    def opened(self, high_water: int) -> Self:
        """Note how many events the ledger held when the run was opened."""
        return self._with(minimum=high_water)

    def dispatched(self, high_water: int) -> Self:
        """Count a drive that starts on this many events."""
        return self._with(
            attempt=self.attempt + 1,
            minimum=high_water,
            dispatched_at=high_water,
            bad_outcome=False,
            deferred=False,
            question=None,
        )

    def failed(self, error: str, *, high_water: int | None = None) -> Self:
        """Note a drive that failed or was lost, and the high-water that it last told of."""
        return self._with(last_error=error, minimum=max(self.minimum or 0, high_water or 0))

    def answered_badly(self, error: str) -> Self:
        """Note a drive whose outcome was none: as no progress, whatever it committed."""
        return self._with(last_error=error, bad_outcome=True)

    def put_off(self) -> Self:
        """Note a drive that waits for something elsewhere: to have no new event is then no lack of progress."""
        return self._with(deferred=True)

    def asked_for(self, action: JsonValue) -> Self:
        """Note a drive that needs a person's answer."""
        return self._with(question=Hold(reason="action_required", detail=action))

    def gated(self, high_water: int) -> Self:
        """Judge the last drive by what the gate found after it."""
        idle = self.idle
        if self.dispatched_at is not None and not self.deferred:
            idle = idle + 1 if self.bad_outcome or high_water <= self.dispatched_at else 0
        return self._with(idle=idle, dispatched_at=None, minimum=high_water)

    def rechecked(self) -> Self:
        """Start the count of idle drives again: a person looked."""
        return self._with(idle=0)

    def stuck(self, limit: int) -> Hold | None:
        """Return why the next gate must park although the plan is safe."""
        return Hold(reason="no_progress", detail=self.last_error) if self.idle >= limit else None


class ContinuedRun(Answer):
    """What a run's workflow hands to its next run."""

    request: AgentRunRequest
    progress: Progress
