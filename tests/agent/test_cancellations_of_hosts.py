"""A cancellation is no outcome, whichever class a host has for it."""

from __future__ import annotations

import asyncio
import concurrent.futures
from pathlib import Path

import pytest
import temporalio.exceptions

from tests.agent.kit import decision, turn


@pytest.mark.parametrize(
    "stopped",
    [
        asyncio.CancelledError(),
        temporalio.exceptions.CancelledError("cancelled"),
        concurrent.futures.CancelledError(),
        BaseExceptionGroup("both", [ValueError("a result of one"), asyncio.CancelledError()]),
        ExceptionGroup("both", [ValueError("a result of one"), concurrent.futures.CancelledError()]),
        KeyboardInterrupt(),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_whoever_stops_a_tool_leaves_it_indeterminate(tmp_path: Path, stopped: BaseException) -> None:
    """What stops a tool from outside goes on, and no result of the tool is recorded."""
    with turn(tmp_path) as recorder:
        with pytest.raises(type(stopped)), recorder.tool("call_1", "charge", {"order": 7}):
            raise stopped
        assert decision(recorder.ledger, "call_1").status == "indeterminate"


def test_a_group_of_failures_is_an_outcome(tmp_path: Path) -> None:
    """Several failures of a tool at once are one failed result."""
    with turn(tmp_path) as recorder:
        with recorder.tool("call_1", "charge", {"order": 7}) as call:
            raise ExceptionGroup("both", [ValueError("one"), OSError("other")])
        assert isinstance(call.error, ExceptionGroup)
        assert decision(recorder.ledger, "call_1").is_error is True
