"""A file that cannot be read is an error of the disk, never an empty ledger (contract sections 3 and 7)."""

import os
import sys
from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from resume_gate.ledger.files.paths import lock_path
from tests.ledger.kit import RUN, answer, give_up_privileges, path_of, public_root, row, store, write


def read_as_nobody(root: Path) -> None:
    """Say what reading the ledger without any privilege gives."""
    give_up_privileges()
    try:
        print(store(root).read(RUN).high_water)
    except OSError as error:
        print(type(error).__name__)


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")
def test_a_ledger_without_permission_is_an_error() -> None:
    """A file that this user may not read raises; while it might, it read."""
    with public_root() as root:
        path = write(root, row("a"))
        assert answer(__file__, root) == "1"
        path.chmod(0)
        assert answer(__file__, root) == "PermissionError"


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")
@pytest.mark.parametrize("levels", [0, 1, 2, 3])
def test_a_directory_without_permission_is_an_error(levels: int) -> None:
    """A directory that this user may not enter does not make the run look empty, at any level."""
    with public_root() as root:
        closed = write(root, row("a")).parents[levels]
        closed.chmod(0)
        found = answer(__file__, root)
        closed.chmod(0o755)
    assert found == "PermissionError"


def test_a_directory_in_the_ledgers_place_is_damage(tmp_path: Path) -> None:
    """Only a regular file is a ledger."""
    path_of(tmp_path).mkdir(parents=True)
    for attempt in (store(tmp_path).read, store(tmp_path).open):
        with pytest.raises(CorruptLedger, match="not a regular file"):
            attempt(RUN)


def test_a_directory_in_the_locks_place_is_an_error(tmp_path: Path) -> None:
    """Without its lock a ledger is neither read nor written."""
    lock_path(write(tmp_path, row("a"))).mkdir()
    for attempt in (store(tmp_path).read, store(tmp_path).open):
        with pytest.raises(OSError, match="lock"):
            attempt(RUN)


if __name__ == "__main__":
    read_as_nobody(Path(sys.argv[1]))
