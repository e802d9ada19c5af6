"""What is installed is the core alone."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.docs.readme import ROOT


def test_the_wheel_holds_the_core_alone(tmp_path: Path) -> None:
    """The wheel has ``resume_gate`` with ``py.typed``, and no top-level ``workflows``, ``activities`` or ``worker``."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("resume_gate-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "resume_gate/py.typed" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"resume_gate"}
