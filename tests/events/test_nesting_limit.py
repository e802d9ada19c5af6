"""Contract section 2: a row nested deeper than 500 is corrupt, and one nested 500 deep is data."""

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.events.canonical import canonical_args_hash, canonical_json, digest
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.ledger.prefix import read_prefix
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef
from tests.kit.builders import Row, call, decodes, event, response, t1, text_of

_IN_CONTENT = 2  # the event's object and the content's enclose the arguments
# Each takes another way through the code: plain, a float, beyond ASCII, half a surrogate pair.
_INNERMOST = [b"1", b"1.5", '"\u00e9"'.encode(), b'"\\ud83d"']
_BRACKETS = [(b"[", b"]"), (b'{"a":', b"}")]


def _nested(depth: int, innermost: bytes = b"1", brackets: tuple[bytes, bytes] = (b"[", b"]")) -> bytes:
    return brackets[0] * depth + innermost + brackets[1] * depth


def _row(row: Row, args: bytes) -> bytes:
    return text_of({"id": "e1", **row}).replace(b'"@"', args)


def _deepest(innermost: bytes, brackets: tuple[bytes, bytes]) -> bytes:
    return _row(call(args="@"), _nested(500 - _IN_CONTENT, innermost, brackets))


@pytest.mark.parametrize("innermost", _INNERMOST)
@pytest.mark.parametrize("brackets", _BRACKETS)
def test_a_row_nested_500_deep_is_data(innermost: bytes, brackets: tuple[bytes, bytes]) -> None:
    """The deepest legal row decodes, and survives its own encoding."""
    found = decode_event(_deepest(innermost, brackets))
    assert decode_event(encode_event(found)) == found


@pytest.mark.parametrize("innermost", _INNERMOST)
@pytest.mark.parametrize("brackets", _BRACKETS)
def test_a_row_nested_501_deep_is_invalid(innermost: bytes, brackets: tuple[bytes, bytes]) -> None:
    """One container more makes the row invalid."""
    assert not decodes(_row(call(args="@"), _nested(501 - _IN_CONTENT, innermost, brackets)))


def test_the_limit_counts_everywhere() -> None:
    """The limit holds in results and in payloads that nobody interprets."""
    delta = event("system", "host", actions={"workspaceFact": {"a": "@"}})
    assert decodes(_row(delta, _nested(497)))
    assert not decodes(_row(delta, _nested(498)))
    assert decodes(_row(response(result="@"), _nested(498)))
    assert not decodes(_row(response(result="@"), _nested(499)))


def test_brackets_in_strings_are_no_nesting() -> None:
    """Brackets inside a string, after an escaped quote too, nest nothing."""
    assert decodes(_row(call(args="@"), b'"\\"' + b"[" * 600 + b'"'))


def test_brackets_side_by_side_are_no_nesting() -> None:
    """Many containers beside one another are not deep."""
    assert decodes(_row(call(args="@"), b"[" + b",".join([b"{}"] * 2000) + b"]"))


def test_a_deeper_row_is_a_corrupt_ledger() -> None:
    """A ledger with such a row is corrupt, at that row."""
    row = _row(call(args="@"), _nested(499))
    with pytest.raises(CorruptLedger) as caught:
        read_prefix(RunRef("ses-1", "run-1"), row + b"\n")
    assert (caught.value.row, caught.value.byte) == (1, 0)


@pytest.mark.parametrize("innermost", _INNERMOST)
@pytest.mark.parametrize("brackets", _BRACKETS)
def test_arguments_nested_500_deep_have_a_hash(innermost: bytes, brackets: tuple[bytes, bytes]) -> None:
    """The deepest arguments that can be hashed have one, whatever is in them."""
    assert canonical_args_hash("n", _nested(500, innermost, brackets)) is not None


def test_arguments_nested_deeper_have_no_hash() -> None:
    """Arguments that nest deeper than 500 cannot be hashed."""
    assert canonical_args_hash("n", _nested(501)) is None


def test_deep_arguments_are_hashed_like_shallow_ones() -> None:
    """The hash of deep arguments is that of their canonical text."""
    args = [1]
    for _ in range(9):
        args = [args]  # type: ignore[list-item]
    assert canonical_args_hash("n", _nested(10)) == digest(canonical_json({"args": args, "toolName": "n"}))


@pytest.mark.parametrize("innermost", _INNERMOST)
@pytest.mark.parametrize("brackets", _BRACKETS)
def test_the_deepest_row_is_planned_and_sent(innermost: bytes, brackets: tuple[bytes, bytes]) -> None:
    """Plan, bounded plan and replay take the deepest legal call, with its T1."""
    row = decode_event(_deepest(innermost, brackets))
    found = build_resume_plan([row])
    assert [operation.status for operation in found.operations] == ["indeterminate"]
    assert bounded(found).model_dump_json()
    assert list(replay_events([row])) == []


@pytest.mark.parametrize("innermost", _INNERMOST)
@pytest.mark.parametrize("brackets", _BRACKETS)
def test_a_dispatch_of_the_deepest_arguments_is_judged(innermost: bytes, brackets: tuple[bytes, bytes]) -> None:
    """A T1 of the deepest legal arguments is compared with its call's hash, and agrees."""
    args = _nested(500 - _IN_CONTENT, innermost, brackets)
    rows = [_row(call(args="@"), args), text_of({"id": "e2", **t1(args_hash=canonical_args_hash("Bash", args))})]
    assert build_resume_plan([decode_event(row) for row in rows]).requires_verification
