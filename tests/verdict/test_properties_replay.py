"""Contract section 6: what is always true of a replay."""

from collections import Counter

from hypothesis import given

from resume_gate.errors import CorruptLedger
from resume_gate.events.event import FunctionCall, FunctionResponse, RuntimeEvent
from resume_gate.verdict.recovery import recover
from resume_gate.verdict.replay import replay_events
from tests.kit.ledgers import ANY, LEGAL
from tests.kit.strategies import PROPERTY

Events = list[RuntimeEvent]


def _key(event: RuntimeEvent) -> tuple[str, str, str]:
    assert isinstance(event.content, FunctionCall | FunctionResponse)
    return (event.invocation_id, event.content.id, event.content.name)


def _replay(events: Events) -> Events | None:
    try:
        return list(replay_events(events))
    except CorruptLedger:
        return None


@given(ANY)
@PROPERTY
def test_exactly_the_corrupt_ledgers_have_no_replay(events: Events) -> None:
    """Asking for the replay is an error where the ledger is corrupt, and nowhere else."""
    assert (_replay(events) is None) is recover(events).has_corruption


@given(ANY)
@PROPERTY
def test_no_half_of_a_pair_is_ever_replayed(events: Events) -> None:
    """Each call in a replay has exactly one response after it, and each response one call before it."""
    waiting: Counter[tuple[str, str, str]] = Counter()
    for event in _replay(events) or []:
        if isinstance(event.content, FunctionCall):
            waiting[_key(event)] += 1
        elif isinstance(event.content, FunctionResponse):
            assert waiting[_key(event)] == 1
            waiting[_key(event)] -= 1
    assert set(waiting.values()) <= {0}


@given(ANY)
@PROPERTY
def test_a_replay_is_part_of_the_ledger_in_its_order(events: Events) -> None:
    """A replay leaves events out; it adds, changes and moves none."""
    rest = iter(events)
    assert all(any(seen is event for event in rest) for seen in _replay(events) or [])


@given(ANY)
@PROPERTY
def test_nothing_partial_or_hidden_is_replayed(events: Events) -> None:
    """The next model sees whole, visible events only."""
    assert all(event.visible for event in _replay(events) or [])


@given(LEGAL)
@PROPERTY
def test_everything_else_that_is_visible_is_replayed(events: Events) -> None:
    """Of a legal ledger only open calls are left out of what is visible."""
    seen = {event.id for event in _replay(events) or []}
    left_out = [event for event in events if event.visible and event.id not in seen]
    answered = {_key(event) for event in events if isinstance(event.content, FunctionResponse)}
    assert all(isinstance(event.content, FunctionCall) and _key(event) not in answered for event in left_out)
