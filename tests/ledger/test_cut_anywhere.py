"""Cutting a ledger file at any byte gives a legal shorter prefix or a corruption error (contract section 6)."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resume_gate import CorruptLedger, RuntimeEvent, recover
from resume_gate.events.event import Text
from resume_gate.ledger.prefix import read_prefix
from tests.ledger.kit import RUN, call, event, path_of, response, store

WORDS = st.text(st.characters(codec=None, exclude_categories=()), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS, lambda inner: st.lists(inner, max_size=2), max_leaves=3
).map(lambda value: json.dumps(value).encode())


@st.composite
def steps(draw: st.DrawFn) -> list[list[RuntimeEvent]]:
    """Draw some appends of one to three events, legal together."""
    appends: list[list[RuntimeEvent]] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"{number}"
        text = event(name, content=Text(text=draw(WORDS)))
        pair = [call(f"{name}c", call_id=name), response(f"{name}r", call_id=name, result=draw(JSON))]
        appends.append(draw(st.sampled_from([[text], pair, [text, *pair], pair[:1]])))
    return appends


def written(appends: list[list[RuntimeEvent]]) -> tuple[bytes, tuple[RuntimeEvent, ...]]:
    """Append with a real store; return the file's bytes and the events that it says are in it."""
    with tempfile.TemporaryDirectory() as root:
        with store(Path(root)).open(RUN) as ledger:
            for events in appends:
                ledger.append_all(events)
        return path_of(Path(root)).read_bytes(), store(Path(root)).read(RUN).events


@settings(max_examples=25, deadline=None)
@given(appends=steps())
def test_a_cut_never_changes_the_meaning(appends: list[list[RuntimeEvent]]) -> None:
    """At a row's end the prefix is the events up to there, legal by themselves; anywhere else it is corrupt."""
    data, events = written(appends)
    assert [found.id for found in events] == [given.id for append in appends for given in append]
    for size in range(len(data) + 1):
        cut = data[:size]
        if cut == b"" or cut.endswith(b"\n"):
            prefix = read_prefix(RUN, cut).events
            assert prefix == events[: cut.count(b"\n")]
            assert recover(prefix).issues == []
        else:
            with pytest.raises(CorruptLedger):
                read_prefix(RUN, cut)
