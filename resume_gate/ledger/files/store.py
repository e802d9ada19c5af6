"""Runs' ledgers as files: read whole under the writer lock, appended to row by row (contract section 3).

What ``append`` promises: when it returns, the rows are in the file and, by default, synced to the disk; when it raises,
they are not, and no part of them is, unless the error says so. That holds over the death of the process. Power loss is
as good as the disk's own sync.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from resume_gate.errors import ContractMisuse, CorruptLedger, InvalidEvent, StalePlan
from resume_gate.events.canonical import digest
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.ledger.files.file import LedgerFile, read_whole, sync_directories
from resume_gate.ledger.files.lock import LOCK_PATIENCE, WriterLock, judge_lock
from resume_gate.ledger.files.paths import LEDGER_NAME, ledger_path, lock_path
from resume_gate.ledger.prefix import CommittedPrefix, ReplayReference, first_run, read_prefix
from resume_gate.verdict.scan import Scan
from resume_gate.wire import RunRef

NO_RUN = RunRef("", "")
"""The run of a bare file without events."""
Durability = Literal["sync", "process"]


class RuntimeEventStore:
    """The ledgers below one root directory.

    ``durability="process"`` leaves out the sync: appended rows then survive the process, not the machine.
    ``patience`` is for how many seconds a held lock is tried again.
    """

    def __init__(self, root: Path | str, *, durability: Durability = "sync", patience: float = LOCK_PATIENCE) -> None:
        self.root = Path(root).absolute()  # a tool may change the working directory
        self._sync = durability == "sync"
        self._patience = patience

    def read(self, run: RunRef) -> CommittedPrefix:
        """Read a run's committed prefix under the writer lock; a missing ledger is an empty one.

        Raises ``CorruptLedger``, ``BusyLedger`` (a writer lives), ``ContractMisuse`` (an id that is no name), and
        ``OSError`` where the disk does not answer or the root is missing.
        """
        path = ledger_path(self.root, run)
        try:
            with judge_lock(lock_path(path), patience=self._patience):
                return read_prefix(run, read_whole(path))
        except FileNotFoundError:
            return read_prefix(run, b"")

    def open(self, run: RunRef, *, expect: ReplayReference | None = None) -> LedgerWriter:
        """Take the writer lock and open the run's ledger for appending, creating it where it is missing.

        ``expect`` names the prefix that was planned for: ``StalePlan`` where the ledger is another one. Otherwise
        raises as ``read``, and ``CorruptLedger`` too where the ledger has an issue by contract section 4.
        """
        path = ledger_path(self.root, run)
        if expect is not None and not path.exists():
            raise StalePlan(f"run {run}: the ledger that was planned for is gone; go through the gate again")
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = WriterLock(lock_path(path), patience=self._patience)
        try:
            file = LedgerFile(path, sync=self._sync)
        except BaseException:
            lock.close()
            raise
        try:
            if self._sync:
                sync_directories(part for part in path.parents if part.is_relative_to(self.root))
            return LedgerWriter(run, file, lock, expect)
        except BaseException:
            file.close()
            lock.close()
            raise


def read_file(path: Path) -> CommittedPrefix:
    """Read a bare ledger file, of the run that its first event names; raises as ``RuntimeEventStore.read``."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a directory, not a ledger file", str(path))
    if not path.parent.is_dir() or not path.exists():
        return read_prefix(NO_RUN, b"")
    with judge_lock(lock_path(path), create=path.name == LEDGER_NAME):  # of another name it is nobody's to write
        data = read_whole(path)
    return read_prefix(first_run(data) if data else NO_RUN, data)


class LedgerWriter:
    """The one writer of one run's ledger, from ``RuntimeEventStore.open`` until ``close`` or the process's death."""

    def __init__(self, run: RunRef, file: LedgerFile, lock: WriterLock, expect: ReplayReference | None) -> None:
        self.run = run
        self._file = file
        self._lock = lock
        self._one_at_a_time = threading.RLock()
        self._appending = False
        prefix = read_prefix(run, file.read())
        if expect is not None and prefix.reference != expect:
            raise StalePlan(
                f"run {run}: {expect.high_water} events were planned for and {prefix.high_water} are there, or their "
                "bytes differ; go through the gate again"
            )
        self._events = list(prefix.events)
        self._by_id = {event.id: event for event in self._events}
        self._scan = Scan(self._events)
        if self._scan.issues:
            issue = self._scan.issues[0]
            raise CorruptLedger(
                f"run {run}: {issue.code} at event {issue.event_id}; a ledger with an issue is not written to"
            )

    @property
    def events(self) -> tuple[RuntimeEvent, ...]:
        """The committed events, in order."""
        return tuple(self._events)

    @property
    def high_water(self) -> int:
        """How many events are committed."""
        return len(self._events)

    @property
    def reference(self) -> ReplayReference:
        """The name of the prefix as it is now."""
        return ReplayReference(high_water=len(self._events), prefix_digest=self._file.digest)

    def reference_at(self, high_water: int) -> ReplayReference:
        """Return the name of the first ``high_water`` events' prefix, or of the whole where there are fewer."""
        high_water = min(high_water, self.high_water)
        return ReplayReference(high_water=high_water, prefix_digest=digest(self._file.first_rows(high_water)))

    @property
    def lock_fd(self) -> int:
        """The lock's descriptor: a subprocess that gets it (``pass_fds``) keeps the run closed while it lives.

        Not together with ``preexec_fn``: Python's fork hooks then close it first, and the subprocess does not start.
        """
        return self._lock.fd

    def append(self, event: RuntimeEvent) -> None:
        """Commit one event; see ``append_all``."""
        self.append_all([event])

    def append_all(self, events: Iterable[RuntimeEvent]) -> None:
        """Commit several events in one write and one sync; all of them or none.

        An event that is there already, byte for byte, writes nothing. Raises ``InvalidEvent`` (refused: the ledger is
        as before), ``OSError`` (the write failed and was undone), ``CorruptLedger`` (a torn row could not be undone, or
        somebody else changed the file), ``ContractMisuse`` (this process does not hold the lock, or a signal handler
        appends in the middle of an append). Threads may share a writer.
        """
        self._lock.fd  # noqa: B018 - a forked child has lost it, and must not write
        candidates = [decode_event(encode_event(event)) for event in events]  # as every later reader has them
        with self._one_at_a_time:
            if self._appending:
                raise ContractMisuse(f"run {self.run}: an append is under way in this thread; nothing was written")
            self._appending = True
            try:
                self._commit(self._fresh(candidates))
            finally:
                self._appending = False

    def _fresh(self, candidates: list[RuntimeEvent]) -> dict[str, RuntimeEvent]:
        fresh: dict[str, RuntimeEvent] = {}
        for event in candidates:
            if (event.session_id, event.run_id) != (self.run.session_id, self.run.run_id):
                raise InvalidEvent(f"event {event.id} belongs to another run than {self.run}")
            known = self._by_id.get(event.id) or fresh.setdefault(event.id, event)
            if encode_event(known) != encode_event(event):
                raise InvalidEvent(f"run {self.run}: event id {event.id} is there already with other content")
        return fresh

    def _commit(self, fresh: dict[str, RuntimeEvent]) -> None:
        events = list(fresh.values())
        if not events:
            return
        try:
            self._accept(events)
            self._file.check()
            self._lock.check()
            self._file.append(b"".join(encode_event(event) + b"\n" for event in events))
        except BaseException:
            self._scan = Scan(self._events)
            raise
        # Operators only: a call is where an interrupt could part what is in the file from what is known of it.
        self._events += events
        self._by_id |= fresh

    def _accept(self, events: list[RuntimeEvent]) -> None:
        self._scan.add(events)
        if self._scan.issues:
            issue = self._scan.issues[0]
            raise InvalidEvent(f"run {self.run}: event {issue.event_id} would be {issue.code}; nothing was written")

    def close(self) -> None:
        """Close the file, then give up the lock; a second time does nothing."""
        self._file.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
