"""A reader that may not write judges by the same rule (contract section 3)."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from resume_gate import ResumeGateError
from resume_gate.ledger.files.paths import lock_path
from tests.ledger.kit import RUN, answer, event, give_up_privileges, holder, path_of, public_root, store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")


@pytest.fixture
def read_only_root() -> Iterator[Path]:
    """Give a root with one event in it, where an unprivileged reader can enter and change nothing."""
    with public_root() as root:
        with store(root).open(RUN) as ledger:
            ledger.append(event("a"))
        path_of(root).parent.chmod(0o555)
        yield root
        path_of(root).parent.chmod(0o755)


def read_only(root: Path) -> None:
    """Read without the right to write, and tell what was found."""
    give_up_privileges()
    try:
        print(store(root).read(RUN).high_water)
    except ResumeGateError as error:
        print(type(error).__name__)


def test_an_existing_lock_file_is_locked(read_only_root: Path) -> None:
    """A reader that may not write takes the lock that is there, and reads."""
    assert answer(__file__, read_only_root) == "1"


def test_a_missing_lock_file_means_that_no_writer_was_here(read_only_root: Path) -> None:
    """Where it may not make the lock file, it reads without."""
    directory = path_of(read_only_root).parent
    directory.chmod(0o755)
    lock_path(path_of(read_only_root)).unlink()
    directory.chmod(0o555)
    assert answer(__file__, read_only_root) == "1"
    assert not lock_path(path_of(read_only_root)).exists()


def test_a_live_writer_is_seen(read_only_root: Path) -> None:
    """A reader that may not write is still kept from a live writer's ledger."""
    with holder(read_only_root):
        assert answer(__file__, read_only_root) == "BusyLedger"


if __name__ == "__main__":
    read_only(Path(sys.argv[1]))
