"""Tables on a narrow screen: what a person would copy or look up is never broken."""

import io

import pytest
from rich.console import Console

from resume_gate.cli import console


def _drawn(monkeypatch: pytest.MonkeyPatch, *, screen: bool) -> list[str]:
    text = io.StringIO()
    drawing = Console(file=text, width=60, force_terminal=screen, no_color=True, highlight=False, soft_wrap=True)
    monkeypatch.setattr(console, "out", drawing)
    codes = "dangling_tool_state, evidence_not_write_ahead, 1 open"
    console.table(("File", "Why", "Call event"), [("f" * 90, codes, "e" * 20)])
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_codes_and_event_ids_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of codes is broken between them, the file's name anywhere, and no line is wider than the screen."""
    lines = _drawn(monkeypatch, screen=True)
    words = " ".join(lines).split()
    assert {"dangling_tool_state,", "evidence_not_write_ahead,", "e" * 20} <= set(words)
    plain = [line for line in lines if "\x1b" not in line]
    assert max(map(len, plain)) <= 60


def test_a_pipe_gets_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no screen has no width."""
    _, row = _drawn(monkeypatch, screen=False)
    assert row.split() == ["f" * 90, "dangling_tool_state,", "evidence_not_write_ahead,", "1", "open", "e" * 20]
