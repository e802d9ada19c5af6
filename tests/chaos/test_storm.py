"""A small storm, as ``python -m tests.chaos.storm`` runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.report import Report

REPOSITORY = Path(__file__).parents[2]
COMMAND = ("--orders", "12", "--kills", "15", "--seed", "3", "--pause", "0.7")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the storm stops, kills and forks as POSIX does")


@pytest.mark.timeout(300)
def test_nothing_is_done_twice_lost_or_stuck(tmp_path: Path) -> None:
    """Behind the gate all counts of harm are 0; what plain retries do is a matter of chance in so small a storm."""
    counts = tmp_path / "counts.json"
    command = [sys.executable, "-m", "tests.chaos.storm", *COMMAND, "--json", str(counts)]
    ended = subprocess.run(command, cwd=REPOSITORY, timeout=280, check=False, capture_output=True, text=True)
    assert counts.exists(), ended.stderr
    report = Report.model_validate_json(counts.read_text())
    gate = report.gate
    assert gate.problems == []
    assert gate.clean
    assert gate.effects == gate.effects_expected
    assert gate.killed >= 15
    assert ended.returncode == 0
    assert report.baseline is not None
