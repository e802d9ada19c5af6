"""Contract section 2: an escaped half of a surrogate pair is data, not damage."""

import hashlib

import pytest

from resume_gate.events.canonical import canonical_args_hash, canonical_json
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.replay import replay_events
from tests.kit.builders import Row, call, ledger, plan, response, say, t1, t2, text_of, user

_HALF = "\ud83d"
_SHOWN = "\ufffd"
_ROWS: dict[str, Row] = {
    "id": user(id=f"e{_HALF}"),
    "invocation": user(invocationId=_HALF),
    "text": user(_HALF),
    "args": call(args={_HALF: [_HALF]}),
    "result": response(result=_HALF),
    "tool name": call(name=_HALF),
    "call id": call(_HALF),
    "state delta": say(actions={"stateDelta": {_HALF: _HALF}}),
    "attachments": user(content={"kind": "text", "text": "x", "attachments": [_HALF], "quotes": [{_HALF: _HALF}]}),
    "details": say(content={"kind": "error", "message": _HALF, "details": [_HALF]}),
    "ref": say(refs={"stepId": _HALF}),
    "operation id": t1(op=_HALF),
    "artifact": say(actions={"artifactDelta": {_HALF: _HALF}}),
}


@pytest.mark.parametrize("name", _ROWS)
def test_half_a_pair_is_data_anywhere(name: str) -> None:
    """A row with an escaped lone surrogate decodes, and survives its own encoding."""
    (event,) = ledger(_ROWS[name])
    assert decode_event(encode_event(event)) == event


@pytest.mark.parametrize("name", _ROWS)
def test_half_a_pair_is_written_as_ascii(name: str) -> None:
    """An encoded lone surrogate is an escape again, never bytes that are not UTF-8."""
    (event,) = ledger(_ROWS[name])
    assert b"\\ud83d" in encode_event(event)
    encode_event(event).decode("utf-8")


def test_a_whole_pair_is_one_character() -> None:
    """Two escapes that form a pair are the character they form."""
    row = text_of({"id": "e1", **user("@")})
    escaped, plain = row.replace(b"@", b"\\ud83d\\ude00"), row.replace(b"@", "\U0001f600".encode())
    assert decode_event(escaped) == decode_event(plain)


def test_canonical_json_keeps_the_escape_in_lower_case() -> None:
    """Canonical JSON writes a lone surrogate as its lower-case escape."""
    assert canonical_json({"\udc00": "\ud83d"}) == b'{"\\udc00":"\\ud83d"}'


def test_the_hash_is_made_of_the_escape() -> None:
    """Arguments with a lone surrogate have a hash, whichever case the escape is written in."""
    digest = hashlib.sha256(b'{"args":"\\ud83d","toolName":"n"}').hexdigest()
    assert canonical_args_hash("n", b'"\\uD83D"') == canonical_args_hash("n", b'"\\ud83d"') == f"sha256:{digest}"


def test_a_call_with_half_a_pair_can_be_dispatched() -> None:
    """T1 with the hash of such arguments agrees with its call."""
    args = {"text": _HALF}
    assert plan(user(), call(args=args), t1(args=args), t2()).safe


def test_a_plan_shows_a_replacement_character() -> None:
    """A plan shows U+FFFD for a lone surrogate, so that it can be sent."""
    found = plan(call(_HALF, _HALF, args={_HALF: [_HALF]}, id=_HALF, invocationId=_HALF))
    (operation,) = found.open_operations
    assert (operation.tool_call_id, operation.tool_name, operation.call_event_id) == (_SHOWN, _SHOWN, _SHOWN)
    assert operation.args == {_SHOWN: [_SHOWN]}
    assert operation.invocation_id == _SHOWN


@pytest.mark.parametrize("name", _ROWS)
def test_a_plan_can_always_be_sent(name: str) -> None:
    """The plan of a ledger with a lone surrogate anywhere is valid UTF-8."""
    events = ledger(_ROWS[name], say(id=_HALF, status="failed", invocationId=_HALF, turnId=_HALF))
    found = build_resume_plan([*events, *events])
    assert _SHOWN.encode() in bounded(found).model_dump_json().encode("utf-8")


def test_ids_that_differ_in_half_a_pair_differ() -> None:
    """Two call ids that a screen shows alike are two operations all the same."""
    found = plan(call("\ud83d"), response("\ud83d"), call("\ud83e"))
    assert [operation.status for operation in found.operations] == ["succeeded", "indeterminate"]


def test_replay_gives_half_a_pair_back() -> None:
    """The next model gets the text as it was, not as it is shown."""
    (event,) = replay_events(ledger(user(_HALF)))
    assert getattr(event.content, "text", None) == _HALF
