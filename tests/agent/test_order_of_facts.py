"""T1 is committed before the tool runs, and T2 before the model sees its result (contract section 1)."""

from pathlib import Path

from resume_gate import RuntimeEventStore
from tests.agent.kit import RUN, decision, facts, turn

WHOLE = ["user", "agent", "agent", "call c1", "T1 c1", "T2 c1", "agent", "end completed"]


async def test_a_turn_is_recorded_in_order(tmp_path: Path) -> None:
    """Each step is in the file when the agent goes on, and the whole turn reads back in that order."""
    with turn(tmp_path) as recorder:
        recorder.think("what to do", "signature")
        recorder.say("charging")
        async with recorder.tool("c1", "charge", {"order": 7}) as call:
            assert facts(recorder.ledger) == WHOLE[:5]
            call.result = {"charged": True}
        assert facts(recorder.ledger) == WHOLE[:6]
        recorder.say("charged")
        recorder.end()
        assert facts(recorder.ledger) == WHOLE
        written = recorder.ledger.events
    assert RuntimeEventStore(tmp_path).read(RUN).events == written


def test_a_plain_with_records_the_same(tmp_path: Path) -> None:
    """A tool that is not asynchronous gets the same facts in the same order."""
    with turn(tmp_path) as recorder:
        with recorder.tool("c1", "charge", {"order": 7}) as call:
            assert facts(recorder.ledger)[-2:] == ["call c1", "T1 c1"]
            call.result = 1
        assert facts(recorder.ledger) == ["user", "call c1", "T1 c1", "T2 c1"]
        assert decision(recorder.ledger, "c1").settlement_origin == "normal_t2"


def test_times_come_from_the_clock(tmp_path: Path) -> None:
    """Every event is stamped with the time that the clock gave when it was committed."""
    ticks = iter(range(100, 200))
    with turn(tmp_path, clock=lambda: next(ticks)) as recorder:
        with recorder.tool("c1", "charge", {}):
            pass
        recorder.end("failed")
        assert [event.ts for event in recorder.ledger.events] == [100, 101, 102, 103, 104]
