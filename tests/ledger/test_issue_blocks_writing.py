"""A ledger that has an issue by section 4 cannot be opened for writing (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from tests.ledger.kit import RUN, call, response, row, store, write

ISSUES = {
    "duplicate_event_id": row("a") * 2,
    "duplicate_call": row(call("a")) + row(call("b")),
    "orphan_response": row(response("a")),
}


@pytest.mark.parametrize("code", ISSUES)
def test_it_is_read_but_not_written_to(tmp_path: Path, code: str) -> None:
    """Reading gives the whole prefix; opening names the issue, changes no byte and leaves the lock free."""
    path = write(tmp_path, ISSUES[code])
    assert store(tmp_path).read(RUN).high_water == ISSUES[code].count(b"\n")
    for _ in range(2):
        with pytest.raises(CorruptLedger, match=code):
            store(tmp_path).open(RUN)
    assert path.read_bytes() == ISSUES[code]
