"""A row has no limit of its own (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from resume_gate.events.event import Text
from tests.ledger.kit import RUN, event, path_of, row, store

LARGE = event("large", content=Text(text="[{ü" * 5_000_000))


def test_a_row_of_20_megabytes_is_written_and_read_back(tmp_path: Path) -> None:
    """It comes back whole, and one byte less is a torn row at its start."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append_all([event("a"), LARGE])
    path = path_of(tmp_path)
    assert path.stat().st_size > 20_000_000
    assert store(tmp_path).read(RUN).events[1] == LARGE
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 1)
    with pytest.raises(CorruptLedger) as caught:
        store(tmp_path).read(RUN)
    assert (caught.value.row, caught.value.byte) == (2, len(row("a")))
