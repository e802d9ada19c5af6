"""Whatever a tool returned, its outcome gets into the ledger (design, Recorder)."""

import datetime as dt
import json
import math
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.kit import decision, itself, nested, result_of, turn


class Speechless:
    """An object that fails however it is asked what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Broken(dict[str, Any]):
    """A mapping that fails when it is looked at."""

    def items(self) -> Any:
        """Fail."""
        raise LookupError("broken")

    def __repr__(self) -> str:
        raise LookupError("broken")


NO_WORDS = "that does not say what it is"
ODD: dict[str, tuple[Any, Any]] = {
    "a date": (dt.date(2026, 1, 2), "2026-01-02"),
    "an id": ({"id": uuid.UUID(int=1)}, {"id": "00000000-0000-0000-0000-000000000001"}),
    "bytes": (b"x", "b'x'"),
    "a tuple": ((1, 2), [1, 2]),
    "NaN": ({"price": math.nan, "n": 7}, "{'price': nan, 'n': 7}"),
    "a key that is no text": ({(1, 2): 3}, "{(1, 2): 3}"),
    "itself": (itself(), "[[...]]"),
    "an object without words": (Speechless(), f"a Speechless {NO_WORDS}"),
    "one inside": ([Speechless()], f"a list {NO_WORDS}"),
    "a broken mapping": (Broken(a=1), f"a Broken {NO_WORDS}"),
    "a number that Python does not print": (10**5000, f"a int {NO_WORDS}"),
    "a large number": (10**400, 10**400),
    "half a surrogate pair": ("\ud83d", "\ud83d"),
    "too deep for a row": (nested(499), repr(nested(499))),
    "as deep as a row may be": (nested(498), nested(498)),
    "without end": (nested(100_000), f"a list {NO_WORDS}"),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_result_is_recorded_as_well_as_it_can_be(tmp_path: Path, name: str) -> None:
    """It is recorded as JSON, or else as its own words, or else as its type; the call is settled."""
    value, expected = ODD[name]
    with turn(tmp_path) as recorder:
        with recorder.tool("c1", "charge", {}) as call:
            call.result = value
        assert json.loads(result_of(recorder.ledger, "c1")) == expected
        assert decision(recorder.ledger, "c1").is_error is False


TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(max_size=3) | st.builds(object),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT | st.integers(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(value=VALUES)
def test_any_result_settles_its_call(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    """No value keeps the outcome of a finished tool out of the ledger."""
    with turn(tmp_path_factory.mktemp("root")) as recorder:
        with recorder.tool("c1", "charge", {}) as call:
            call.result = value
        assert decision(recorder.ledger, "c1").status == "completed"
