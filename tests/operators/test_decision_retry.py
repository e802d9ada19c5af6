"""A decision's append may be repeated, and is then completed, never doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate import Recorder, StalePlan, decode_event, encode_event
from resume_gate.decisions import decision_events
from resume_gate.events.canonical import digest
from resume_gate.operators.record import record_decision
from tests.operators.kit import RUN, interrupted, released


@pytest.mark.parametrize("call_id", ["call_1", "half \ud83d"])
def test_a_second_time_changes_nothing(tmp_path: Path, call_id: str) -> None:
    """Recording the same decision again is a success that leaves the ledger as it is, whatever its ids hold."""
    store = interrupted(tmp_path, call_id)
    record = released(store)
    first = record_decision(store, record)
    digest = store.read(RUN).digest
    assert record_decision(store, record) == first
    assert store.read(RUN).digest == digest


def test_half_an_append_is_completed(tmp_path: Path) -> None:
    """Where a death left the first of a decision's rows, a retry adds the rest."""
    store = interrupted(tmp_path)
    record = released(store)
    rows = decision_events(record, store.read(RUN).events)
    with store.open(RUN) as ledger:
        ledger.append(rows[0])
    assert record_decision(store, record) == record.high_water + len(rows)
    there = [encode_event(event) for event in store.read(RUN).events[record.high_water :]]
    assert there == [encode_event(decode_event(encode_event(row))) for row in rows]


def test_a_retry_after_somebody_went_on_is_the_same_success(tmp_path: Path) -> None:
    """A decision that was recorded stays recorded, whatever was added after it before its sender heard of it."""
    store = interrupted(tmp_path)
    record = released(store)
    first = record_decision(store, record)
    with store.open(RUN) as ledger:
        Recorder(ledger, invocation_id="invocation_2", turn_id="turn_2").user("go on")
    digest = store.read(RUN).digest
    assert record_decision(store, record) == first
    assert store.read(RUN).digest == digest


def test_another_event_in_between_is_stale(tmp_path: Path) -> None:
    """A decision on a prefix that somebody else added to is refused, and nothing is written."""
    store = interrupted(tmp_path)
    record = released(store)
    with store.open(RUN) as ledger:
        row = decision_events(record, ledger.events)[0]
        ledger.append(decode_event(encode_event(row).replace(b"decision:d-1:1", b"somebody-else")))
    digest = store.read(RUN).digest
    with pytest.raises(StalePlan, match="other events were added"):
        record_decision(store, record)
    assert store.read(RUN).digest == digest


def test_a_lost_prefix_is_stale(tmp_path: Path) -> None:
    """A decision on a prefix that is no longer there is refused."""
    store = interrupted(tmp_path)
    record = released(store).model_copy(update={"high_water": 99})
    with pytest.raises(StalePlan, match="not the one this decision was taken on"):
        record_decision(store, record)


@pytest.mark.parametrize("update", [{"kind": "recheck"}, {"kind": "abandon"}])
def test_a_decision_without_rows_is_stale_on_a_longer_ledger(tmp_path: Path, update: dict[str, str]) -> None:
    """Where a decision adds nothing, whatever was added is somebody else's."""
    store = interrupted(tmp_path)
    record = released(store)
    record = record.model_copy(update={"decision": record.decision.model_copy(update=update)})
    assert record_decision(store, record) == record.high_water
    record_decision(store, released(store))
    with pytest.raises(StalePlan, match="other events were added"):
        record_decision(store, record)


def test_a_release_of_nothing_is_stale_where_there_is_something(tmp_path: Path) -> None:
    """A release taken on the empty prefix settles no call of the ledger, and says so."""
    store = interrupted(tmp_path)
    record = released(store).model_copy(update={"high_water": 0, "prefix_digest": digest(b"")})
    with pytest.raises(StalePlan, match="other events were added"):
        record_decision(store, record)
