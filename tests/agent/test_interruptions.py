"""A cancellation, KeyboardInterrupt or SystemExit is no outcome: the call stays indeterminate (design, Recorder)."""

import asyncio
from pathlib import Path

import pytest

from resume_gate import Recorder
from resume_gate.agent.recorder import ToolCall
from tests.agent.kit import decision, facts, turn

INTERRUPTIONS = [
    KeyboardInterrupt(),
    SystemExit(1),
    asyncio.CancelledError(),
    GeneratorExit(),
    BaseExceptionGroup("both", [KeyboardInterrupt(), ValueError()]),
]


def interrupt(call: ToolCall, interruption: BaseException) -> None:
    """Raise inside a call's block, with a result set already."""
    with call:
        call.result = "perhaps"
        raise interruption


@pytest.mark.parametrize("interruption", INTERRUPTIONS, ids=lambda given: type(given).__name__)
def test_an_interrupted_tool_has_no_outcome(tmp_path: Path, interruption: BaseException) -> None:
    """Nothing is written after T1, not even a result that was set, and the interruption goes on."""
    with turn(tmp_path) as recorder:
        call = recorder.tool("c1", "charge", {})
        with pytest.raises(type(interruption)):
            interrupt(call, interruption)
        assert facts(recorder.ledger)[-1] == "T1 c1"
        assert decision(recorder.ledger, "c1").reason == "dispatch_without_response"
        assert call.error is None


async def test_a_cancelled_task_has_no_outcome(tmp_path: Path) -> None:
    """A real cancellation while the tool waits leaves the operation indeterminate."""
    started, forever = asyncio.Event(), asyncio.Event()

    async def use(recorder: Recorder) -> None:
        async with recorder.tool("c1", "charge", {}):
            started.set()
            await forever.wait()

    with turn(tmp_path) as recorder:
        task = asyncio.create_task(use(recorder))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert decision(recorder.ledger, "c1").status == "indeterminate"


async def test_a_time_limit_around_the_block_has_no_outcome(tmp_path: Path) -> None:
    """A time-out from outside stops the tool at an unknown place, unlike one that the tool itself reports."""
    with turn(tmp_path) as recorder:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0), recorder.tool("outside", "charge", {}):
                await asyncio.sleep(60)
        async with recorder.tool("inside", "charge", {}):
            async with asyncio.timeout(0):
                await asyncio.sleep(60)
        assert decision(recorder.ledger, "outside").status == "indeterminate"
        assert decision(recorder.ledger, "inside").is_error


def test_an_interruption_passes_through_every_open_block(tmp_path: Path) -> None:
    """The inner and the outer call are both indeterminate."""
    with turn(tmp_path) as recorder:
        outer = recorder.tool("outer", "run_code", {})
        inner = recorder.tool("inner", "charge", {}, parent=outer)
        with pytest.raises(SystemExit), outer:
            interrupt(inner, SystemExit())
        assert {decision(recorder.ledger, name).status for name in ("outer", "inner")} == {"indeterminate"}
