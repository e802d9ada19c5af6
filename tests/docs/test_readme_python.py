"""The README's Python is real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.readme import ROOT, blocks


@pytest.mark.parametrize("block", blocks("python"), ids=["agent", "caller"])
def test_every_python_block_type_checks_and_runs(block: str, tmp_path: Path) -> None:
    """A block of the README is a module: mypy accepts it, and importing it works."""
    module = tmp_path / "block.py"
    module.write_text(block, encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", str(module)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    ran = subprocess.run([sys.executable, str(module)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
