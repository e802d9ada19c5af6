"""A file that was changed under its writer is an error, and nothing is lost silently (contract section 3)."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from tests.ledger.kit import RUN, event, path_of, row, store


def removed(path: Path) -> None:
    """Delete the ledger."""
    path.unlink()


def replaced(path: Path) -> None:
    """Put an equal copy in its place, as an editor does."""
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.replace(path)


def linked(path: Path) -> None:
    """Move it away, and leave a link to it."""
    moved = path.with_name("moved")
    path.rename(moved)
    path.symlink_to(moved)


def moved_with_its_directory(path: Path) -> None:
    """Move the run away, and begin another in its place."""
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.mkdir()
    path.write_bytes(b"")


def cut(path: Path) -> None:
    """Cut a byte off."""
    os.truncate(path, path.stat().st_size - 1)


def grown(path: Path) -> None:
    """Add a row."""
    path.write_bytes(path.read_bytes() + row("foreign"))


def damaged_directory(path: Path) -> None:
    """Replace the run's directory by a file."""
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.write_text("a file")


def bytes_below(root: Path) -> dict[str, bytes]:
    """Return every file but locks."""
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")
@pytest.mark.parametrize("change", [removed, replaced, linked, moved_with_its_directory, cut, grown, damaged_directory])
def test_the_writer_notices_before_it_writes(tmp_path: Path, change: Callable[[Path], None]) -> None:
    """The append is an error, for good, and writes to neither the old file nor what is in its place."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        change(path_of(tmp_path))
        before = bytes_below(tmp_path)
        for _ in range(2):
            with pytest.raises((CorruptLedger, NotADirectoryError)):
                ledger.append(event("b"))
        assert ledger.high_water == 1
    assert bytes_below(tmp_path) == before
