"""The verdicts on ADK's events as JSON, which do not show when they were written: a host has to say so."""

import json

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions import google_adk
from resume_gate.sessions.source import Source
from tests.sessions.adk_rows import Session, clean
from tests.sessions.verdicts import jsonl, reading, statuses, verdict


def _files(session: Session) -> list[bytes]:
    exported = {"id": "s1", "appName": "app", "userId": "u", "state": {}, "events": session.json()}
    return [json.dumps(session.json()).encode(), jsonl(*session.json()), json.dumps(exported).encode()]


@pytest.mark.parametrize("data", _files(clean()), ids=["array", "lines", "session"])
def test_a_complete_file_is_safe_only_where_it_is_declared(data: bytes) -> None:
    """It can be older than what the agent did."""
    assert verdict(google_adk, data) == "blocked"
    assert verdict(google_adk, data, declared=True) == "safe_replay"
    assert reading(google_adk, data, declared=True).evidence == "declared"


@pytest.mark.parametrize(
    "data", _files(Session().asks().calls("a", "b").answers("b")), ids=["array", "lines", "session"]
)
def test_a_call_without_a_response_blocks(data: bytes) -> None:
    """However the file spells its keys."""
    assert statuses(google_adk, data) == {"a": "indeterminate", "b": "succeeded"}


def test_long_running_calls_are_known_in_either_spelling() -> None:
    """Their tool's own answer does not settle them."""
    session = Session().asks().calls("a", long=("a",)).answers("a", value={"status": "pending"})
    assert statuses(google_adk, jsonl(*session.json())) == {"a": "indeterminate"}
    assert statuses(google_adk, jsonl(*session.events)) == {"a": "indeterminate"}


def test_a_partial_event_is_not_one() -> None:
    """What it streamed comes again, whole."""
    session = Session().asks().calls("a").answers("a").says()
    part = {**session.json()[1], "id": "p", "partial": True}
    data = jsonl(session.json()[0], part, *session.json()[1:])
    assert verdict(google_adk, data, declared=True) == "safe_replay"


def test_a_torn_file_is_damage() -> None:
    """Never half a session, wherever it was cut."""
    for data in _files(clean()):
        source = Source("torn", data[:-9])
        assert google_adk.why_not(source) is None
        with pytest.raises(CorruptLedger):
            google_adk.read(source, "events")


def test_a_bad_row_in_the_middle_is_damage() -> None:
    """JSON that is no event is no event."""
    rows = clean().json()
    source = Source("bad", jsonl(rows[0], {"b": 1}, *rows[1:]))
    assert google_adk.why_not(source) is None
    with pytest.raises(CorruptLedger):
        google_adk.sessions(source)
