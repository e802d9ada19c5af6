"""A row that is not one strict JSON RuntimeEvent is corruption, named by row number and byte (contract section 3)."""

from pathlib import Path

import pytest

from tests.ledger.kit import RUN, damage, row, store, write

BEFORE, AFTER = row("a"), row("c")
GOOD = row("b")
BAD = {
    "empty row": b"\n",
    "byte-order mark": b"\xef\xbb\xbf" + GOOD,
    "NaN as time": GOOD.replace(b"1700000000000", b"NaN"),
    "infinite time": GOOD.replace(b"1700000000000", b"1e999"),
    "NaN in another place": GOOD.replace(b'"text":"b"', b'"text":"b","providerOptions":{"x":NaN}'),
    "two values": GOOD[:-1] + b" " + GOOD,
    "two values without a space": GOOD[:-1] + GOOD,
    "single quotes": GOOD.replace(b'"', b"'"),
    "a list": b"[]\n",
    "null": b"null\n",
    "no JSON": b"hello\n",
    "NUL bytes": b"\0\0\0\n",
    "unknown key": GOOD.replace(b'"id":', b'"extra":1,"id":'),
    "missing key": GOOD.replace(b'"partial":false,', b""),
    "null for absent": GOOD.replace(b'"partial":false,', b'"partial":false,"branch":null,'),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_row_in_the_middle_is_named(tmp_path: Path, bad: bytes) -> None:
    """The error carries the number of the bad row and the byte that it starts at."""
    error = damage(tmp_path, BEFORE + bad + AFTER)
    assert (error.row, error.byte) == (2, len(BEFORE))
    assert str(error).startswith(f"row 2, byte {len(BEFORE)}: ")


def test_a_byte_order_mark_at_the_start_is_damage(tmp_path: Path) -> None:
    """A mark that an editor put before the first row is not skipped."""
    error = damage(tmp_path, b"\xef\xbb\xbf" + BEFORE)
    assert (error.row, error.byte) == (1, 0)


def test_an_empty_row_says_so(tmp_path: Path) -> None:
    """An empty row at the end of the file is named as one."""
    assert "an empty row" in damage(tmp_path, BEFORE + b"\n").why


def test_of_two_bad_rows_the_first_is_named(tmp_path: Path) -> None:
    """The error points at the first place to look, also where the end is torn."""
    error = damage(tmp_path, BEFORE + b"\n" + AFTER + b"[]\n" + AFTER[:-3])
    assert error.row == 2


def test_a_legal_file_of_the_same_rows_is_read(tmp_path: Path) -> None:
    """The rows around the bad ones are legal by themselves, so it was the bad row that was refused."""
    write(tmp_path, BEFORE + GOOD + AFTER)
    assert store(tmp_path).read(RUN).high_water == 3
