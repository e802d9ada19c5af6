"""Design, Temporal: what a decision may say."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from resume_gate.decisions import Decision, short_release
from tests.kit.builders import DIGEST

_CALL = {"callEventId": "e2", "outcome": "succeeded", "result": {"charged": 7}}
_BASE: dict[str, Any] = {"operator": "ann", "reason": "looked", "decisionId": "d-1", "planDigest": DIGEST}
_LEGAL: dict[str, dict[str, Any]] = {
    "release": {},
    "settle": {"calls": [_CALL]},
    "recheck": {"acceptHighWater": 3},
    "answer": {"payload": {"yes": True}},
    "abandon": {},
}


def _accepts(kind: str, **keys: Any) -> bool:
    try:
        Decision.model_validate_json(json.dumps({**_BASE, "kind": kind, **keys}))
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("kind", _LEGAL)
def test_there_are_five_decisions(kind: str) -> None:
    """Each kind is accepted with the parts that go with it."""
    assert _accepts(kind, **_LEGAL[kind])


@pytest.mark.parametrize("kind", ["retry", "resume", "", "Release"])
def test_there_is_no_other_decision(kind: str) -> None:
    """A kind that the design does not name is refused: no decision dispatches by itself."""
    assert not _accepts(kind)


@pytest.mark.parametrize("kind", _LEGAL)
@pytest.mark.parametrize("key", _BASE)
def test_every_decision_says_who_why_which_and_on_what(kind: str, key: str) -> None:
    """Operator, reason, decision id and the digest of the plan that was seen are always needed."""
    decision = {**_BASE, "kind": kind, **_LEGAL[kind]}
    del decision[key]
    with pytest.raises(ValidationError):
        Decision.model_validate_json(json.dumps(decision))
    assert not _accepts(kind, **_LEGAL[kind], **{key: ""})


@pytest.mark.parametrize(
    ("kind", "key"), [(kind, key) for kind in _LEGAL for parts in _LEGAL.values() for key in parts]
)
def test_a_part_goes_with_its_kind_alone(kind: str, key: str) -> None:
    """Calls go with settle, a payload with answer and an accepted high-water with recheck."""
    (value,) = [parts[key] for parts in _LEGAL.values() if key in parts]
    assert _accepts(kind, **(_LEGAL[kind] | {key: value})) is (key in _LEGAL[kind])


@pytest.mark.parametrize("calls", [None, []])
def test_settle_needs_calls(calls: Any) -> None:
    """A settlement that names no call settles nothing."""
    assert not _accepts("settle")
    assert not _accepts("settle", calls=calls)


def test_answer_needs_a_payload() -> None:
    """An answer without payload answers nothing."""
    assert not _accepts("answer")
    assert not _accepts("answer", payload=None)


@pytest.mark.parametrize("payload", [False, 0, "", [], {}])
def test_an_empty_payload_is_a_payload(payload: Any) -> None:
    """A false, zero or empty answer is an answer."""
    assert _accepts("answer", payload=payload)


def test_recheck_needs_no_high_water() -> None:
    """A recheck may accept the high-water that was seen, and need not."""
    assert _accepts("recheck")
    assert not _accepts("recheck", acceptHighWater=-1)


def test_a_call_is_settled_once() -> None:
    """Two outcomes for one call are refused."""
    assert not _accepts("settle", calls=[_CALL, {**_CALL, "outcome": "failed"}])
    assert _accepts("settle", calls=[_CALL, {**_CALL, "callEventId": "e3"}])


@pytest.mark.parametrize("outcome", ["succeeded", "failed", "not_executed"])
def test_a_call_has_one_of_three_outcomes(outcome: str) -> None:
    """A person found that it succeeded, that it failed, or that it was not executed."""
    assert _accepts("settle", calls=[{**_CALL, "outcome": outcome}])


@pytest.mark.parametrize(
    "call", [{**_CALL, "outcome": "unknown"}, {**_CALL, "callEventId": ""}, {**_CALL, "later": 1}, {}]
)
def test_a_call_of_another_shape_is_refused(call: Any) -> None:
    """An unknown outcome, an empty event id and an unknown key are refused."""
    assert not _accepts("settle", calls=[call])


@pytest.mark.parametrize("decision_id", ["a", "A.b_c:d-9", "release:" + DIGEST, "x" * 128])
def test_a_decision_id_is_a_safe_word(decision_id: str) -> None:
    """Letters, digits and the four marks, 128 at most, make a decision id."""
    assert _accepts("release", decisionId=decision_id)


@pytest.mark.parametrize("decision_id", ["", "a b", "a/b", "a\n", "\u00e9", "x" * 129, None, 1])
def test_a_decision_id_is_nothing_else(decision_id: Any) -> None:
    """Any other character, and more than 128, are refused."""
    assert not _accepts("release", decisionId=decision_id)


@pytest.mark.parametrize("digest", ["", "0a" * 32, DIGEST.upper(), DIGEST[:-1], DIGEST + "\n", None])
def test_a_plan_is_named_by_its_digest(digest: Any) -> None:
    """What is no digest names no plan."""
    assert not _accepts("release", planDigest=digest)


def test_an_unknown_key_is_refused() -> None:
    """A decision that says more than is known is an error."""
    assert not _accepts("release", force=True)


@pytest.mark.parametrize("value", [b"NaN", b"Infinity", b"1e400"])
def test_what_a_person_found_is_json(value: bytes) -> None:
    """A result or payload that no row could hold is refused where it comes in."""
    settle = json.dumps({**_BASE, "kind": "settle", "calls": [{**_CALL, "result": "@"}]}).encode()
    answer = json.dumps({**_BASE, "kind": "answer", "payload": "@"}).encode()
    for decision in (settle, answer):
        with pytest.raises(ValidationError):
            Decision.model_validate_json(decision.replace(b'"@"', value))


def test_the_short_form_is_a_release() -> None:
    """The signal release is the decision whose id says which plan it released."""
    found = short_release("ann", "looked", DIGEST)
    assert found == Decision(
        kind="release", operator="ann", reason="looked", decision_id=f"release:{DIGEST}", plan_digest=DIGEST
    )
