"""A disk that turns read-only under a writer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from resume_gate import Recorder, RunRef, RuntimeEventStore, build_resume_plan

MOUNT, UMOUNT = shutil.which("mount"), shutil.which("umount")
RUN = RunRef("s", "r")


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own, for whoever may mount one."""
    place = tmp_path / "volume"
    place.mkdir()
    if sys.platform != "linux" or MOUNT is None or UMOUNT is None:
        pytest.skip("no file system can be mounted here")
    mounted = subprocess.run(
        [MOUNT, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    yield place
    subprocess.run([UMOUNT, "-l", str(place)], check=True)


def _remount(place: Path, how: str) -> bool:
    assert MOUNT is not None
    return subprocess.run([MOUNT, "-o", f"remount,{how}", str(place)], capture_output=True, check=False).returncode == 0


def test_a_ledger_on_a_read_only_disk_is_judged_and_not_opened(volume: Path) -> None:
    """After a read-only remount the run is still read and planned; opening it for a drive is an error."""
    store = RuntimeEventStore(volume)
    with store.open(RUN) as ledger:
        turn = Recorder(ledger, invocation_id="i", turn_id="t")
        turn.user("go")
        turn.tool("a", "pay", {}).__enter__()
    if not _remount(volume, "ro"):
        pytest.skip("this file system cannot be made read-only")
    assert build_resume_plan(store.read(RUN).events).rejection_reasons == ("dangling_tool_state",)
    with pytest.raises(OSError, match=r"[Rr]ead-only"):
        store.open(RUN)
    assert _remount(volume, "rw")
    with store.open(RUN) as ledger:
        assert ledger.high_water == 3
