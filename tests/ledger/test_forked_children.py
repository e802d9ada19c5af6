"""A forked child neither keeps the lock nor writes (contract section 3)."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from resume_gate import BusyLedger, ContractMisuse, LedgerWriter
from tests.ledger.kit import RUN, child, event, ids, store

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def try_to_write(ledger: LedgerWriter, until: int) -> None:
    """Append in the forked child, tell what came of it, and live on until the test lets go."""
    try:
        ledger.append(event("from the child"))
        answer = "appended"
    except ContractMisuse:
        answer = "refused"
    os.write(1, f"ready\n{answer}\n".encode())
    os.read(until, 1)
    ledger.close()


def by_fork(work: Callable[[], None]) -> None:
    """Run the work in a bare fork of this process."""
    if os.fork() == 0:
        work()
        os._exit(0)


def by_multiprocessing(work: Callable[[], None]) -> None:
    """Run the work in a child of the standard library's making."""
    multiprocessing.get_context("fork").Process(target=work).start()


def agent(root: Path, how: str) -> None:
    """Fork with the ledger open, and stay until killed."""
    until = os.dup(0)
    with store(root).open(RUN) as ledger:
        ledger.append(event("from the agent"))
        start = {"fork": by_fork, "multiprocessing": by_multiprocessing}[how]
        start(lambda: try_to_write(ledger, until))
        os.read(until, 1)


@pytest.mark.parametrize("how", ["fork", "multiprocessing"])
def test_a_forked_child_cannot_append_nor_keep_the_lock(tmp_path: Path, how: str) -> None:
    """Its append is refused; while the agent lives the run is closed, and after its death open, child or not."""
    with child(__file__, tmp_path, how) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "refused\n"
        with pytest.raises(BusyLedger):
            store(tmp_path).open(RUN)
        killed.kill()
        killed.wait()
        assert ids(tmp_path) == ["from the agent"]


def fork_and_go_on(root: Path) -> None:
    """Let a forked child end as usual, then append."""
    with store(root).open(RUN) as ledger:
        pid = os.fork()
        if pid == 0:
            ledger.close()
            os._exit(0)
        os.waitpid(pid, 0)
        ledger.append(event("after the child"))
        os.write(1, b"ready\n")
        os.read(0, 1)


def test_a_forked_childs_end_does_not_free_the_agents_lock(tmp_path: Path) -> None:
    """A child that closes the ledger and ends leaves its parent the only writer."""
    with child(__file__, tmp_path, "go on"), pytest.raises(BusyLedger):
        store(tmp_path).open(RUN)
    assert ids(tmp_path) == ["after the child"]


if __name__ == "__main__":
    if sys.argv[2] == "go on":
        fork_and_go_on(Path(sys.argv[1]))
    else:
        agent(Path(sys.argv[1]), sys.argv[2])
