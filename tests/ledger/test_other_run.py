"""A ledger holds the events of its own run alone (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import InvalidEvent, RunRef
from tests.ledger.kit import RUN, damage, event, path_of, row, store

OTHERS = [RunRef(RUN.session_id, "run_2"), RunRef("session_2", RUN.run_id)]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_another_runs_event_in_the_file_is_damage(tmp_path: Path, other: RunRef) -> None:
    """An event whose run or session is another's is named, however legal it is."""
    error = damage(tmp_path, row("a") + row(event("b", other)) + row("c"))
    assert (error.row, error.byte) == (2, len(row("a")))
    assert "another run" in error.why


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_another_runs_event_is_not_appended(tmp_path: Path, other: RunRef) -> None:
    """The writer refuses it before a byte is written."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        with pytest.raises(InvalidEvent, match="another run"):
            ledger.append_all([event("b"), event("c", other)])
    assert path_of(tmp_path).read_bytes() == row("a")
