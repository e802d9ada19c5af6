"""A control worker that dies is noticed in seconds, not when its activity's whole time is over."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from temporalio.common import RawValue
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.alive import alive
from activities.ledger import LedgerActivities
from resume_gate import RuntimeEventStore
from resume_gate.contract import RECORD_DECISION, RESUME_GATE
from resume_gate.temporal.passing import CONTROL_HEARTBEAT
from tests.operators.kit import RUN, interrupted, released
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, new_run, parked, start_gate


def test_a_slow_activity_tells_that_it_lives() -> None:
    """An activity whose disk takes its time heartbeats meanwhile."""
    beats, enough = [], Event()

    def slow() -> bool:
        with alive(every=timedelta(milliseconds=1)):
            return enough.wait(60)

    def hear(*details: object) -> None:
        beats.append(details)
        if len(beats) == 3:
            enough.set()

    environment = ActivityEnvironment()
    environment.on_heartbeat = hear
    assert environment.run(slow)


async def test_the_gates_activities_have_a_heartbeat_timeout(site: Site) -> None:
    """The gate and the append of a decision are given up when their worker is silent."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await decide(gate, decision("release", await parked(gate)))
    await gate.result()
    scheduled = [
        event.activity_task_scheduled_event_attributes
        for event in (await gate.fetch_history()).events
        if event.HasField("activity_task_scheduled_event_attributes")
    ]
    assert [one.activity_type.name for one in scheduled] == [RESUME_GATE, RECORD_DECISION, RESUME_GATE]
    assert {one.heartbeat_timeout.ToTimedelta() for one in scheduled} == {CONTROL_HEARTBEAT}


@pytest.mark.parametrize(("attempt", "final"), [(1, True), (2, False)])
def test_a_retry_waits_for_the_try_before_it(tmp_path: Path, attempt: int, final: bool) -> None:
    """A worker that froze with the lock may yet record the decision, so its successor calls nothing refused."""
    record = released(interrupted(tmp_path))
    activities = LedgerActivities(RuntimeEventStore(tmp_path, patience=0.05))
    given = RawValue(pydantic_data_converter.payload_converter.to_payload(record))
    environment = ActivityEnvironment()
    environment.info = dataclasses.replace(environment.info, attempt=attempt)
    with RuntimeEventStore(tmp_path).open(RUN), pytest.raises(ApplicationError, match="another process") as caught:
        environment.run(activities.record_decision, given)
    assert (caught.value.type, caught.value.non_retryable) == ("BusyLedger", final)
