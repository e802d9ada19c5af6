"""The recorder passes P0 to P9 where they stand (contract section 8)."""

from pathlib import Path

import pytest

from resume_gate import FAILPOINTS, Recorder
from tests.agent.kit import facts, turn


async def test_a_turn_passes_each_where_it_stands(tmp_path: Path) -> None:
    """Each is called after the fact before it and before the fact behind it; P3 is the tool's own."""
    passed: list[str] = []

    def note(at: str) -> None:
        passed.append(f"{at} after {facts(recorder.ledger)[-1]}")

    recorder: Recorder
    with turn(tmp_path, failpoint=note) as recorder:
        recorder.say("charging")
        async with recorder.tool("c1", "charge", {}):
            recorder.failpoint("P3")
        recorder.think("charged")
        recorder.end()
    assert passed == [
        "P7 after user",
        "P0 after agent",
        "P1 after call c1",
        "P2 after T1 c1",
        "P3 after T1 c1",
        "P4 after T1 c1",
        "P5 after T2 c1",
        "P6 after T2 c1",
        "P7 after T2 c1",
        "P8 after agent",
        "P9 after end completed",
    ]


def test_a_failed_tool_passes_the_same(tmp_path: Path) -> None:
    """A tool's exception is an outcome, and passes what an outcome passes."""
    passed: list[str] = []
    with turn(tmp_path, failpoint=passed.append) as recorder, recorder.tool("c1", "charge", {}):
        raise ValueError
    assert passed == ["P0", "P1", "P2", "P4", "P5", "P6"]


def test_an_interrupted_tool_passes_no_more(tmp_path: Path) -> None:
    """Where nothing is recorded, no failpoint of the recording is passed."""
    passed: list[str] = []
    with turn(tmp_path, failpoint=passed.append) as recorder:
        call = recorder.tool("c1", "charge", {})
        with pytest.raises(KeyboardInterrupt), call:
            raise KeyboardInterrupt
    assert passed == ["P0", "P1", "P2"]


def test_the_catalog_has_twelve_in_order() -> None:
    """The ids never change."""
    assert [failpoint.id for failpoint in FAILPOINTS] == [f"P{number}" for number in range(12)]
