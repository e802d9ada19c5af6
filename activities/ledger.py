"""The two activities that append: a run's first event, and a person's decision."""

from __future__ import annotations

import logging

from temporalio import activity
from temporalio.common import RawValue

from activities.alive import alive
from activities.conversion import as_failures
from resume_gate.contract import OPEN_RUN, RECORD_DECISION, OpenRunRequest
from resume_gate.decisions import DecisionRecord
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.operators.record import open_run, record_decision
from resume_gate.temporal.payloads import NOTHING, decode

_log = logging.getLogger(__name__)


class LedgerActivities:
    """``open_run`` and ``record_decision`` over one store; both may be repeated without harm.

    Neither is interrupted by a cancellation: an append is short, and its workflow no longer waits for it.
    """

    def __init__(self, store: RuntimeEventStore) -> None:
        self._store = store

    @activity.defn(name=OPEN_RUN, no_thread_cancel_exception=True)
    def open_run(self, given: RawValue = NOTHING) -> int:
        """Take an ``OpenRunRequest``, append the first user event to an empty ledger, return the high-water.

        A held ledger is waited for, by retries.
        """
        with as_failures(retry_busy=True), alive():
            request = decode(given, OpenRunRequest)
            high_water = open_run(self._store, request)
        _log.info("open %s: high-water %d", request.run, high_water)
        return high_water

    @activity.defn(name=RECORD_DECISION, no_thread_cancel_exception=True)
    def record_decision(self, given: RawValue = NOTHING) -> int:
        """Take a ``DecisionRecord``, append its rows to the prefix that the person saw, return the high-water.

        A held ledger is busy; a retry waits for it, by more retries.
        """
        # The holder may be a try before this one, frozen half-way: what it may yet record must not be called refused.
        with as_failures(retry_busy=activity.info().attempt > 1), alive():
            record = decode(given, DecisionRecord)
            high_water = record_decision(self._store, record)
        decision = record.decision
        _log.info("decision %s on %s: %s, high-water %d", decision.decision_id, record.run, decision.kind, high_water)
        return high_water
