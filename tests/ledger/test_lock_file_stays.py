"""The lock file is never deleted (contract section 3)."""

from pathlib import Path

from resume_gate.ledger.files.paths import lock_path
from tests.ledger.kit import RUN, event, holder, path_of, store


def test_the_same_lock_file_serves_for_ever(tmp_path: Path) -> None:
    """Writing, closing, reading and a writer's death leave it in place: with a second file, two could write at once."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        first = lock_path(path_of(tmp_path)).stat()
    store(tmp_path).read(RUN)
    with holder(tmp_path) as other:
        other.kill()
        other.wait()
    store(tmp_path).open(RUN).close()
    last = lock_path(path_of(tmp_path)).stat()
    assert (first.st_dev, first.st_ino) == (last.st_dev, last.st_ino)
