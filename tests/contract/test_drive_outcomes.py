"""Contract section 9: what one drive pass answers."""

import json
from typing import Any, get_args

import pytest

from resume_gate.drive import (
    ActionRequired,
    AnyOutcome,
    DriveOptions,
    DriveOutcome,
    Settled,
    WaitingDeferred,
    WaitingRetry,
    accept_outcome,
)
from resume_gate.errors import ContractMisuse

_OUTCOMES: dict[type, dict[str, Any]] = {
    Settled: {"kind": "settled", "operationId": "o", "outcome": {"text": "done"}},
    WaitingRetry: {"kind": "waiting", "reason": "retry", "operationId": "o", "notBefore": 1_790_000_000_000},
    WaitingDeferred: {"kind": "waiting", "reason": "deferred", "operationId": "o", "deferred": ["handle"]},
    ActionRequired: {"kind": "action_required", "operationId": "o", "action": "approve"},
}
_OPTIONS = DriveOptions(operation_id="o")


def _accept(outcome: Any) -> AnyOutcome:
    return accept_outcome(json.dumps(outcome).encode(), _OPTIONS)


def _refuses(outcome: Any) -> bool:
    try:
        _accept(outcome)
    except ContractMisuse:
        return True
    return False


def test_there_are_these_four_outcomes() -> None:
    """A drive settles, waits for a retry, waits for something deferred, or asks a person."""
    assert set(get_args(AnyOutcome)) == set(_OUTCOMES)


@pytest.mark.parametrize("kind", _OUTCOMES)
def test_an_outcome_is_accepted_with_exactly_its_keys(kind: type) -> None:
    """Each outcome is decoded to its own kind, and written with the contract's keys again."""
    outcome = _accept(_OUTCOMES[kind])
    assert type(outcome) is kind
    assert json.loads(DriveOutcome(outcome).model_dump_json()) == _OUTCOMES[kind]


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, outcome in _OUTCOMES.items() for key in outcome])
def test_every_key_is_needed(kind: type, key: str) -> None:
    """An outcome without one of its keys is refused."""
    assert _refuses({name: value for name, value in _OUTCOMES[kind].items() if name != key})


@pytest.mark.parametrize("kind", _OUTCOMES)
@pytest.mark.parametrize("key", ["deadline", "yielded", "paused", "notAfter", "other"])
def test_an_unknown_key_is_refused(kind: type, key: str) -> None:
    """An outcome with a key of no contract is refused."""
    assert _refuses({**_OUTCOMES[kind], key: 1})


@pytest.mark.parametrize("kind", _OUTCOMES)
@pytest.mark.parametrize(("key", "value"), [("notBefore", 1), ("deferred", 1), ("outcome", 1), ("action", 1)])
def test_no_outcome_has_another_ones_keys(kind: type, key: str, value: Any) -> None:
    """A mixture of two outcomes is refused."""
    if key not in _OUTCOMES[kind]:
        assert _refuses({**_OUTCOMES[kind], key: value})


@pytest.mark.parametrize("kind", ["yielded", "paused", "waiting", "deferred", "", None, 1])
def test_there_is_no_other_kind(kind: Any) -> None:
    """A kind that the contract does not name is refused."""
    assert _refuses({"kind": kind, "operationId": "o", "outcome": 1})


@pytest.mark.parametrize("reason", ["yielded", "deadline", "", None])
def test_there_is_no_other_reason_to_wait(reason: Any) -> None:
    """A drive waits for a retry or for something deferred, for nothing else."""
    assert _refuses({**_OUTCOMES[WaitingRetry], "reason": reason})


@pytest.mark.parametrize("kind", _OUTCOMES)
@pytest.mark.parametrize("operation_id", ["other", "O", "o ", ""])
def test_an_outcome_for_another_operation_is_refused(kind: type, operation_id: str) -> None:
    """An outcome answers the operation that was asked for, and no other."""
    assert _refuses({**_OUTCOMES[kind], "operationId": operation_id})


@pytest.mark.parametrize("value", [-1, 1e300, "1790000000000", None, True, [], {}])
def test_not_before_is_a_time(value: Any) -> None:
    """What is not a number of milliseconds of this age is no time."""
    assert _refuses({**_OUTCOMES[WaitingRetry], "notBefore": value})


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", [], {}, {"a": [None, {"b": 1}]}], ids=str)
@pytest.mark.parametrize(
    ("kind", "key"), [(Settled, "outcome"), (WaitingDeferred, "deferred"), (ActionRequired, "action")]
)
def test_outcomes_handles_and_actions_are_any_json(kind: type, key: str, value: Any) -> None:
    """Whatever JSON a drive answers with is passed on as it is."""
    outcome = _accept({**_OUTCOMES[kind], key: value})
    assert json.loads(outcome.model_dump_json())[key] == value


def test_an_outcome_survives_the_wire() -> None:
    """An outcome that is written and read again is the same outcome of the same kind."""
    outcome = DriveOutcome(Settled(operation_id="o", outcome=1))
    assert DriveOutcome.model_validate_json(outcome.model_dump_json()) == outcome
    assert outcome.root == Settled(operation_id="o", outcome=1)
