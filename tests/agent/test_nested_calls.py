"""A tool may call tools that the model never sees (design, Recorder)."""

from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore, build_resume_plan, replay_events
from resume_gate.events.event import Refs, RuntimeEvent
from tests.agent.kit import RUN, decision, facts, turn


def test_a_nested_call_names_its_parent(tmp_path: Path) -> None:
    """T1 of the inner call refers to the outer call and its operation; no other fact does."""
    with turn(tmp_path) as recorder:
        with (
            recorder.tool("outer", "run_code", {}) as outer,
            recorder.tool("inner", "charge", {}, parent=outer) as inner,
        ):
            inner.result = 1
        operation = decision(recorder.ledger, "inner").operation
    assert outer.operation_id != inner.operation_id
    own = Refs(operation_id=inner.operation_id, tool_call_id="inner")
    assert operation.dispatch is not None
    assert operation.response is not None
    assert operation.response.refs == own
    assert operation.dispatch.refs == Refs(
        operation_id=inner.operation_id,
        tool_call_id="inner",
        parent_tool_call_id="outer",
        parent_operation_id=outer.operation_id,
    )


def hidden_of(events: tuple[RuntimeEvent, ...]) -> list[bool]:
    """Tell of each event whether it is hidden."""
    return [event.hidden for event in events]


def test_a_hidden_call_is_hidden_in_all_its_facts(tmp_path: Path) -> None:
    """Call, T1 and T2 are hidden from the model, and the plan of a settled run does not show them."""
    with turn(tmp_path) as recorder:
        with (
            recorder.tool("outer", "run_code", {}) as outer,
            recorder.tool("inner", "charge", {}, parent=outer, hidden=True) as inner,
        ):
            inner.result = 1
        recorder.end()
        assert facts(recorder.ledger)[1:7] == [
            "call outer",
            "T1 outer",
            "call inner",
            "T1 inner",
            "T2 inner",
            "T2 outer",
        ]
        assert hidden_of(recorder.ledger.events) == [False, False, False, True, True, True, False, False]
    events = RuntimeEventStore(tmp_path).read(RUN).events
    plan = build_resume_plan(events)
    assert plan.safe
    assert [operation.tool_call_id for operation in plan.operations] == ["outer"]
    assert not any(hidden_of(tuple(replay_events(events))))


def test_a_hidden_call_that_never_ended_blocks(tmp_path: Path) -> None:
    """An effect that the model did not see is as unknown as one that it saw."""
    with turn(tmp_path) as recorder:
        with recorder.tool("outer", "run_code", {}) as outer:
            inner = recorder.tool("inner", "charge", {}, parent=outer, hidden=True)
            with pytest.raises(KeyboardInterrupt), inner:
                raise KeyboardInterrupt
        plan = build_resume_plan(recorder.ledger.events)
    assert not plan.safe
    assert [operation.tool_call_id for operation in plan.open_operations] == ["inner"]
