"""Judges foreign sessions as the gate judges ledgers; the plan decides, this only reads and asks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from resume_gate.bounds import bounded
from resume_gate.codec import encode_event
from resume_gate.errors import ContractMisuse, CorruptLedger
from resume_gate.plan import ResumePlan, blocked_plan, build_resume_plan, with_evidence
from resume_gate.sessions.catalog import Reader, reader_named, recognise, unfitting
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, open_source
from resume_gate.wire import RunRef


class Verdict(NamedTuple):
    """One session's plan; ``session`` is empty where the file could not be read that far."""

    file: str
    format: str
    session: str
    plan: ResumePlan


def session_plan(reading: SessionReading) -> ResumePlan:
    """Return the plan of one session; its prefix digest is that of its events, since a database holds others too."""
    run = RunRef(reading.format, reading.session_id)
    plan = build_resume_plan(reading.events, run=run, prefix_digest=_digest(reading))
    if not reading.events and reading.hides is None:
        return blocked_plan(run, "runtime_ledger_empty", "the session holds no message")
    return bounded(with_evidence(plan, reading.evidence, reading.hides))


def _digest(reading: SessionReading) -> str:
    rows = hashlib.sha256()
    for event in reading.events:
        rows.update(encode_event(event) + b"\n")
    return "sha256:" + rows.hexdigest()


def judge_file(
    path: Path, *, named: str | None = None, session: str | None = None, declared: bool = False
) -> list[Verdict]:
    """Judge the sessions of one file, or the one named; a damaged file or session is a blocked plan.

    ``ContractMisuse`` where the format or the session named is not there, ``OSError`` where the file cannot be read.
    """
    try:
        with open_source(path) as source:
            reader = reader_named(named) if named else recognise(source)
            if reader is None:
                return [Verdict(path.name, "unknown", "", _unknown(source))]
            return [_judge_one(source, reader, found, declared=declared) for found in _chosen(source, reader, session)]
    except CorruptLedger as error:
        return [Verdict(path.name, named or "unknown", "", blocked_plan(None, "runtime_ledger_unreadable", str(error)))]


def _chosen(source: Source, reader: Reader, session: str | None) -> list[str]:
    there = reader.sessions(source)
    if session is None:
        return there
    if session not in there:
        raise ContractMisuse(f"{source.name} has no session {session!r}; it has {', '.join(there[:20]) or 'none'}")
    return [session]


def _judge_one(source: Source, reader: Reader, session: str, *, declared: bool) -> Verdict:
    try:
        plan = session_plan(reader.read(source, session, declared=declared))
    except CorruptLedger as error:
        plan = blocked_plan(RunRef(reader.FORMAT, session), "runtime_ledger_unreadable", str(error))
    return Verdict(source.name, reader.FORMAT, session, plan)


def _unknown(source: Source) -> ResumePlan:
    compared = "; ".join(f"{item.format}: {item.why}" for item in unfitting(source))
    return blocked_plan(
        None, "runtime_ledger_unreadable", f"row 1, byte 0: of no known format. Compared with {compared}"
    )


def session_files(directory: Path) -> Iterator[Path]:
    """Yield the files below a directory whose content is of a known format, links left alone."""
    for path in sorted(directory.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.name.endswith((".lock", "-wal", "-shm")):
            continue
        with open_source(path) as source:
            if recognise(source) is not None:
                yield path
