"""A real process dies at each failpoint, and a new store finds exactly what was committed (contract section 8)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from resume_gate import FAILPOINTS
from resume_gate.crash.harness import SESSION, Death, die_at, finally_marker, judge_death, run_crash_test
from resume_gate.ledger.files.paths import ledger_path

AFTER_THE_RESPONSE = FAILPOINTS[5]


def test_all_twelve_pass(tmp_path: Path) -> None:
    """Every row names its catalog entry, passes and has nothing to say."""
    rows = list(run_crash_test(tmp_path))
    assert [row[:3] for row in rows] == list(FAILPOINTS)
    assert [row.detail for row in rows if not row.passed or row.detail] == []
    assert [row.events for row in rows] == [1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4]


def test_rows_come_one_by_one_and_again_on_the_same_root(tmp_path: Path) -> None:
    """A row is there as soon as its process is dead; a second test makes new runs beside the first one's."""
    for times in (1, 2):
        row = next(run_crash_test(tmp_path))
        assert (row.failpoint, row.passed, row.disposition) == ("P0", True, "safe_replay")
        assert len(list((tmp_path / "sessions" / SESSION / "runs").iterdir())) == times


def lose_a_row(path: Path) -> None:
    """Drop the last row, as a store that answered before it wrote."""
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def tear_a_row(path: Path) -> None:
    """Drop the last bytes, as a store that answered in the middle of its write."""
    path.write_bytes(path.read_bytes()[:-7])


def lose_the_file(path: Path) -> None:
    """Drop the file, as a store that kept it in memory."""
    path.unlink()


def write_a_row_twice(path: Path) -> None:
    """Repeat the last row, as a store that tried again."""
    data = path.read_bytes()
    path.write_bytes(data + data.splitlines(keepends=True)[-1])


def change_a_result(path: Path) -> None:
    """Change the tool's result, and no id."""
    path.write_bytes(path.read_bytes().replace(b"true", b"null"))


def change_white_space(path: Path) -> None:
    """Change bytes that no event shows."""
    path.write_bytes(path.read_bytes().replace(b'"ts":', b'"ts": '))


TAMPERING: dict[Callable[[Path], None], str] = {
    lose_a_row: "event ids",
    tear_a_row: "could not be projected: row 3",
    lose_the_file: "No such file",
    write_a_row_twice: "could not be projected",
    change_a_result: "bytes",
    change_white_space: "bytes",
}


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Death]:
    """Give a root and what a child that was killed after its response had acknowledged."""
    root = tmp_path_factory.mktemp("root")
    return root, die_at(root, AFTER_THE_RESPONSE)


@pytest.mark.parametrize("tamper", TAMPERING)
def test_a_broken_store_is_caught(dead: tuple[Path, Death], tamper: Callable[[Path], None]) -> None:
    """A ledger that is not what was acknowledged fails its row, which says why."""
    root, death = dead
    path = ledger_path(root, death.run)
    committed = path.read_bytes()
    tamper(path)
    row = judge_death(root, death)
    path.write_bytes(committed)
    assert not row.passed
    assert TAMPERING[tamper] in row.detail
    assert judge_death(root, death).passed


def test_a_finally_that_ran_is_caught(dead: tuple[Path, Death]) -> None:
    """A process that got to clean up was not killed, and proves nothing."""
    root, death = dead
    marker = finally_marker(root, death.run)
    marker.touch()
    row = judge_death(root, death)
    marker.unlink()
    assert not row.passed
    assert "finally" in row.detail


def test_a_child_that_cannot_write_is_a_failed_row(tmp_path: Path) -> None:
    """Its last words are in the row."""
    (tmp_path / "sessions").write_text("a file in the way")
    row = judge_death(tmp_path, die_at(tmp_path, AFTER_THE_RESPONSE))
    assert (row.passed, row.disposition, row.events) == (False, None, 0)
    assert "did not report ready" in row.detail
    assert "sessions" in row.detail


def test_a_missing_root_is_said_at_once(tmp_path: Path) -> None:
    """No row is asked for before the error comes, and the root is not made."""
    with pytest.raises(FileNotFoundError, match="not mounted"):
        run_crash_test(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
