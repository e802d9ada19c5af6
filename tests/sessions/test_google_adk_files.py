"""The verdicts on ADK's events as JSON, which do not show when they were written: a host has to say so."""

import json
from typing import Any

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.source import Source
from tests.sessions.adk_rows import Session, clean
from tests.sessions.verdicts import Row, jsonl, reading, statuses, verdict


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


CALL: Row = {"id": "a", "name": "pay", "args": {}}


def _with(*parts: Row, **keys: Any) -> bytes:
    """Write a finished session with one more event in it."""
    event = {"author": "cashier", "invocationId": "i1", "id": "x", "content": {"role": "model", "parts": list(parts)}}
    rows = clean().json()
    return jsonl(*rows[:-1], {**event, **keys}, rows[-1])


@pytest.mark.parametrize(
    "part",
    [
        {"function_call": None, "functionCall": CALL},
        {"text": "I pay", "functionCall": CALL},
        {"executableCode": {"code": "pay(7)"}, "functionCall": CALL},
        {"someNewCall": CALL},
        {"remote": {"toolName": "pay"}},
    ],
)
def test_a_call_in_any_part_blocks(part: Row) -> None:
    """Also beside something else, and in a part of a kind that is not known."""
    assert verdict(google_adk, _with(part), declared=True) == "blocked"


def test_other_unknown_parts_do_not_block() -> None:
    """Nothing in them is like a call."""
    assert verdict(google_adk, _with({"hologram": {"uri": "x"}}), declared=True) == "safe_replay"


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        ({"functionCall": [CALL]}, {}),
        ({"functionCall": "pay"}, {}),
        ({"functionCall": CALL}, {"longRunningToolIds": "a"}),
        ({"functionCall": CALL}, {"content": [{"functionCall": CALL}]}),
    ],
)
def test_a_call_of_another_shape_is_damage(part: Row, keys: Row) -> None:
    """What cannot be read is not left out."""
    with pytest.raises(CorruptLedger):
        verdict(google_adk, _with(part, **keys))


def test_a_copy_of_an_answer_settles_no_later_call() -> None:
    """The same event again, after a call whose id comes again."""
    rows = Session().asks().calls("a").answers("a").calls("a").json()
    assert verdict(google_adk, jsonl(*rows, rows[2]), declared=True) == "blocked"
    assert verdict(google_adk, jsonl(*rows, {**rows[2], "id": "x"}), declared=True) == "safe_replay"
