"""How ``check`` shows foreign sessions: one in full, many as a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.progress import track

from resume_gate.cli.console import out, show_plan, table
from resume_gate.errors import CorruptLedger
from resume_gate.sessions.catalog import fitting
from resume_gate.sessions.formats.runtime_events import FORMAT as LEDGER
from resume_gate.sessions.judging import Verdict, judge_file, session_files
from resume_gate.sessions.source import open_source
from resume_gate.verdict.plan import ResumePlan, blocked_plan


def is_foreign(path: Path) -> bool:
    """Tell whether a path is a directory, or a session that another agent left; a ledger of ours has its own way."""
    if path.is_dir():
        return True
    if not path.exists():
        return False
    try:
        with open_source(path) as source:
            formats = {reader.FORMAT for reader in fitting(source)}
            return bool(formats - {LEDGER}) or (not formats and bool(source.database or source.data.strip()))
    except CorruptLedger:
        return True


def verdicts(path: Path, *, named: str | None, session: str | None, declared: bool) -> list[Verdict]:
    """Judge what a path holds, with a progress bar where it is a directory of many files."""
    if not path.is_dir():
        return judge_file(path, named=named, session=session, declared=declared)
    files = list(track(session_files(path), "looking", transient=True, disable=not out.is_terminal))
    found: list[Verdict] = []
    for file in track(files, "judging", transient=True, disable=not out.is_terminal):
        judged = _judged(file, named, session, declared=declared)
        found += [one._replace(file=str(file.relative_to(path))) for one in judged]
    return found


def _judged(file: Path, named: str | None, session: str | None, *, declared: bool) -> list[Verdict]:
    try:
        return judge_file(file, named=named, session=session, declared=declared)
    except OSError as error:  # of many files, one that cannot be read is a row of the table
        plan = blocked_plan(None, "runtime_ledger_unavailable", str(error))
        return [Verdict(file.name, named or "unknown", "", plan)]


def show_verdicts(found: list[Verdict]) -> None:
    """Print one verdict in full, or many as a table."""
    if len(found) == 1:
        out.print(f"{found[0].format} session {found[0].session}", markup=False)
        show_plan(found[0].plan)
        return
    table(("File", "Format", "Session", "Verdict", "Why"), (_row(one) for one in found))
    safe = sum(one.plan.safe for one in found)
    out.print(f"{safe} of {len(found)} sessions are safe to go on")


def print_rows(found: list[Verdict], *, named: bool) -> None:
    """Print each plan in its wire form, a line each; of a directory, beside the file and session that it is of."""
    for one in found:
        place = {"file": one.file, "format": one.format, "session": one.session} if named else {}
        sys.stdout.write(json.dumps(place | one.plan.model_dump(mode="json"), separators=(",", ":")) + "\n")


def _row(one: Verdict) -> tuple[str, ...]:
    return one.file, one.format, one.session, one.plan.disposition, _why(one.plan)


def _why(plan: ResumePlan) -> str:
    still_open = len(plan.open_operations) + plan.omitted.open_operations
    return ", ".join([*plan.rejection_reasons, *([f"{still_open} open"] if still_open else [])])
