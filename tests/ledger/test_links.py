"""No link below the root is followed (contract section 3)."""

import os
from pathlib import Path

import pytest

from resume_gate import CorruptLedger
from tests.ledger.kit import RUN, event, path_of, row, store, write

pytestmark = pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege there")
ABOVE = ("run directory", "runs", "session directory", "sessions")


def replace_by_link(path: Path, elsewhere: Path) -> None:
    """Move what is there away, and put a link to it in its place."""
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def assert_refused(root: Path) -> None:
    """Neither reading nor opening follows the link."""
    for attempt in (store(root).read, store(root).open):
        with pytest.raises(CorruptLedger, match="link"):
            attempt(RUN)


@pytest.mark.parametrize("level", range(4), ids=ABOVE)
def test_a_link_among_the_directories_is_refused(tmp_path: Path, level: int) -> None:
    """A directory that is a link is not entered, although the right file lies behind it."""
    root = tmp_path / "root"
    root.mkdir()
    path = write(root, row("a"))
    replace_by_link(path.parents[level], tmp_path / "elsewhere")
    assert_refused(root)


@pytest.mark.parametrize("name", ["runtime-events.jsonl", "runtime-events.jsonl.lock"])
def test_a_link_in_a_files_place_is_refused(tmp_path: Path, name: str) -> None:
    """Neither ledger nor lock may be a link."""
    store(tmp_path).open(RUN).close()
    replace_by_link(path_of(tmp_path).with_name(name), tmp_path / "elsewhere")
    assert_refused(tmp_path)


@pytest.mark.parametrize("name", ["runtime-events.jsonl", "runtime-events.jsonl.lock"])
def test_a_dangling_link_makes_no_file(tmp_path: Path, name: str) -> None:
    """A link to nowhere is refused, and what it points to is not made."""
    path = path_of(tmp_path).with_name(name)
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "made")
    assert_refused(tmp_path)
    assert not (tmp_path / "made").exists()


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    """Where the root lies is its owner's affair."""
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "real")
    with store(tmp_path / "root").open(RUN) as ledger:
        ledger.append(event("a"))
    assert store(tmp_path / "real").read(RUN).high_water == 1
