"""The crash story is the claim of this project, told by the real thing."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.readme import ROOT


def test_one_charge_with_the_gate_and_two_without() -> None:
    """Killed inside its charge, the agent charges once behind the gate and twice under plain retries."""
    told = subprocess.run(
        [sys.executable, "-m", "examples.crash_story"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "order 7 charged 1 time," in told.stdout
    assert "order 8 charged 2 times" in told.stdout
    assert "resume-gate release shop order-7 --plan sha256:" in told.stdout
