"""A missing ledger is an empty one; a missing root is an error (contract section 3, design)."""

from pathlib import Path

import pytest

from tests.ledger.kit import RUN, event, path_of, store


def test_a_run_without_a_directory_reads_as_empty(tmp_path: Path) -> None:
    """Reading it makes neither directory nor file."""
    assert store(tmp_path).read(RUN).high_water == 0
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_a_file_reads_as_empty(tmp_path: Path) -> None:
    """Reading it does not make the ledger."""
    path_of(tmp_path).parent.mkdir(parents=True)
    assert store(tmp_path).read(RUN).high_water == 0
    assert not path_of(tmp_path).exists()


def test_opening_makes_the_ledger(tmp_path: Path) -> None:
    """Directories and file are made on the first opening, and the next one finds them."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
    with store(tmp_path).open(RUN) as ledger:
        assert ledger.high_water == 1


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    """An unmounted volume is not a new ledger: nothing is read, opened or made."""
    root = tmp_path / "unmounted"
    for attempt in (store(root).read, store(root).open):
        with pytest.raises(FileNotFoundError, match="not mounted"):
            attempt(RUN)
    assert not root.exists()


@pytest.mark.parametrize("name", ["sessions", "sessions/session_1", "sessions/session_1/runs/run_1"])
def test_a_file_in_a_directorys_place_is_an_error(tmp_path: Path, name: str) -> None:
    """It is the disk that is wrong then, and not a run without events."""
    in_the_way = tmp_path / name
    in_the_way.parent.mkdir(parents=True, exist_ok=True)
    in_the_way.write_text("a file")
    for attempt in (store(tmp_path).read, store(tmp_path).open):
        with pytest.raises(OSError, match=r"directory|exists"):
            attempt(RUN)
