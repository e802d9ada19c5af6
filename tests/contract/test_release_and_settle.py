"""Design, Temporal: what release, settle and answer do to a ledger."""

import json
from typing import Any

import pytest

from resume_gate.errors import ContractMisuse
from resume_gate.events.codec import encode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.recovery import recover
from resume_gate.verdict.replay import replay_events
from resume_gate.verdict.words import DIRECTIVE
from tests.kit.builders import (
    HIDDEN,
    OTHER_TURN,
    Row,
    call,
    ledger,
    opened,
    reconciled,
    recovery_decision,
    response,
    t1,
    user,
)
from tests.kit.deciding import decide, found_out

_OPEN = ledger(user(), call("a"), t1("a"), call("b"), call("c", **HIDDEN), call("a", **OTHER_TURN))
_CALLS = ("e2", "e4", "e5", "e6")


def _content(row: RuntimeEvent) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode_event(row))["content"]
    return found


def test_a_release_answers_every_open_call() -> None:
    """Visible and hidden, dispatched or not: each open call gets a response, and the run is safe."""
    rows = decide("release", _OPEN)
    assert len(rows) == 5
    after = [*_OPEN, *rows]
    assert recover(after).issues == []
    assert build_resume_plan(after).safe


def test_a_release_says_that_the_outcome_is_unknown() -> None:
    """The response is an error that tells the model so, with the directive."""
    content = _content(decide("release", _OPEN)[0])
    assert (content["isError"], content["result"]["outcome"]) == (True, "unknown")
    assert DIRECTIVE in content["result"]["note"]


def test_a_release_says_that_a_call_never_ran_where_that_is_proved() -> None:
    """A call before T1 under the protocol marker is answered as not executed, as an error."""
    content = _content(decide("release", ledger(opened(), call()))[0])
    assert (content["isError"], content["result"]["outcome"]) == (True, "not_executed")


def test_a_released_call_is_in_the_replay() -> None:
    """The next model sees the call and what became of it."""
    after = [*_OPEN, *decide("release", _OPEN)]
    seen = [event.id for event in replay_events(after)]
    assert [event_id for event_id in seen if event_id in _CALLS] == ["e2", "e4", "e6"]
    assert "decision:d-1:5" not in seen


@pytest.mark.parametrize(("outcome", "is_error"), [("succeeded", None), ("failed", True), ("not_executed", True)])
def test_a_settled_call_is_an_error_unless_it_succeeded(outcome: str, is_error: bool | None) -> None:
    """IsError is set for all but succeeded, and then left out."""
    content = _content(decide("settle", _OPEN, calls=(found_out("e2", outcome),))[0])
    assert content.get("isError") is is_error


@pytest.mark.parametrize("result", [None, False, 0, "", [1, None], {"charged": 7}, "\u00e9\u2028"])
@pytest.mark.parametrize("outcome", ["succeeded", "failed"])
def test_a_settled_call_has_the_result_that_was_found(outcome: str, result: Any) -> None:
    """What the person found is the response's result, as it is."""
    assert _content(decide("settle", _OPEN, calls=(found_out("e2", outcome, result),))[0])["result"] == result


def test_a_call_that_was_not_executed_says_so() -> None:
    """The model reads that the call had no effect, beside what the person found."""
    result = _content(decide("settle", _OPEN, calls=(found_out("e2", "not_executed", {"seen": 1}),))[0])["result"]
    assert (result["outcome"], result["result"]) == ("not_executed", {"seen": 1})


def test_settling_all_makes_the_run_safe() -> None:
    """With every open call settled the plan is safe_replay, and each has its status."""
    calls = tuple(found_out(call_id, "failed" if call_id == "e4" else "succeeded") for call_id in _CALLS)
    found = build_resume_plan([*_OPEN, *decide("settle", _OPEN, calls=calls)])
    assert found.safe
    assert [operation.status for operation in found.operations] == ["succeeded", "failed", "succeeded"]


def test_settling_some_leaves_the_others_open() -> None:
    """Calls that a settlement does not name stay open, and the run stays blocked."""
    found = build_resume_plan([*_OPEN, *decide("settle", _OPEN, calls=(found_out("e4"), found_out("e2")))])
    assert [operation.call_event_id for operation in found.open_operations] == ["e5", "e6"]
    assert not found.safe


def test_a_call_is_named_by_its_event() -> None:
    """Of two calls with one call id the one whose event is named is settled."""
    rows = decide("settle", _OPEN, calls=(found_out("e6"),))
    assert rows[0].invocation_id == "inv-2"


def test_rows_are_in_the_order_that_was_given() -> None:
    """A settlement's rows follow its own list."""
    rows = decide("settle", _OPEN, calls=(found_out("e4"), found_out("e2")))
    assert [_content(row)["id"] for row in rows[:2]] == ["b", "a"]


@pytest.mark.parametrize("call_event_id", ["e1", "e3", "e99", "a", "op-a"])
def test_only_an_open_call_can_be_settled(call_event_id: str) -> None:
    """Naming an event that is not an open call is refused, with all of the decision."""
    with pytest.raises(ContractMisuse, match=call_event_id):
        decide("settle", _OPEN, calls=(found_out("e2"), found_out(call_event_id)))


_NOT_OPEN: dict[str, list[Row]] = {
    "settled": [user(), call(), response()],
    "corrupt": [user(), call(), call()],
    "parked": [user(), call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"])],
    "half hidden": [user(), call(), response(**HIDDEN)],
    "hidden, never ran": [opened(), call(**HIDDEN)],
    "no call": [user()],
}


@pytest.mark.parametrize("name", _NOT_OPEN)
def test_what_is_not_open_can_neither_be_released_nor_settled(name: str) -> None:
    """Settled, corrupt, parked and conflicting calls end in other ways."""
    events = ledger(*_NOT_OPEN[name])
    with pytest.raises(ContractMisuse):
        decide("release", events)
    with pytest.raises(ContractMisuse):
        decide("settle", events, calls=(found_out("e2"),))


def test_an_answer_is_a_visible_user_event() -> None:
    """The payload becomes the user's text, in the identity of the ledger's last event, and the next model sees it."""
    events = ledger(user(), user(**OTHER_TURN))
    row, _ = decide("answer", events, payload="yes, charge it")
    wire = json.loads(encode_event(row))
    assert (wire["role"], wire["author"], wire["content"]) == (
        "user",
        "user",
        {"kind": "text", "text": "yes, charge it"},
    )
    assert row.execution_identity == events[-1].execution_identity
    assert row in list(replay_events([*events, row]))


@pytest.mark.parametrize(("payload", "text"), [({"a": ["\u00e9"]}, '{"a": ["\u00e9"]}'), (False, "false"), ("", "")])
def test_an_answer_that_is_no_text_is_written_as_json(payload: Any, text: str) -> None:
    """A text is taken as it is; any other payload is its JSON."""
    assert _content(decide("answer", ledger(user()), payload=payload)[0])["text"] == text


def test_an_answer_keeps_a_safe_run_safe() -> None:
    """An answer and its audit are legal, and leave nothing open."""
    events = ledger(user(), call(), response())
    after = [*events, *decide("answer", events, payload=1)]
    assert recover(after).issues == []
    assert build_resume_plan(after).safe
