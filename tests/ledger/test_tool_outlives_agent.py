"""A tool's process keeps the run closed only if the tool asks for that (contract section 3)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from resume_gate import BusyLedger
from tests.ledger.kit import LONG_PATIENCE, RUN, child, store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pass_fds is POSIX's")
TOOL = "import sys; print('ready', flush=True); sys.stdin.read()"


def agent(root: Path, *, keeps_closed: bool) -> None:
    """Start a tool that lives as long as this process's stdin, and wait for it."""
    with store(root).open(RUN) as ledger:
        passed = (ledger.lock_fd,) if keeps_closed else ()
        subprocess.run([sys.executable, "-c", TOOL], pass_fds=passed, check=True)


def test_a_tool_that_outlives_its_agent_leaves_the_run_open(tmp_path: Path) -> None:
    """A subprocess does not inherit the lock, so the killed agent's run is free while the tool goes on."""
    with child(__file__, tmp_path, "open") as killed:
        killed.kill()
        killed.wait()
        store(tmp_path).open(RUN).close()


def test_a_tool_that_got_the_lock_keeps_the_run_closed(tmp_path: Path) -> None:
    """A subprocess that was given ``lock_fd`` holds the run until its effect is over, and frees it by its end."""
    with child(__file__, tmp_path, "closed") as killed:
        killed.kill()
        killed.wait()
        for attempt in (store(tmp_path).open, store(tmp_path).read):
            with pytest.raises(BusyLedger):
                attempt(RUN)
        assert killed.stdin is not None
        killed.stdin.close()
        store(tmp_path, LONG_PATIENCE).open(RUN).close()


if __name__ == "__main__":
    agent(Path(sys.argv[1]), keeps_closed=sys.argv[2] == "closed")
