"""A call id is used once in an invocation (contract section 4)."""

from pathlib import Path

import pytest

from resume_gate import InvalidEvent, Recorder
from tests.agent.kit import facts, turn


def charge(recorder: Recorder, effects: list[str], call_id: str) -> None:
    """Have the effect inside a tool block."""
    with recorder.tool(call_id, "charge", {}):
        effects.append(call_id)


@pytest.mark.parametrize("ending", [None, ValueError, KeyboardInterrupt])
def test_a_used_call_id_is_refused_before_the_tool_runs(tmp_path: Path, ending: type[BaseException] | None) -> None:
    """However the first call ended, a second with its id has no effect and writes nothing; another id is fine."""
    effects: list[str] = []
    with turn(tmp_path) as recorder:
        try:
            with recorder.tool("c1", "charge", {}):
                if ending is not None:
                    raise ending
        except KeyboardInterrupt:
            pass
        before = facts(recorder.ledger)
        with pytest.raises(InvalidEvent, match="duplicate_call"):
            charge(recorder, effects, "c1")
        assert facts(recorder.ledger) == before
        charge(recorder, effects, "c2")
    assert effects == ["c2"]


def test_a_call_id_is_refused_while_its_call_is_open(tmp_path: Path) -> None:
    """The inner use of the outer call's id fails, which the outer tool may handle."""
    effects: list[str] = []
    with turn(tmp_path) as recorder:
        with recorder.tool("c1", "run_code", {}) as outer:
            charge(recorder, effects, "c1")
        assert isinstance(outer.error, InvalidEvent)
        assert facts(recorder.ledger) == ["user", "call c1", "T1 c1", "T2 c1"]
    assert effects == []


def test_a_block_is_entered_once(tmp_path: Path) -> None:
    """The same call object again is the same call id again."""
    with turn(tmp_path) as recorder:
        call = recorder.tool("c1", "charge", {})
        with call:
            pass
        with pytest.raises(InvalidEvent, match="duplicate_call"), call:
            pytest.fail("the tool ran")


def test_another_invocation_may_use_the_id(tmp_path: Path) -> None:
    """An operation is known by invocation and call id together."""
    effects: list[str] = []
    with turn(tmp_path) as recorder:
        charge(recorder, effects, "c1")
        charge(Recorder(recorder.ledger, invocation_id="invocation_2", turn_id="turn_2"), effects, "c1")
    assert effects == ["c1", "c1"]
