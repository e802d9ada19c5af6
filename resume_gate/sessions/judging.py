"""Judges foreign sessions as the gate judges ledgers; the plan decides, this only reads and asks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from resume_gate.errors import ContractMisuse, CorruptLedger
from resume_gate.events.codec import encode_event
from resume_gate.ledger.files.paths import LEDGER_NAME, is_kept
from resume_gate.sessions.catalog import Reader, fitting, reader_named, unfitting
from resume_gate.sessions.formats.runtime_events import FORMAT as LEDGER
from resume_gate.sessions.reading import SessionReading
from resume_gate.sessions.source import Source, open_source
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import ResumePlan, blocked_plan, build_resume_plan, with_evidence
from resume_gate.wire import RunRef


class Verdict(NamedTuple):
    """One session's plan; ``session`` is empty where the file could not be read that far."""

    file: str
    format: str
    session: str
    plan: ResumePlan


def session_plan(reading: SessionReading) -> ResumePlan:
    """Return the plan of one session; its prefix digest is that of its events, since a database holds others too.

    A session without an event proves nothing, but where its host declares that it saves each call before the tool runs.
    """
    run = RunRef(reading.format, reading.session_id)
    plan = build_resume_plan(reading.events, run=run, prefix_digest=_digest(reading))
    if not reading.events and reading.hides is None and reading.evidence != "declared":
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

    A database that agents of several formats share is judged as each of them, unless one is ``named``.
    ``ContractMisuse`` where the format or the session named is not there, ``OSError`` where the file cannot be read.
    """
    named = named or (LEDGER if path.name == LEDGER_NAME else None)
    try:
        with open_source(path) as source:
            readers = [reader_named(named)] if named else fitting(source)
            if not readers:
                return [Verdict(path.name, "unknown", "", _unknown(source))]
            chosen = _chosen(source, readers, session)
            return [_judge_one(source, reader, found, declared=declared) for reader, found in chosen]
    except CorruptLedger as error:
        return [Verdict(path.name, named or "unknown", "", blocked_plan(None, "runtime_ledger_unreadable", str(error)))]


def read_one(
    path: Path, *, named: str | None = None, session: str | None = None, declared: bool = False
) -> SessionReading:
    """Read the one session of a file, or the one named.

    ``ContractMisuse`` where the format or session named is not there, or there are several; ``CorruptLedger`` where the
    file is damaged or of no known format; ``OSError`` where it cannot be read.
    """
    with open_source(path) as source:
        readers = [reader_named(named)] if named else fitting(source)
        if not readers:
            raise CorruptLedger(_compared(source), row=1, byte=0)
        chosen = _chosen(source, readers, session)
        if not chosen:
            raise ContractMisuse(f"{path.name} holds no session of the format {readers[0].FORMAT}")
        if len(chosen) != 1:
            there = ", ".join(found for _, found in chosen[:20])
            raise ContractMisuse(f"{path.name} holds {len(chosen)} sessions; name one of: {there}")
        reader, found = chosen[0]
        return reader.read(source, found, declared=declared)


def _chosen(source: Source, readers: list[Reader], session: str | None) -> list[tuple[Reader, str]]:
    there = [(reader, found) for reader in readers for found in reader.sessions(source)]
    if session is None:
        return there
    chosen = [(reader, found) for reader, found in there if found == session]
    if not chosen:
        names = ", ".join(found for _, found in there[:20])
        raise ContractMisuse(f"{source.name} has no session {session!r}; it has {names or 'none'}")
    return chosen


def _judge_one(source: Source, reader: Reader, session: str, *, declared: bool) -> Verdict:
    try:
        plan = session_plan(reader.read(source, session, declared=declared))
    except CorruptLedger as error:
        plan = blocked_plan(RunRef(reader.FORMAT, session), "runtime_ledger_unreadable", str(error))
    return Verdict(source.name, reader.FORMAT, session, plan)


def _unknown(source: Source) -> ResumePlan:
    return blocked_plan(None, "runtime_ledger_unreadable", f"row 1, byte 0: {_compared(source)}")


def _compared(source: Source) -> str:
    compared = "; ".join(f"{item.format}: {item.why}" for item in unfitting(source))
    return f"of no known format. Compared with {compared}"


def session_files(directory: Path) -> Iterator[Path]:
    """Yield the files below a directory whose content is of a known format, or a damaged database; no links.

    A directory that cannot be read is one of them, and so is one in a ledger's place: what lies there nobody can tell.
    """
    for path in sorted(_below(directory)):
        beside = path.name.endswith((".lock", "-wal", "-shm", "-journal")) or is_kept(path)
        if beside or path.is_symlink() or not (path.is_file() or path.is_dir()):
            continue
        if path.is_dir() or _may_be_session(path):
            yield path


def _below(directory: Path) -> Iterator[Path]:
    unread: list[OSError] = []
    for folder, folders, files in os.walk(directory, onerror=unread.append):
        yield from (Path(folder, name) for name in files)
        yield from (Path(folder, name) for name in folders if name == LEDGER_NAME)
    yield from (Path(error.filename) for error in unread)


def _may_be_session(path: Path) -> bool:
    if path.name == LEDGER_NAME:
        return True  # an empty or a torn one too
    try:
        with open_source(path) as source:
            return bool(fitting(source))
    except (CorruptLedger, OSError):
        return True  # whether it held sessions nobody can tell
