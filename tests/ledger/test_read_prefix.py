"""Contract section 3: a ledger's bytes are read whole, or not at all."""

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.events.canonical import digest
from resume_gate.ledger.prefix import CommittedPrefix, read_prefix
from resume_gate.wire import RunRef
from tests.kit.builders import call, file_of, numbered, response, say, text_of, user

_RUN = RunRef("ses-1", "run-1")
_ROWS = (user("go \u2028 \u00e9"), call(), response())
_FILE = file_of(*_ROWS)
_A, _B, _C = (text_of(row) for row in numbered(_ROWS))


def _read(data: bytes) -> CommittedPrefix:
    return read_prefix(_RUN, data)


def test_a_prefix_is_all_rows_in_order() -> None:
    """Every row of the file is an event of the prefix."""
    assert [event.id for event in _read(_FILE).events] == ["e1", "e2", "e3"]


def test_the_high_water_counts_events() -> None:
    """The high-water is how many events there are."""
    assert (_read(b"").high_water, _read(_FILE).high_water) == (0, 3)


def test_the_digest_is_of_the_bytes() -> None:
    """The prefix is named by the digest of the file's bytes, not of what they mean."""
    spaced = _FILE.replace(b'"partial":', b'"partial": ')
    assert _read(_FILE).digest == digest(_FILE)
    assert _read(spaced).digest != _read(_FILE).digest
    assert _read(spaced).events == _read(_FILE).events


def test_a_reference_names_the_prefix() -> None:
    """What travels instead of the events is their number and their digest."""
    reference = _read(_FILE).reference
    assert (reference.high_water, reference.prefix_digest) == (3, digest(_FILE))


def test_no_bytes_are_an_empty_prefix() -> None:
    """A file without a byte is no damage: it holds no event."""
    assert _read(b"").events == ()


@pytest.mark.parametrize(
    ("data", "row", "byte"),
    [
        pytest.param(_FILE[:-1], 3, len(_A + _B) + 2, id="torn at the newline"),
        pytest.param(_FILE[:-20], 3, len(_A + _B) + 2, id="torn in a row"),
        pytest.param(_A, 1, 0, id="torn in the first row"),
        pytest.param(_FILE + b"\0\0\0\0", 4, len(_FILE), id="NUL bytes after the last row"),
        pytest.param(b"\n", 1, 0, id="nothing but a newline"),
        pytest.param(_FILE + b"\n", 4, len(_FILE), id="an empty row at the end"),
        pytest.param(_A + b"\n\n" + _B + b"\n", 2, len(_A) + 1, id="an empty row between"),
        pytest.param(_A + b"\n \n" + _B + b"\n", 2, len(_A) + 1, id="a blank row"),
        pytest.param(_A + b"\n" + _B[:-1] + b"\n", 2, len(_A) + 1, id="a row that is no JSON"),
        pytest.param(_A + b"\n{}\n" + _C + b"\n", 2, len(_A) + 1, id="a row that is no event"),
        pytest.param(_A + _B + b"\n", 1, 0, id="two values in a row"),
        pytest.param(b"\xef\xbb\xbf" + _FILE, 1, 0, id="a byte-order mark"),
        pytest.param(_A + b"\n" + _B.replace(b"Bash", b"B\xffsh") + b"\n", 2, len(_A) + 1, id="bad UTF-8"),
        pytest.param(_A + b"\n" + _B.replace(b'"ls"', b"NaN") + b"\n", 2, len(_A) + 1, id="NaN"),
    ],
)
def test_damage_is_named_by_row_and_byte(data: bytes, row: int, byte: int) -> None:
    """Corruption says the row, from 1, and the byte where that row starts, from 0."""
    with pytest.raises(CorruptLedger) as caught:
        _read(data)
    assert (caught.value.row, caught.value.byte) == (row, byte)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_A + b" " + _B + b"\n\n", id="two values, then an empty row"),
        pytest.param(b"\n" + _A + _B + b"\n", id="an empty row, then two values"),
        pytest.param(_B[:5] + b"\n" + _B[5:] + b"\n", id="one value over two rows"),
        pytest.param(_B[:-1] + b"\n}" + _C + b"\n", id="one value over two rows, then another"),
        pytest.param(_B + b"\r" + _C + b"\n\n", id="a carriage return for a newline"),
        pytest.param(_B + b"\n\n" + _C + _C.replace(b"e3", b"e4") + b"\n", id="as many values as rows"),
    ],
)
def test_each_row_is_one_value_by_itself(data: bytes) -> None:
    """As many values as rows are no ledger where a single row is not exactly one value."""
    with pytest.raises(CorruptLedger):
        _read(data)


@pytest.mark.parametrize("key", ["sessionId", "runId"])
def test_an_event_of_another_run_is_corruption(key: str) -> None:
    """An event that belongs to another session or run does not belong in this ledger."""
    with pytest.raises(CorruptLedger) as caught:
        _read(file_of(user(), say(**{key: "other"})))
    assert caught.value.row == 2


def test_white_space_inside_rows_is_no_damage() -> None:
    """A writer that puts white space around its values, or ends rows with CR LF, writes a ledger too."""
    assert _read(_FILE.replace(b"\n", b" \r\n").replace(b":", b": ")).high_water == 3


def test_a_torn_row_says_where_to_cut() -> None:
    """The error for a torn row says back to which byte a person may cut the file."""
    with pytest.raises(CorruptLedger, match=f"cut the file back to {len(_A) + 1} bytes"):
        _read(_A + b"\n" + _B)
