"""The two appends that are not an agent's: a run's first event, and a person's decision."""

from __future__ import annotations

from msgspec import UNSET

from resume_gate.contract import OpenRunRequest
from resume_gate.decisions import DecisionRecord, decision_events
from resume_gate.errors import StalePlan
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.events.event import Actions, RuntimeEvent, RuntimeProtocol, Text
from resume_gate.failpoints import FailpointCallback, pass_by
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.ledger.prefix import ReplayReference


def open_run(store: RuntimeEventStore, request: OpenRunRequest) -> int:
    """Append the run's first user event to an empty ledger; return the high-water.

    A ledger that has events is left as it is, so a repeated call, or one for a run that exists, changes nothing. The
    protocol marker goes in only where the request declares the tool boundary.
    """
    with store.open(request.run) as ledger:
        if ledger.high_water == 0:
            ledger.append(_first_event(request))
        return ledger.high_water


def _first_event(request: OpenRunRequest) -> RuntimeEvent:
    boundary = request.tool_boundary
    actions = UNSET if boundary is None else Actions(runtime_protocol=RuntimeProtocol(tool_boundary=boundary))
    return RuntimeEvent(
        id=request.event_id,
        invocation_id=request.invocation_id,
        run_id=request.run.run_id,
        session_id=request.run.session_id,
        turn_id=request.turn_id,
        ts=request.ts,
        partial=False,
        role="user",
        author="user",
        content=Text(text=request.text),
        actions=actions,
    )


def record_decision(store: RuntimeEventStore, record: DecisionRecord, *, failpoint: FailpointCallback = pass_by) -> int:
    """Append a person's decision to the prefix it was taken on; return the high-water that it leads to.

    Where a leading part of its own rows is there already, byte for byte, the rest is appended: a retry completes what a
    death interrupted, and what others added after all of them changes nothing. Anything else is ``StalePlan``. Raises
    ``ContractMisuse`` for a call that is not open, and what ``RuntimeEventStore.open`` raises.
    """
    with store.open(record.run) as ledger:
        seen = ledger.events[: record.high_water]
        if ledger.reference_at(record.high_water) != _planned(record):
            raise StalePlan(f"run {record.run}: the ledger is not the one this decision was taken on; look again")
        rows = [decode_event(encode_event(row)) for row in decision_events(record, seen)]  # as their readers have them
        done = ledger.events[record.high_water :][: len(rows) or None]  # without rows, any event is another's
        if [encode_event(event) for event in done] != [encode_event(event) for event in rows[: len(done)]]:
            raise StalePlan(f"run {record.run}: other events were added after this decision's plan; look again")
        failpoint("P10")
        ledger.append_all(rows[len(done) :])
        return record.high_water + len(rows)


def _planned(record: DecisionRecord) -> ReplayReference:
    return ReplayReference(high_water=record.high_water, prefix_digest=record.prefix_digest)
