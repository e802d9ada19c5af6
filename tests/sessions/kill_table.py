"""``python -m tests.sessions.kill_table FOLDER docs/sessions.md``: judges every real session of a folder, as a table.

The folder has a ``manifest.json`` with one record a session: ``key`` (its own folder), ``format``, ``effects_in_world``
and ``hazard`` (an effect whose true result is not in the session, so that ``safe_replay`` would be wrong).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from resume_gate.sessions.judging import judge_file, session_files

_DECLARING = ("langgraph-sync", "langgraph-aio-sync", "pydantic-ai-pernode")


class Row(NamedTuple):
    """One session: what happened in the world, and what the gate says, alone and with the host's true word."""

    format: str
    case: str
    effects: int
    hazard: bool
    verdict: str
    declared: str
    why: str


def verdict(place: Path, *, declared: bool) -> tuple[str, str]:
    """Return the worst verdict over a folder's sessions, and the reasons for it; no session at all proves nothing."""
    found = [one for file in session_files(place) for one in judge_file(file, declared=declared)]
    if not found:
        return "blocked", "no session file"
    reasons = sorted({reason for one in found for reason in one.plan.rejection_reasons})
    return "safe_replay" if all(one.plan.safe for one in found) else "blocked", ", ".join(reasons)


def judged(folder: Path, record: dict[str, Any]) -> Row:
    """Judge one session, with the host's word where its host really writes ahead."""
    case = record["key"]
    alone, why = verdict(folder / case, declared=False)
    with_word = verdict(folder / case, declared=True)[0] if case.startswith(_DECLARING) else alone
    return Row(record["format"], case, len(record["effects_in_world"]), record["hazard"], alone, with_word, why)


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _line(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def page(rows: list[Row]) -> str:
    """Return the table as a page, the counts first."""
    unsafe = sum(row.hazard and "safe_replay" in (row.verdict, row.declared) for row in rows)
    counts = Counter((row.format, row.hazard, row.verdict) for row in rows)
    lines = [
        "# Real sessions, judged",
        "",
        f"{len(rows)} sessions that real agents left, most of them killed at a known moment; made by",
        "`python -m tests.sessions.kill_table FOLDER docs/sessions.md`. `hazard`: an effect is in the world, or still",
        f"to come, whose true result is not in the session. Hazards called safe: **{unsafe}**.",
        "",
        "| Format | Hazard | Verdict | Sessions |",
        "|---|---|---|---|",
    ]
    lines += [_line(name, _yes(hazard), said, count) for (name, hazard, said), count in sorted(counts.items())]
    lines += ["", "| Format | Case | Effects | Hazard | Verdict | With the host's word | Why |"]
    lines += ["|---|---|---|---|---|---|---|"]
    lines += [_line(*row[:3], _yes(row.hazard), *row[4:]) for row in sorted(rows)]
    return "\n".join(lines) + "\n"


def main(folder: Path, target: Path) -> int:
    """Write the page; 1 where a hazard was called safe."""
    records = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    rows = [judged(folder, record) for record in records]
    target.write_text(page(rows), encoding="utf-8")
    return int(any(row.hazard and "safe_replay" in (row.verdict, row.declared) for row in rows))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
