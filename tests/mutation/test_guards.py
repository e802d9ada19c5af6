"""The list of guards is true of the code as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.mutation.guards import GUARDS, Guard
from tests.mutation.run import ROOT, take_away


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name.replace(" ", "-"))
def test_every_guard_stands_where_the_list_says(guard: Guard, tmp_path: Path) -> None:
    """Each guard can be taken away, which leaves Python that parses, and its tests exist."""
    (tmp_path / guard.file).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / guard.file, tmp_path / guard.file)
    take_away(guard, tmp_path)
    compile((tmp_path / guard.file).read_text(encoding="utf-8"), guard.file, "exec")
    assert all((ROOT / name).exists() for name in guard.tests)
