"""Contract section 2: an event survives its own encoding."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from resume_gate.events.codec import decode_event, encode_event
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.recovery import recover
from tests.kit.builders import DIGEST, Row, text_of
from tests.kit.ledgers import mangled_rows
from tests.kit.samples import OBJECT_ACTIONS, REFS, SAMPLES
from tests.kit.strategies import JSON, OBJECTS, PROPERTY, TEXTS

_IDS = TEXTS.filter(bool)
_FINITE = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_LISTS = st.lists(JSON, max_size=2)
_KINDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "text",
        {"text": TEXTS},
        {"displayText": TEXTS, "attachments": _LISTS, "quotes": _LISTS, "steering": st.sampled_from([True])},
    ),
    ("thinking", {"text": TEXTS}, {"signature": TEXTS, "providerOptions": OBJECTS}),
    ("function_call", {"id": TEXTS, "name": TEXTS, "args": JSON}, {"providerExecuted": st.booleans()}),
    (
        "function_response",
        {"id": TEXTS, "name": TEXTS, "result": JSON},
        {"isError": st.booleans(), "providerOutput": JSON},
    ),
    ("error", {"message": TEXTS}, {"code": TEXTS, "details": st.lists(TEXTS, max_size=2) | OBJECTS}),
]
_CONTENT = st.one_of(
    [st.fixed_dictionaries({"kind": st.just(kind), **needed}, optional=optional) for kind, needed, optional in _KINDS]
)
_FACTS = [SAMPLES[name]["actions"] for name in ("marker", "dispatch", "reconciled", "completed", "parked")]
_ACTIONS = st.sampled_from(_FACTS) | st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(OBJECT_ACTIONS, OBJECTS),
        "artifactDelta": st.dictionaries(TEXTS, TEXTS | st.booleans() | _FINITE, max_size=3),
        "transferToAgent": TEXTS,
        "endInvocation": st.booleans(),
    },
)
_REFS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(REFS, TEXTS)
    | {"sourceMessageDigest": st.just(DIGEST), "sourceRuntimeEventHighWater": st.integers(0, 2**60)},
)
_EVENTS = st.fixed_dictionaries(
    {
        **dict.fromkeys(["id", "invocationId", "runId", "sessionId", "turnId"], _IDS),
        "ts": _FINITE,
        "partial": st.booleans(),
        "role": st.sampled_from(["user", "model", "tool", "system"]),
        "author": st.sampled_from(["user", "host", "agent", "tool", "system"]),
    },
    optional={
        "branch": TEXTS,
        "origin": st.sampled_from(["provider", "code_mode"]),
        "modelVisibility": st.sampled_from(["visible", "hidden"]),
        "status": st.sampled_from(["streaming", "completed", "failed", "aborted", "cancelled"]),
        "content": _CONTENT,
        "actions": _ACTIONS,
        "refs": _REFS,
    },
)


def _written(row: Row, *, spaced: bool) -> bytes:
    text = json.dumps(row, ensure_ascii=False, separators=(" , ", "\t: ") if spaced else (",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair can only be written as an escape
        return json.dumps(row).encode()


@given(_EVENTS, st.booleans())
@PROPERTY
def test_an_event_survives_its_own_encoding(row: Row, spaced: bool) -> None:
    """Whatever a row holds and however it is written: decoded, encoded and decoded it is the same event."""
    event = decode_event(_written(row, spaced=spaced))
    assert decode_event(encode_event(event)) == event
    assert encode_event(decode_event(encode_event(event))) == encode_event(event)


@given(_EVENTS)
@PROPERTY
def test_an_encoded_event_is_one_row_of_the_same_json(row: Row) -> None:
    """What is written is one line of UTF-8 that says what was read."""
    encoded = encode_event(decode_event(_written(row, spaced=False)))
    assert b"\n" not in encoded
    assert json.loads(encoded.decode("utf-8"), parse_int=float) == json.loads(json.dumps(row), parse_int=float)


@given(mangled_rows())
@PROPERTY
def test_a_replaced_value_leaves_no_trace(rows: list[Row]) -> None:
    """Rows that take the careful way through the decoder mean what they mean on the quick way."""
    quick = [decode_event(text_of(row)) for row in rows]
    careful = [decode_event(b'{"partial":null,' + text_of(row)[1:]) for row in rows]
    one, other = recover(quick), recover(careful)
    assert one.issues == other.issues
    assert [found.reason for found in one.decisions] == [found.reason for found in other.decisions]
    assert build_resume_plan(quick).diagnostics == build_resume_plan(careful).diagnostics
