"""An append that fails half-way cuts the file back to its last complete row (contract section 3)."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from resume_gate.events.event import Text
from tests.ledger.kit import RUN, answer, event, ids, path_of, row, syncing

resource: Any = pytest.importorskip("resource")
PRIVATE = ["unshare", "--user", "--map-root-user", "--mount"]
LARGE = event("large", content=Text(text="x" * 40_000))


def under_a_limit(root: Path) -> None:
    """Append until the system allows no larger file, then with room again."""
    with syncing(root).open(RUN) as ledger:
        ledger.append(event("a"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
        try:
            ledger.append(LARGE)
        except OSError as error:
            found = errno.errorcode[error.errno or 0]
        whole = path_of(root).read_bytes() == row("a")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        ledger.append(LARGE)
    print(json.dumps([found, whole]))


def on_a_small_disk(root: Path) -> None:
    """Fill a file system of 64 KiB, append, make room and append again."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(root)], check=True)  # noqa: S607 - its place differs
    with syncing(root).open(RUN) as ledger:
        ledger.append(event("a"))
        (root / "filler").write_bytes(b"x" * 40_000)
        try:
            ledger.append(LARGE)
        except OSError as error:
            found = errno.errorcode[error.errno or 0]
        whole = path_of(root).read_bytes() == row("a")
        (root / "filler").unlink()
        ledger.append(LARGE)
    print(json.dumps([found, whole, ids(root)]))


def in_private(root: Path) -> None:
    """Go on as a process whose mounts nobody else sees, and that end with it."""
    os.execvp(PRIVATE[0], [*PRIVATE, sys.executable, __file__, "mounted", str(root)])  # noqa: S606 - this very script


def test_a_row_over_the_limit_is_undone_and_the_writer_goes_on(tmp_path: Path) -> None:
    """A file-size limit hit inside a row is an error that leaves no part of it; with room again it is appended."""
    assert json.loads(answer(__file__, "limit", tmp_path)) == ["EFBIG", True]
    assert ids(tmp_path) == ["a", "large"]


def test_a_full_disk_is_undone_and_the_writer_goes_on(tmp_path: Path) -> None:
    """A disk that fills up inside a row is an error that leaves no part of it; with room again it is appended."""
    trial = [*PRIVATE, "mount", "-t", "tmpfs", "tmpfs", str(tmp_path)]
    if shutil.which("unshare") is None or subprocess.run(trial, check=False, capture_output=True).returncode:
        pytest.skip("no private mounts here")
    assert json.loads(answer(__file__, "disk", tmp_path)) == ["ENOSPC", True, ["a", "large"]]


if __name__ == "__main__":
    {"limit": under_a_limit, "disk": in_private, "mounted": on_a_small_disk}[sys.argv[1]](Path(sys.argv[2]))
