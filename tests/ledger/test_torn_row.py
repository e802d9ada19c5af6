"""A torn row is damage, never a shorter legal prefix (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from tests.ledger.kit import RUN, damage, row, store, write

FIRST, SECOND = row("a"), row("b")


@pytest.mark.parametrize("lost", [1, 2, len(SECOND) // 2, len(SECOND) - 1])
def test_a_last_row_without_its_newline_is_torn(tmp_path: Path, lost: int) -> None:
    """A last row cut short, even by its newline alone, is reported with its number and its byte."""
    error = damage(tmp_path, FIRST + SECOND[:-lost])
    assert (error.row, error.byte) == (2, len(FIRST))
    assert "torn row" in error.why
    assert f"cut the file back to {len(FIRST)} bytes" in error.why


def test_a_torn_first_row_leaves_nothing_to_resume(tmp_path: Path) -> None:
    """Where no event was ever committed, the error says that cutting alone brings no run back."""
    error = damage(tmp_path, FIRST[:-1])
    assert (error.row, error.byte) == (1, 0)
    assert "cut the file back to 0 bytes" in error.why
    assert "no event is left then: abandon the run" in error.why


def test_a_row_glued_to_a_torn_one_is_damage(tmp_path: Path) -> None:
    """A writer that went on after a torn row left one bad row, and it is named by where the torn one starts."""
    error = damage(tmp_path, FIRST + SECOND[:-10] + row("c") + row("d"))
    assert (error.row, error.byte) == (2, len(FIRST))


def test_nul_bytes_after_the_last_row_are_damage(tmp_path: Path) -> None:
    """The zeros that a file system leaves after a power loss are counted in the error."""
    error = damage(tmp_path, FIRST + SECOND + b"\0" * 512)
    assert (error.row, error.byte) == (3, len(FIRST + SECOND))
    assert "512 NUL bytes" in error.why


def test_a_torn_ledger_is_not_opened_and_not_mended(tmp_path: Path) -> None:
    """Opening a torn ledger for writing is an error, changes no byte, and leaves the lock free."""
    path = write(tmp_path, FIRST + SECOND[:-1])
    for _ in range(2):
        with pytest.raises(CorruptLedger, match="torn row"):
            store(tmp_path).open(RUN)
    assert path.read_bytes() == FIRST + SECOND[:-1]
