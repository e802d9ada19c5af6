"""``python -m tests.mutation.run``: take each guard away in a copy of the project, and see which tests miss it.

Prints a table and, with ``--markdown FILE``, writes it. Ends with 1 where no test missed a guard.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.mutation.guards import GUARDS, Guard

ROOT = Path(__file__).resolve().parents[2]
_IGNORED = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", ".hypothesis")


class Missed(NamedTuple):
    """One guard, and the first tests that failed without it."""

    guard: Guard
    tests: tuple[str, ...]


def take_away(guard: Guard, copy: Path) -> None:
    """Remove the guard from the copy; ``ValueError`` where its text is not there, once."""
    path = copy / guard.file
    text = path.read_text(encoding="utf-8")
    if text.count(guard.text) != 1:
        raise ValueError(f"{guard.name}: its text stands {text.count(guard.text)} times in {guard.file}")
    path.write_text(text.replace(guard.text, guard.without), encoding="utf-8")


def without(guard: Guard) -> Missed:
    """Run the guard's tests in a copy of the project that lacks it."""
    with TemporaryDirectory(prefix="mutation-") as place:
        copy = Path(place) / "project"
        shutil.copytree(ROOT, copy, ignore=_IGNORED)
        take_away(guard, copy)
        command = [sys.executable, "-m", "pytest", "-q", "--maxfail=3", "-p", "no:cacheprovider", *guard.tests]
        environment = {"PYTHONPATH": str(copy), "PATH": "", "HOME": place}
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return Missed(guard, tuple(dict.fromkeys(name.split("[")[0] for name in failed)))


def show(rows: list[Missed]) -> None:
    """Print the table."""
    table = Table("Guard", "Where", "Caught by", box=None)
    for row in rows:
        table.add_row(row.guard.name, row.guard.file, "\n".join(row.tests) or "NOTHING")
    Console(soft_wrap=True).print(table)


def markdown(rows: list[Missed]) -> str:
    """Return the table as a page."""
    lines = ["# Guards", "", "Each guard was removed in turn (`python -m tests.mutation.run`); these tests failed.", ""]
    lines += ["| Guard | Where | Caught by |", "|---|---|---|"]
    lines += [f"| {row.guard.name} | `{row.guard.file}` | {'<br>'.join(row.tests) or 'nothing'} |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Remove every guard in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    arguments = parser.parse_args()
    rows = [without(guard) for guard in track(GUARDS, "removing guards", transient=True)]
    show(rows)
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(rows), encoding="utf-8")
    return 0 if all(row.tests for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
