"""The product under ``crashresume``, a conformance harness for agents that survive crashes (extra ``conformance``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.foreign.gated_agent import GatedAgent, ProcessDeathError

crashresume = pytest.importorskip("crashresume", reason="the extra 'conformance' is not installed")
JOBS = ["job-1", "job-2", "job-3"]


@contextmanager
def _dying() -> Iterator[None]:
    """Give a death back to the harness as the crash that it injected."""
    try:
        yield
    except ProcessDeathError as death:
        raise death.__cause__ or death from None


class _Subject(GatedAgent):
    def step(self, job: str) -> None:
        with _dying():
            super().step(job)


class _Forgetful:
    """The same charges without ledger or gate."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx

    def step(self, job: str) -> None:
        """Charge, as after every restart."""
        self._ctx.effect("charge", job, key=f"charge:{job}")


def test_the_gated_agent_conforms(tmp_path: Path) -> None:
    """Crashed after every effect, the agent behind the gate repeats none, loses none, and ends in the same state."""
    report = crashresume.conform(lambda ctx: _Subject(ctx, tmp_path), JOBS)
    assert report.crash_points == len(JOBS)
    assert report.passed, str(report)


def test_the_harness_finds_an_agent_without_the_gate() -> None:
    """The same harness calls an agent that forgets a replayer of effects."""
    report = crashresume.conform(_Forgetful, JOBS)
    assert {finding.kind for finding in report.findings} == {"effect_replayed"}
