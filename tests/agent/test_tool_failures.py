"""An Exception out of a tool is an outcome (design, Recorder)."""

import json
from pathlib import Path

import pytest

from tests.agent.kit import decision, facts, result_of, turn


class Unspeakable(Exception):
    """A failure whose own text fails."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


FAILURES = {
    "plain": (ValueError("no such order"), "no such order"),
    "without text": (TimeoutError(), ""),
    "a group": (ExceptionGroup("two", [ValueError("a"), KeyError("b")]), "two (2 sub-exceptions)"),
    "half a surrogate pair": (OSError("cut \ud83d"), "cut \ud83d"),
    "without words": (Unspeakable(), "a Unspeakable that does not say what it is"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failure_is_recorded_and_goes_no_further(tmp_path: Path, name: str) -> None:
    """T2 says that the tool failed and how, the block is left normally, and the agent finds the error."""
    failure, message = FAILURES[name]
    with turn(tmp_path) as recorder:
        async with recorder.tool("c1", "charge", {}) as call:
            raise failure
        assert call.error is failure
        assert decision(recorder.ledger, "c1").is_error
        recorded = json.loads(result_of(recorder.ledger, "c1"))
        assert recorded == {"error": type(failure).__name__, "message": message}


def test_a_result_set_before_the_failure_does_not_hide_it(tmp_path: Path) -> None:
    """What the tool had so far is not recorded as its success."""
    with turn(tmp_path) as recorder:
        with recorder.tool("c1", "charge", {}) as call:
            call.result = "half"
            raise ValueError("then it broke")
        assert decision(recorder.ledger, "c1").is_error


def test_a_tool_that_ends_well_has_no_error(tmp_path: Path) -> None:
    """The other way: no error is found, and the response does not say that there was one."""
    with turn(tmp_path) as recorder:
        with recorder.tool("c1", "charge", {}) as call:
            pass
        assert call.error is None
        assert decision(recorder.ledger, "c1").is_error is False
        assert result_of(recorder.ledger, "c1") == b"null"
        assert facts(recorder.ledger)[-1] == "T2 c1"
