"""Contract section 6: the events that the next model sees."""

import pytest

from resume_gate.errors import CorruptLedger
from resume_gate.verdict.replay import replay_events
from tests.kit.builders import (
    HIDDEN,
    OTHER_TURN,
    Row,
    call,
    end,
    ledger,
    opened,
    reconciled,
    recovery_decision,
    replay,
    response,
    say,
    t1,
    t2,
    user,
)


def test_events_are_in_ledger_order() -> None:
    """Everything that the model may see is replayed in the order of the file."""
    assert replay(user(), say(), call(), t1(), t2(), say(), end()) == ["e1", "e2", "e3", "e4", "e5", "e6", "e7"]


def test_partial_events_are_left_out() -> None:
    """Streamed pieces are not replayed."""
    assert replay(user(), say(partial=True), say()) == ["e1", "e3"]


def test_hidden_events_are_left_out() -> None:
    """What the model never saw it does not see now, pairs included."""
    rows = (user(), say(**HIDDEN), call(**HIDDEN), response(**HIDDEN), say(modelVisibility="visible"))
    assert replay(*rows) == ["e1", "e5"]


def test_a_call_without_response_is_left_out() -> None:
    """An open call is not replayed; its T1 is no call."""
    assert replay(user(), call(), t1(), say()) == ["e1", "e3", "e4"]
    assert replay(opened(), call(), say()) == ["e1", "e3"]


def test_pairs_of_siblings_are_told_apart() -> None:
    """Of parallel calls only those with a response are replayed."""
    rows = (user(), call("a"), call("b"), call("c"), response("c"), response("a"))
    assert replay(*rows) == ["e1", "e2", "e4", "e5", "e6"]


def test_a_pair_is_of_one_invocation() -> None:
    """A call id that two invocations use is paired in each by itself."""
    rows = (user(), call(), response(), user(**OTHER_TURN), call(**OTHER_TURN))
    assert replay(*rows) == ["e1", "e2", "e3", "e4"]


def test_an_open_call_of_an_earlier_invocation_is_left_out() -> None:
    """A later pair of the same call id does not pair an earlier call."""
    rows = (user(), call(), user(**OTHER_TURN), call(**OTHER_TURN), response(**OTHER_TURN))
    assert replay(*rows) == ["e1", "e3", "e4", "e5"]


@pytest.mark.parametrize("rows", [[call(), response(**HIDDEN)], [call(**HIDDEN), response()]])
def test_a_half_of_a_pair_is_left_out(rows: list[Row]) -> None:
    """A call and a response of which only one is visible are no pair."""
    assert replay(user(), *rows, say()) == ["e1", "e4"]


def test_a_parked_call_is_left_out() -> None:
    """A parked ledger is not corrupt; its call has no response and is not replayed."""
    rows = (user(), call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"]))
    assert replay(*rows) == ["e1", "e3", "e4", "e5"]


def test_the_arguments_come_back_as_they_were() -> None:
    """Replay yields the very events of the ledger."""
    events = ledger(user(), call(), response())
    assert list(replay_events(events)) == events


def test_an_empty_ledger_replays_nothing() -> None:
    """No event is no replay, and no error."""
    assert replay() == []


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([user(), user(id="e1")], id="an issue without a call"),
        pytest.param([user(), response()], id="a lone response"),
        pytest.param([user(), response(**HIDDEN)], id="a lone hidden response"),
        pytest.param([user(), call(), response(), response()], id="a second response"),
        pytest.param([user(), call(), response(name="Other")], id="another name"),
        pytest.param([user(), call(), t1(), reconciled()], id="bad recovery facts"),
        pytest.param([user(), opened()], id="a late marker"),
    ],
)
def test_a_corrupt_ledger_has_no_replay(rows: list[Row]) -> None:
    """Asking for the replay of a corrupt ledger is an error at once, before the first event."""
    with pytest.raises(CorruptLedger):
        replay_events(ledger(*rows))


def test_the_error_names_what_is_wrong() -> None:
    """Whoever asks for the replay of a corrupt ledger reads which issues it has."""
    with pytest.raises(CorruptLedger, match=r"duplicate_call, duplicate_event_id"):
        replay_events(ledger(user(), call(), user(id="e1"), call()))
    with pytest.raises(CorruptLedger, match="recovery_fact_corruption"):
        replay_events(ledger(user(), call(), t1(), reconciled()))


def test_any_iterable_is_replayed() -> None:
    """Events may come one by one."""
    assert len(list(replay_events(iter(ledger(user(), call(), response()))))) == 3
