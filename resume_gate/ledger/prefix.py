"""The committed prefix: a ledger file's bytes, read strictly or not at all (contract section 3)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field

from resume_gate.errors import CorruptLedger, InvalidEvent
from resume_gate.events.canonical import digest
from resume_gate.events.codec import decode_event, decode_quickly
from resume_gate.events.event import RuntimeEvent
from resume_gate.wire import Request, RunRef


class ReplayReference(Request):
    """Which prefix a plan was made of: what travels instead of the events themselves."""

    high_water: Annotated[int, Field(ge=0)]
    prefix_digest: str


class CommittedPrefix(NamedTuple):
    """Every event of one run that is completely in its file, and the digest of the file's bytes."""

    run: RunRef
    events: tuple[RuntimeEvent, ...]
    digest: str

    @property
    def high_water(self) -> int:
        """How many events there are."""
        return len(self.events)

    @property
    def reference(self) -> ReplayReference:
        """The name of exactly this prefix."""
        return ReplayReference(high_water=self.high_water, prefix_digest=self.digest)


def read_prefix(run: RunRef, data: bytes) -> CommittedPrefix:
    """Read a whole ledger file, or raise ``CorruptLedger`` with row, byte and reason; never half a prefix."""
    rows = data.split(b"\n")
    tail = rows.pop()
    events = decode_quickly(rows, session_id=run.session_id, run_id=run.run_id) or _decode_each(run, rows)
    if tail:
        raise _torn(tail, rows)
    return CommittedPrefix(run, tuple(events), digest(data))


def _decode_each(run: RunRef, rows: list[bytes]) -> list[RuntimeEvent]:
    events: list[RuntimeEvent] = []
    for place, row in enumerate(rows):
        try:
            event = decode_event(row)
        except InvalidEvent as error:
            raise _damage(str(error) if row else "an empty row", rows, place) from error
        if event.run_id != run.run_id or event.session_id != run.session_id:
            raise _damage(f"the event belongs to another run than {run}", rows, place)
        events.append(event)
    return events


def _start(rows: list[bytes], index: int) -> int:
    return sum(len(row) + 1 for row in rows[:index])


def _damage(why: str, rows: list[bytes], index: int) -> CorruptLedger:
    return CorruptLedger(why, row=index + 1, byte=_start(rows, index))


def _torn(tail: bytes, rows: list[bytes]) -> CorruptLedger:
    start = _start(rows, len(rows))
    what = f"{len(tail)} NUL bytes follow the last row" if not tail.strip(b"\0") else "a torn row, without its newline"
    after = "" if rows else "; no event is left then: abandon the run and start it again"
    why = f"{what}; whoever accepts losing it may cut the file back to {start} bytes (resume-gate cut-back){after}"
    return CorruptLedger(why, row=len(rows) + 1, byte=start)


def first_run(data: bytes) -> RunRef:
    """Return the run that the first row of a bare file names; ``CorruptLedger`` where it names none."""
    row = data.partition(b"\n")[0]
    try:
        event = decode_event(row)
    except InvalidEvent as error:
        raise CorruptLedger(str(error) if row else "an empty row", row=1, byte=0) from error
    return RunRef(event.session_id, event.run_id)
