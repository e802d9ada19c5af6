"""A tool that changes the working directory costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore
from tests.agent.kit import RUN, turn


def test_a_relative_root_is_fixed_when_the_store_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T2 is committed although the tool moved the process elsewhere."""
    (tmp_path / "ledgers").mkdir()
    monkeypatch.chdir(tmp_path)
    with turn(Path("ledgers")) as recorder, recorder.tool("call_1", "charge", {}):
        monkeypatch.chdir("/")
    monkeypatch.chdir(tmp_path)
    assert RuntimeEventStore("ledgers").read(RUN).high_water == 4
