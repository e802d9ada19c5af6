"""The README, in its blocks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def commands(name: str) -> list[str]:
    """Return the shell lines that call one program."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if re.match(rf"(?:\S+=\S+ )*(?:\S*/)?{re.escape(name)}(?:\s|$)", line)]
