"""What cannot be recorded as a call is refused before anything is written, and the tool is not started."""

import math
from pathlib import Path
from typing import Any

import pytest

from resume_gate import InvalidEvent
from tests.agent.kit import facts, itself, nested, turn

BAD_ARGS = {
    "a set": {1, 2},
    "an object": object(),
    "bytes": b"x",
    "NaN": {"x": math.nan},
    "infinite": [math.inf],
    "a key that is no text": {(1, 2): 3},
    "itself": itself(),
    "a number that overflows a double": {"n": 10**400},
    "a number that Python does not print": 10**5000,
    "nested as deep as a row may be": nested(499),
    "nested deeper than can be hashed": nested(501),
    "nested without end": nested(100_000),
}


@pytest.mark.parametrize("name", BAD_ARGS)
def test_arguments_that_cannot_be_recorded_are_refused(tmp_path: Path, name: str) -> None:
    """They are refused where the block is made or entered, with nothing in the ledger and the next call fine."""
    with turn(tmp_path) as recorder:
        with pytest.raises(InvalidEvent), recorder.tool("c1", "charge", BAD_ARGS[name]):
            pytest.fail("the tool ran")
        assert facts(recorder.ledger) == ["user"]
        with recorder.tool("c1", "charge", nested(400)):
            pass
        assert facts(recorder.ledger)[-1] == "T2 c1"


BAD_PARTS: dict[str, dict[str, Any]] = {
    "call id": {"call_id": 7},
    "name": {"name": None},
    "recovery mode": {"recovery": "try_again"},
    "parent": {"parent": "outer"},
}


@pytest.mark.parametrize("part", BAD_PARTS)
def test_a_call_that_is_wrong_past_its_types_leaves_no_half(tmp_path: Path, part: str) -> None:
    """A mistake that shows only in T1 does not leave its call behind."""
    good: dict[str, Any] = {"call_id": "c1", "name": "charge", "args": {}}
    with turn(tmp_path) as recorder:
        with pytest.raises((InvalidEvent, AttributeError)), recorder.tool(**(good | BAD_PARTS[part])):
            pytest.fail("the tool ran")
        assert facts(recorder.ledger) == ["user"]
