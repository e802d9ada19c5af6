"""A row that is not UTF-8 is corruption, wherever in it the bad bytes are (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate.events.event import Text
from tests.ledger.kit import RUN, call, damage, event, response, row, store, write

PLACES = {
    "text": row(event("b", content=Text(text="MARK"))),
    "id": row("MARK"),
    "arguments": row(call("b", args=b'{"city":"MARK"}')),
    "arguments' key": row(call("b", args=b'{"MARK":1}')),
    "result": row(response("b", result=b'["MARK"]')),
}
BAD = {"stray byte": b"\xff", "cut sequence": b"\xe2\x82", "surrogate": b"\xed\xa0\xbd", "overlong": b"\xc0\xaf"}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_bad_utf8_is_damage(tmp_path: Path, place: bytes, bad: bytes) -> None:
    """Bad UTF-8 is found in typed strings and in the JSON that the contract does not interpret."""
    error = damage(tmp_path, row("a") + place.replace(b"MARK", bad) + row("c"))
    assert (error.row, error.byte) == (2, len(row("a")))


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_good_utf8_in_the_same_place_is_read(tmp_path: Path, place: bytes) -> None:
    """A character beyond ASCII is no damage in any of these places."""
    write(tmp_path, row("a") + place.replace(b"MARK", "Zürich €".encode()))
    assert store(tmp_path).read(RUN).high_water == 2
