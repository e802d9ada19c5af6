"""Opening a run writes its first event, once, and only where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore, build_resume_plan, recover
from resume_gate.contract import OpenRunRequest
from resume_gate.operators.record import open_run
from tests.operators.kit import RUN, interrupted

REQUEST = OpenRunRequest(
    run=RUN, invocation_id="invocation_0", turn_id="turn_0", event_id="open_1", ts=1, text="charge order 7"
)


def test_the_first_event_is_the_users(tmp_path: Path) -> None:
    """An empty ledger gets one visible user event, and the plan over it is safe."""
    store = RuntimeEventStore(tmp_path)
    assert open_run(store, REQUEST) == 1
    (event,) = store.read(RUN).events
    assert (event.id, event.role, event.visible) == ("open_1", "user", True)
    assert build_resume_plan([event]).safe


def test_again_is_a_success(tmp_path: Path) -> None:
    """The same request twice leaves one event."""
    store = RuntimeEventStore(tmp_path)
    assert [open_run(store, REQUEST), open_run(store, REQUEST)] == [1, 1]


@pytest.mark.parametrize("declared", [True, False])
def test_the_marker_is_there_only_where_it_is_declared(tmp_path: Path, declared: bool) -> None:
    """Without a declared tool boundary, a call without T1 must stay an unknown one."""
    boundary = "t1_after_preflight_v1" if declared else None
    store = RuntimeEventStore(tmp_path)
    open_run(store, REQUEST.model_copy(update={"tool_boundary": boundary}))
    assert recover(store.read(RUN).events).protocol is declared


def test_a_ledger_with_other_events_is_left_as_it_is(tmp_path: Path) -> None:
    """A run that exists is not opened again: nothing is written, and its high-water is told."""
    store = interrupted(tmp_path)
    before = store.read(RUN)
    assert open_run(store, REQUEST) == before.high_water
    assert store.read(RUN).digest == before.digest


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    """A volume that is not mounted is never taken for a new ledger."""
    with pytest.raises(FileNotFoundError, match="not mounted"):
        open_run(RuntimeEventStore(tmp_path / "missing"), REQUEST)
    assert not (tmp_path / "missing").exists()
