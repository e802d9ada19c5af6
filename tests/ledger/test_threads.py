"""Threads of one process may share a writer (LedgerWriter.append_all)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.ledger.kit import RUN, event, path_of, row, store


def test_threads_appending_at_once_lose_nothing(tmp_path: Path) -> None:
    """Every row is there once, and the file is in the order that the writer knows."""
    names = [f"event_{number}" for number in range(100)]
    with store(tmp_path).open(RUN) as ledger, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda name: ledger.append(event(name)), names))
        assert sorted(found.id for found in ledger.events) == sorted(names)
        assert path_of(tmp_path).read_bytes() == b"".join(map(row, ledger.events))
