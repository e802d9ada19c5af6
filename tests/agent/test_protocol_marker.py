"""The protocol marker stands on the first event of a ledger, and nowhere else (contract section 4)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

from resume_gate import Recorder, RuntimeEvent, RuntimeEventStore, recover
from tests.agent.kit import RUN, facts, turn


def marked(event: RuntimeEvent) -> bool:
    """Tell whether an event carries the marker."""
    return event.actions is not UNSET and event.actions.runtime_protocol is not UNSET


def use_a_tool(recorder: Recorder) -> None:
    """Call a tool and leave it."""
    with recorder.tool("c1", "charge", {}):
        pass


FIRST: dict[str, Callable[[Recorder], object]] = {
    "user": lambda recorder: recorder.user("go"),
    "say": lambda recorder: recorder.say("hello"),
    "think": lambda recorder: recorder.think("hm"),
    "tool": use_a_tool,
    "end": lambda recorder: recorder.end(),
}


@pytest.mark.parametrize("first", FIRST)
def test_the_first_event_of_an_empty_ledger_carries_it(tmp_path: Path, first: str) -> None:
    """Whatever comes first, it opens a legal ledger of the new protocol, and no later event has the marker."""
    with turn(tmp_path, user=None) as recorder:
        FIRST[first](recorder)
        recorder.say("more")
        recorder.end()
        assert [marked(event) for event in recorder.ledger.events] == [True] + [False] * (
            recorder.ledger.high_water - 1
        )
        found = recover(recorder.ledger.events)
    assert found.protocol
    assert found.issues == []


def test_a_call_that_comes_first_follows_a_hidden_event(tmp_path: Path) -> None:
    """No lane holds both call and marker, so the host says the marker beforehand, unseen by the model."""
    with turn(tmp_path, user=None) as recorder:
        use_a_tool(recorder)
        assert facts(recorder.ledger) == ["host", "call c1", "T1 c1", "T2 c1"]
        assert recorder.ledger.events[0].hidden


def test_a_ledger_that_has_events_gets_no_marker(tmp_path: Path) -> None:
    """A recorder that goes on with a run writes none, whether the run began with one or not."""
    with turn(tmp_path):
        pass
    with RuntimeEventStore(tmp_path).open(RUN) as ledger:
        Recorder(ledger, invocation_id="invocation_2", turn_id="turn_2").user("again")
        assert [marked(event) for event in ledger.events] == [True, False]


def test_a_call_that_was_never_started_is_known_as_such(tmp_path: Path) -> None:
    """Under the marker a call without T1 is proved not to have run."""

    def die_at_p1(at: str) -> None:
        if at == "P1":
            raise KeyboardInterrupt

    with turn(tmp_path, failpoint=die_at_p1) as recorder:
        with pytest.raises(KeyboardInterrupt):
            use_a_tool(recorder)
        assert recover(recorder.ledger.events).decisions[0].reason == "new_protocol_before_dispatch"
