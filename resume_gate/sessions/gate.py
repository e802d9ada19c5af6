"""The gate over foreign sessions: what the operator's settings allow, judged under a run's name."""

from __future__ import annotations

from pathlib import Path

from resume_gate.contract import SessionRef
from resume_gate.errors import CorruptLedger
from resume_gate.sessions.catalog import reader_named
from resume_gate.sessions.judging import read_one, session_plan
from resume_gate.sessions.locating import locate
from resume_gate.verdict.plan import ResumePlan, blocked_plan, sealed
from resume_gate.wire import RunRef


class SessionGate:
    """Judges sessions below one root; ``declared`` are the formats whose host is known to write ahead."""

    def __init__(self, root: Path, declared: frozenset[str]) -> None:
        self._root = root
        self._declared = frozenset(reader_named(name).FORMAT for name in declared)

    def judge(self, run: RunRef, named: SessionRef) -> ResumePlan:
        """Return the session's plan, as the plan of ``run``.

        Raises ``ContractMisuse`` for an unknown format or session, or a locator that is more than a name, and
        ``OSError`` where the file cannot be read; where it is missing, the plan is blocked.
        """
        if not self._root.is_dir():
            raise FileNotFoundError(f"the sessions root {self._root} does not exist or is not mounted")
        try:
            path = locate(self._root, named.locator)
        except FileNotFoundError:
            return blocked_plan(run, "runtime_ledger_empty", f"there is no session file {named.locator}")
        try:
            found = read_one(path, named=named.format, session=named.session, declared=named.format in self._declared)
        except CorruptLedger as error:
            return blocked_plan(run, "runtime_ledger_unreadable", str(error))
        return sealed(session_plan(found).model_copy(update={"run": run}))
