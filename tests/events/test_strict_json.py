"""Contract section 3: a row is strict JSON, the parts that nobody interprets included."""

import pytest

from tests.kit.builders import call, decodes, text_of

_BROKEN = [
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"01",
    b"-",
    b"+1",
    b"1.",
    b".5",
    b"1e",
    b"0x10",
    b"tru",
    b"[1,]",
    b"[1 2]",
    b"[1",
    b'{"a":1,}',
    b"{a:1}",
    b'{"a" 1}',
    b"{1:2}",
    b"'a'",
    b'"a',
    b'"\\q"',
    b'"\\u12"',
    b'"\t"',
    b'"\x00"',
    b'{"\\q":1}',
    b"[\x0b1]",
    b"[\xc2\xa01]",
    b'"\xff"',
    b'"\xc3"',
    b'"\xed\xa0\x80"',
    b'"\xc0\xaf"',
    b"\xef\xbb\xbf1",
    b"/* no */1",
    b"",
]


def _row(args: bytes) -> bytes:
    return text_of({"id": "e1", **call(args="@")}).replace(b'"@"', args)


@pytest.mark.parametrize("args", _BROKEN)
def test_broken_json_in_arguments_makes_the_row_invalid(args: bytes) -> None:
    """Arguments that are kept as text have to be strict JSON and UTF-8 all the same."""
    assert not decodes(_row(args))


@pytest.mark.parametrize("args", [b"1E5", b"-0", b'"\\/"', b'"\x7f"', b" [ 1 ,\t2 ] ", b'"\\ud83d"', b"1e400", b"{}"])
def test_unusual_json_is_json(args: bytes) -> None:
    """Whatever JSON's grammar allows is accepted."""
    assert decodes(_row(args))


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"\xef\xbb\xbf", b""), (b"", b"{}"), (b"", b","), (b"{}", b""), (b"", b"\x00"), (b"\x0c", b""), (b"", b"x")],
)
def test_nothing_stands_beside_the_object(before: bytes, after: bytes) -> None:
    """A byte-order mark, a second value or any other bytes beside the object make the row invalid."""
    assert not decodes(before + _row(b"1") + after)


@pytest.mark.parametrize(("before", "after"), [(b" ", b""), (b"", b" "), (b"\t", b"\r")])
def test_white_space_is_no_content(before: bytes, after: bytes) -> None:
    """JSON's white space around the object changes nothing."""
    assert decodes(before + _row(b"1") + after)


def test_an_empty_row_is_invalid() -> None:
    """A row without anything in it is no event."""
    assert not decodes(b"")


def test_bad_utf8_in_a_text_makes_the_row_invalid() -> None:
    """Bytes that are not UTF-8 are refused in strings that are interpreted too."""
    assert not decodes(_row(b"1").replace(b"Bash", b"B\xffsh"))
