"""Design, Temporal: what is always true of a decision's rows."""

from hypothesis import given
from hypothesis import strategies as st

from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.recovery import recover
from tests.kit.deciding import decide, found_out
from tests.kit.ledgers import LEGAL
from tests.kit.strategies import JSON, PROPERTY

Events = list[RuntimeEvent]
_SETTLEABLE = {"pending_tool_result", "tool_not_dispatched"}
_OUTCOMES = st.sampled_from(["succeeded", "failed", "not_executed"])


def _open(events: Events) -> list[str]:
    return [operation.call_event_id for operation in build_resume_plan(events).open_operations]


def _only_open(events: Events) -> bool:
    """Tell whether nothing but open calls blocks the run, and something does."""
    codes = {found.code for found in build_resume_plan(events).diagnostics}
    return bool(codes) and codes <= _SETTLEABLE


@given(LEGAL)
@PROPERTY
def test_a_release_keeps_the_ledger_legal_and_leaves_nothing_open(events: Events) -> None:
    """After a release the ledger has no issue and no open call."""
    if not _open(events):
        return
    after = [*events, *decide("release", events)]
    assert recover(after).issues == []
    assert _open(after) == []


@given(LEGAL)
@PROPERTY
def test_a_release_makes_a_run_safe_that_only_open_calls_blocked(events: Events) -> None:
    """Where nothing but open calls blocked the run, a release ends that."""
    if not _only_open(events):
        return
    assert build_resume_plan([*events, *decide("release", events)]).safe


@given(LEGAL, st.data())
@PROPERTY
def test_settling_all_is_as_good_as_a_release(events: Events, data: st.DataObject) -> None:
    """Every open call settled, with any outcomes and results and in any order: legal, and safe where a release is."""
    waiting = data.draw(st.permutations(_open(events)))
    if not waiting:
        return
    calls = tuple(found_out(call_id, data.draw(_OUTCOMES), _sendable(data.draw(JSON))) for call_id in waiting)
    after = [*events, *decide("settle", events, calls=calls)]
    assert recover(after).issues == []
    assert build_resume_plan(after).safe is _only_open(events)


def _sendable(value: object) -> object:
    # Half a surrogate pair cannot cross Temporal, so no decision holds one.
    return None if "\\ud" in repr(value) else value


@given(LEGAL, st.data())
@PROPERTY
def test_settling_some_leaves_exactly_the_others_open(events: Events, data: st.DataObject) -> None:
    """What a settlement does not name stays open, and the run blocked."""
    waiting = _open(events)
    if not waiting:
        return
    named = data.draw(st.sets(st.sampled_from(waiting), min_size=1))
    after = [*events, *decide("settle", events, calls=tuple(found_out(call_id) for call_id in sorted(named)))]
    assert recover(after).issues == []
    assert _open(after) == [call_id for call_id in waiting if call_id not in named]
    assert not (set(waiting) - named and build_resume_plan(after).safe)


@given(LEGAL)
@PROPERTY
def test_decisions_can_follow_one_another(events: Events) -> None:
    """One call settled, the rest released under another id: the ledger stays legal."""
    waiting = _open(events)
    if len(waiting) < 2:
        return
    first = [*events, *decide("settle", events, calls=(found_out(waiting[0]),))]
    after = [*first, *decide("release", first, decision_id="d-2")]
    assert recover(after).issues == []
    assert _open(after) == []


@given(LEGAL)
@PROPERTY
def test_an_answer_keeps_the_ledger_legal(events: Events) -> None:
    """An answer opens and settles nothing."""
    if not events:
        return
    after = [*events, *decide("answer", events, payload="yes")]
    assert recover(after).issues == []
    assert _open(after) == _open(events)
