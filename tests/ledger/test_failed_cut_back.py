"""Where a half-written row cannot be undone either, the error says that it is there (contract section 3)."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from resume_gate import CorruptLedger
from resume_gate.events.event import Text
from tests.ledger.kit import RUN, answer, event, path_of, row, store, syncing

TORN_AT = len(row("a"))


def tear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk take half of a row, and then neither the rest nor the way back."""
    real = os.write

    def half(fd: int, data: Any) -> int:
        if len(data) < len(row("b")):
            raise OSError(errno.ENOSPC, "no space left")
        return real(fd, data[: len(data) // 2])

    def stuck(_fd: int, _size: int) -> None:
        raise OSError(errno.EIO, "cannot cut")

    monkeypatch.setattr(os, "write", half)
    monkeypatch.setattr(os, "ftruncate", stuck)


def test_the_error_names_the_torn_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The append says where the torn row is and why, and so does every later one, which writes nothing."""
    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        with monkeypatch.context() as broken:
            tear(broken)
            with pytest.raises(CorruptLedger, match=f"torn row at byte {TORN_AT}.*no space.*cannot cut"):
                ledger.append(event("b"))
        torn = path_of(tmp_path).read_bytes()
        with pytest.raises(CorruptLedger, match=f"torn row at byte {TORN_AT}"):
            ledger.append(event("b"))
        assert ledger.high_water == 1
    assert torn == path_of(tmp_path).read_bytes() != row("a")
    with pytest.raises(CorruptLedger, match=f"row 2, byte {TORN_AT}"):
        store(tmp_path).read(RUN)


def append_over_a_limit(root: Path) -> None:
    """Append past the largest file size that this process may write, and tell the error."""
    resource: Any = pytest.importorskip("resource")
    with syncing(root).open(RUN) as ledger:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        try:
            ledger.append(event("b", content=Text(text="x" * 5000)))
        except CorruptLedger as error:
            print(error)


@pytest.mark.skipif(shutil.which("chattr") is None, reason="no append-only files here")
def test_a_file_that_only_grows_keeps_its_torn_row(tmp_path: Path) -> None:
    """On a real append-only file the cut fails for real, and the next reader finds what the error said."""
    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
    path = path_of(tmp_path)
    if subprocess.run(["chattr", "+a", path], check=False, capture_output=True).returncode:  # noqa: S607 - its place differs
        pytest.skip("no right to make a file append-only")
    try:
        said = answer(__file__, tmp_path)
    finally:
        subprocess.run(["chattr", "-a", path], check=True)  # noqa: S607 - as above
    assert f"torn row at byte {TORN_AT}" in said
    with pytest.raises(CorruptLedger, match=f"row 2, byte {TORN_AT}"):
        store(tmp_path).read(RUN)


def test_a_sync_that_fails_takes_the_row_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that could not be synced is not left behind as if it were committed."""
    real, failures = os.fsync, [OSError(errno.EIO, "the disk is going")]

    def failing(fd: int) -> None:
        if failures:
            raise failures.pop()
        real(fd)

    with syncing(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        monkeypatch.setattr(os, "fsync", failing)
        with pytest.raises(OSError, match="the disk is going"):
            ledger.append(event("b"))
        assert path_of(tmp_path).read_bytes() == row("a")
        ledger.append(event("c"))
    assert path_of(tmp_path).read_bytes() == row("a") + row("c")


if __name__ == "__main__":
    append_over_a_limit(Path(sys.argv[1]))
