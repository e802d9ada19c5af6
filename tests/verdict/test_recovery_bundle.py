"""Contract section 5: what a valid recovery bundle is."""

import pytest

from tests.kit.builders import (
    OTHER_TURN,
    Row,
    call,
    issues,
    reconciled,
    recovery_decision,
    refs,
    t1,
    t2,
    user,
    verdict,
)

_CORRUPT = ("corruption", "recovery_fact_corruption")
_COMPLETED = ("completed", "recovery_bundle_completed")
_EVIDENCE = ["e2", "e3", "e4"]


def _completed(**keys: Row) -> list[Row]:
    """Build a valid completed bundle, or one with other rows under ``call``, ``t1``, ``look``, ``t2``, ``decision``."""
    decision = recovery_decision([*_EVIDENCE, "e5"], outcome="e5")
    rows = {"call": call(), "t1": t1(), "look": reconciled(), "t2": t2(), "decision": decision} | keys
    return [user(), *rows.values()]


def _parked(**keys: Row) -> list[Row]:
    rows = {"call": call(), "t1": t1(), "look": reconciled("diverged"), "decision": recovery_decision(_EVIDENCE)} | keys
    return [user(), *rows.values()]


def test_a_completed_bundle_completes_its_operation() -> None:
    """Call, T1, reconcile result, response and decision, in this order, complete the operation."""
    assert verdict(*_completed()) == _COMPLETED


@pytest.mark.parametrize(
    ("observation", "reason"),
    [
        ("matches_prior_state", "reconcile_matches_prior_state"),
        ("diverged", "reconcile_diverged"),
        ("unreadable", "reconcile_unreadable"),
    ],
)
def test_a_parked_bundle_has_its_observations_reason(observation: str, reason: str) -> None:
    """A parked bundle parks the operation for the reason that its observation gives."""
    rows = _parked(look=reconciled(observation), decision=recovery_decision(_EVIDENCE, reason=reason))
    assert verdict(*rows) == ("parked", reason)


@pytest.mark.parametrize("observation", ["matches_expected_state", "matches_prior_state", "unreadable"])
def test_a_parked_bundle_with_another_observations_reason_is_corrupt(observation: str) -> None:
    """A parked bundle whose reason is not its observation's proves nothing."""
    assert verdict(*_parked(look=reconciled(observation))) == _CORRUPT


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([user(), call(), t1(), reconciled()], id="no decision"),
        pytest.param([user(), call(), t1(), recovery_decision(_EVIDENCE[:2])], id="no reconcile result"),
        pytest.param([*_parked(), recovery_decision(_EVIDENCE)], id="two decisions"),
        pytest.param([user(), call(), t1(), reconciled("diverged"), *_parked()[3:]], id="two reconcile results"),
        pytest.param([user(), call(), t1(), *_parked()[:2:-1]], id="decision first"),
        pytest.param([*_parked(), t2()], id="parked with a response"),
        pytest.param([*_completed()[:4], _completed()[5]], id="completed without its response"),
        pytest.param([user(), call(), t1(), t2(), reconciled(), _completed()[5]], id="response before the look"),
        pytest.param([*_completed()[:4], _completed()[5], t2()], id="response after the decision"),
    ],
)
def test_a_bundle_of_other_parts_is_corrupt(rows: list[Row]) -> None:
    """Parts that are missing, repeated or in another order prove nothing."""
    assert verdict(*rows) == _CORRUPT


@pytest.mark.parametrize("mode", ["replay_safe", "idempotent", "reattach", "outcome_unknown", "never_auto_retry"])
def test_only_the_mode_reconcile_may_be_recovered(mode: str) -> None:
    """A bundle on an operation of another recovery mode is corrupt."""
    assert verdict(*_completed(t1=t1(mode=mode))) == _CORRUPT
    assert verdict(*_parked(t1=t1(mode=mode))) == _CORRUPT


@pytest.mark.parametrize("observation", ["matches_prior_state", "diverged", "unreadable"])
def test_completed_needs_the_expected_state(observation: str) -> None:
    """A completed bundle on any other observation is corrupt."""
    assert verdict(*_completed(look=reconciled(observation))) == _CORRUPT


def test_completed_needs_a_response_that_is_no_error() -> None:
    """An error cannot be what the expected state proves."""
    assert verdict(*_completed(t2=t2(is_error=True))) == _CORRUPT
    assert verdict(*_completed(t2=t2(is_error=False))) == _COMPLETED


def test_completed_names_its_response() -> None:
    """The outcome event is the operation's response and no other event."""
    assert verdict(*_completed(decision=recovery_decision([*_EVIDENCE, "e5"], outcome="e4"))) == _CORRUPT


@pytest.mark.parametrize(
    "evidence",
    [["e2"], ["e2", "e3", "e5"], ["e3", "e2", "e4", "e5"], ["e2", "e3", "e5", "e4"], ["e2", "e3", "e4", "e5", "e6"]],
    ids=str,
)
def test_evidence_lists_every_fact_in_order(evidence: list[str]) -> None:
    """Evidence is call, T1, reconcile result and response, in that order and nothing else."""
    assert verdict(*_completed(decision=recovery_decision(evidence, outcome="e5"))) == _CORRUPT


@pytest.mark.parametrize("evidence", [["e2", "e3"], ["e3", "e2", "e4"], ["e2", "e3", "e4", "e1"]], ids=str)
def test_evidence_of_a_parked_bundle_has_no_response(evidence: list[str]) -> None:
    """Evidence of a parked bundle is call, T1 and reconcile result, in that order and nothing else."""
    assert verdict(*_parked(decision=recovery_decision(evidence))) == _CORRUPT


@pytest.mark.parametrize("part", ["look", "decision"])
@pytest.mark.parametrize("keys", [OTHER_TURN, {"invocationId": "inv-2"}, {"turnId": "turn-2"}], ids=str)
def test_one_execution_identity_throughout(part: str, keys: Row) -> None:
    """A fact of another invocation or turn than the call's makes the bundle corrupt."""
    row = {"look": reconciled("diverged"), "decision": recovery_decision(_EVIDENCE)}[part]
    assert verdict(*_parked(**{part: {**row, **keys}})) == _CORRUPT


@pytest.mark.parametrize("part", ["look", "decision"])
def test_one_session_throughout(part: str) -> None:
    """A fact of another session than the call's makes the bundle corrupt."""
    row = {"look": reconciled("diverged"), "decision": recovery_decision(_EVIDENCE)}[part]
    assert verdict(*_parked(**{part: {**row, "sessionId": "ses-2", "invocationId": "inv-2"}})) == _CORRUPT


@pytest.mark.parametrize("given", [refs("b", "op-a"), refs("a", "op-b")], ids=str)
@pytest.mark.parametrize("part", ["look", "decision"])
def test_facts_name_their_operation_in_their_refs(part: str, given: Row) -> None:
    """A fact whose refs name another operation or call makes the bundle corrupt."""
    row = {"look": reconciled("diverged"), "decision": recovery_decision(_EVIDENCE)}[part]
    assert verdict(*_parked(**{part: {**row, "refs": given}})) == _CORRUPT


def test_an_issue_comes_before_the_bundle() -> None:
    """An operation with an issue is corrupt for that, whatever its bundle says."""
    rows = [*_completed(), call()]
    assert issues(*rows) == [("duplicate_call", "e7")]
    assert verdict(*rows) == ("corruption", "duplicate_call")
