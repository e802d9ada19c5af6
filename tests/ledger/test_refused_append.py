"""An append that would make the ledger illegal is refused before a byte is written (contract section 3)."""

import os
from pathlib import Path

import pytest
from msgspec import structs

from resume_gate import InvalidEvent, LedgerWriter, RuntimeEvent
from resume_gate.events.event import TOOL_BOUNDARY, Actions, RuntimeProtocol, Text
from tests.ledger.kit import RUN, call, event, path_of, response, row, store

THERE = [event("user"), call("call"), response("response")]
ILLEGAL = {
    "duplicate_call": call("second call"),
    "duplicate_response": response("second response"),
    "orphan_response": response("orphan", call_id="call_2"),
    "invocation_identity_conflict": structs.replace(event("other turn"), turn_id="turn_2"),
    "semantic_lane_conflict": event("in two roles", content=call("x").content),
    "protocol_marker_invalid": event(
        "late marker", actions=Actions(runtime_protocol=RuntimeProtocol(tool_boundary=TOOL_BOUNDARY))
    ),
}


@pytest.fixture
def ledger(tmp_path: Path) -> LedgerWriter:
    """Give a ledger with a whole call in it."""
    opened = store(tmp_path).open(RUN)
    opened.append_all(THERE)
    return opened


@pytest.mark.parametrize("code", ILLEGAL)
def test_an_illegal_event_is_refused(
    ledger: LedgerWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """The error names the issue, nothing is even tried to be written, and the writer goes on working."""
    with ledger, monkeypatch.context() as watched:
        watched.setattr(os, "write", lambda *_: pytest.fail("written"))
        for candidates in ([ILLEGAL[code]], [event("fine"), ILLEGAL[code]], [ILLEGAL[code], event("fine")]):
            with pytest.raises(InvalidEvent, match=code):
                ledger.append_all(candidates)
        watched.undo()
        ledger.append(event("next"))
        assert [found.id for found in ledger.events] == ["user", "call", "response", "next"]
    assert path_of(tmp_path).read_bytes() == b"".join(map(row, [*THERE, event("next")]))


@pytest.mark.parametrize(
    "bad",
    [event(""), event("b", ts=float("nan")), event("b", ts="late"), event("b", role="boss"), event("b", branch=None)],
    ids=["empty id", "NaN", "time as text", "unknown role", "null for absent"],
)
def test_an_event_that_no_reader_would_take_is_refused(ledger: LedgerWriter, tmp_path: Path, bad: RuntimeEvent) -> None:
    """What was built past the types is checked as a row before it becomes one."""
    with ledger, pytest.raises(InvalidEvent):
        ledger.append(bad)
    assert path_of(tmp_path).read_bytes() == b"".join(map(row, THERE))


def test_a_closed_writer_refuses(ledger: LedgerWriter, tmp_path: Path) -> None:
    """After close nothing is written any more, and closing again does nothing."""
    ledger.close()
    ledger.close()
    with pytest.raises(Exception, match="does not hold the lock"):
        ledger.append(event("late", content=Text(text="late")))
    assert path_of(tmp_path).read_bytes() == b"".join(map(row, THERE))
