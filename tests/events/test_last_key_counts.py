"""Contract section 2: of a key that occurs twice in an object the last counts."""

import pytest

from resume_gate.events.canonical import canonical_args_hash
from resume_gate.events.codec import decode_event
from resume_gate.verdict.plan import build_resume_plan
from tests.kit.builders import call, decodes, text_of
from tests.kit.samples import SAMPLES

_ROW = b'{"id":"e1","invocationId":"i","runId":"r","sessionId":"s","turnId":"t","ts":1,"partial":false,"role":"user",'


def _row(rest: bytes) -> bytes:
    return _ROW + b'"author":"user"' + rest + b"}"


def test_the_last_of_two_ids_counts() -> None:
    """The later id is the event's."""
    assert decode_event(_row(b',"id":"e2"')).id == "e2"


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("replaced", [b'"partial":null', b'"ts":"x","role":1', b'"id":""'])
def test_a_bad_value_that_is_replaced_does_no_harm(name: str, replaced: bytes) -> None:
    """A wrong value is of no account when the same key follows with a right one."""
    row = text_of({"id": "e1", **SAMPLES[name]})
    assert decode_event(b"{" + replaced + b"," + row[1:]) == decode_event(row)


def test_a_bad_value_that_comes_last_makes_the_row_invalid() -> None:
    """A right value is of no account when the same key follows with a wrong one."""
    assert not decodes(_row(b',"ts":null'))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b'{"kind":"text","text":"a","text":"b"}', "b"),
        (b'{"kind":"thinking","kind":"text","text":"b"}', "b"),
        (b'{"text":1,"kind":"text","text":"b"}', "b"),
    ],
)
def test_the_last_counts_in_content(content: bytes, text: str) -> None:
    """Kind and keys of content are those that come last."""
    event = decode_event(_row(b',"content":' + content))
    assert build_resume_plan([event]).safe
    assert (type(event.content).__name__, getattr(event.content, "text", None)) == ("Text", text)


def test_the_last_kind_decides_which_keys_are_known() -> None:
    """Keys are judged by the kind that comes last."""
    assert not decodes(_row(b',"content":{"kind":"thinking","text":"a","signature":"s","kind":"text"}'))
    assert decodes(_row(b',"content":{"kind":"text","text":"a","signature":"s","kind":"thinking"}'))


def test_a_whole_object_is_replaced() -> None:
    """Of two contents the last counts whole; nothing of the first is left in it."""
    contents = b',"content":{"kind":"text","text":"a","displayText":"A"},"content":{"kind":"text","text":"b"}'
    assert decode_event(_row(contents)) == decode_event(_row(b',"content":{"kind":"text","text":"b"}'))


def test_the_last_counts_in_arguments() -> None:
    """The hash of arguments is that of their last values."""
    assert canonical_args_hash("n", b'{"a":1,"a":2}') == canonical_args_hash("n", b'{"a":2}')


def test_a_plan_shows_the_last_argument() -> None:
    """The arguments that a person sees are the last values too."""
    row = text_of({"id": "e1", **call(args="@")}).replace(b'"@"', b'{"a":1,"a":2}')
    (operation,) = build_resume_plan([decode_event(row)]).operations
    assert operation.args == {"a": 2}
