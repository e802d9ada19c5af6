"""Contract section 2: the payloads of recovery facts."""

from typing import Any

import pytest

from tests.kit.builders import DIGEST, Row, decodes, reconciled, recovery_decision
from tests.kit.samples import at, with_value

_FACT = ("actions", "toolRecovery")
_PAYLOAD = (*_FACT, "payload")
_COMPLETED = recovery_decision(["e1", "e2"], outcome="e2")
_PARKED = recovery_decision(["e1", "e2"])
_ROWS = {"reconciled": reconciled(), "completed": _COMPLETED, "parked": _PARKED}


def _without(row: Row, path: tuple[str, ...], key: str) -> Row:
    return with_value(row, path, {name: value for name, value in at(row, path).items() if name != key})


@pytest.mark.parametrize("name", _ROWS)
@pytest.mark.parametrize("key", ["kind", "version", "payload"])
def test_a_fact_needs_kind_version_and_payload(name: str, key: str) -> None:
    """A recovery fact without kind, version or payload is invalid."""
    assert not decodes(_without(_ROWS[name], _FACT, key))


@pytest.mark.parametrize("name", _ROWS)
@pytest.mark.parametrize("version", [0, 2, "1", True, 1.5])
def test_a_fact_is_of_version_1(name: str, version: Any) -> None:
    """A recovery fact of another version is invalid."""
    assert not decodes(with_value(_ROWS[name], (*_FACT, "version"), version))


@pytest.mark.parametrize("kind", ["other", "", "maka.tool.recovery_decision"])
def test_a_fact_is_of_a_known_kind(kind: str) -> None:
    """A payload under another kind than its own is invalid."""
    assert not decodes(with_value(_ROWS["reconciled"], (*_FACT, "kind"), kind))


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, row in _ROWS.items() for key in at(row, _PAYLOAD)])
def test_a_payload_needs_every_key(name: str, key: str) -> None:
    """A recovery payload without one of its keys is invalid."""
    assert not decodes(_without(_ROWS[name], _PAYLOAD, key))


@pytest.mark.parametrize("observation", ["matches_expected_state", "matches_prior_state", "diverged", "unreadable"])
def test_an_observation_of_the_set_is_known(observation: str) -> None:
    """Each observation that the contract names is accepted."""
    assert decodes(reconciled(observation))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("observation", "matches"),
        ("observationSchema", "state_identity_v2"),
        ("observationDigest", "0a" * 32),
        ("protocol", "tool_recovery_v1"),
        ("operationId", ""),
    ],
)
def test_a_reconcile_result_outside_its_sets_is_refused(key: str, value: str) -> None:
    """A reconcile result with another observation, schema, digest, protocol or operation id is invalid."""
    assert not decodes(with_value(reconciled(), (*_PAYLOAD, key), value))


@pytest.mark.parametrize("reason", ["matches_prior_state", "diverged", "unreadable"])
def test_a_parked_decision_has_a_parked_reason(reason: str) -> None:
    """A parked decision names why the look at the world did not settle it."""
    assert decodes(recovery_decision(["e1"], reason=f"reconcile_{reason}"))


@pytest.mark.parametrize("reason", ["reconcile_matches_expected_state", "diverged", ""])
def test_a_parked_decision_has_no_other_reason(reason: str) -> None:
    """A parked decision with the completed one's reason, or an unknown one, is invalid."""
    assert not decodes(recovery_decision(["e1"], reason=reason))


@pytest.mark.parametrize("reason", ["reconcile_matches_prior_state", "reconcile_diverged", "reconcile_unreadable", ""])
def test_a_completed_decision_has_its_one_reason(reason: str) -> None:
    """A completed decision with any reason but its own is invalid."""
    assert decodes(_COMPLETED)
    assert not decodes(with_value(_COMPLETED, (*_PAYLOAD, "reasonCode"), reason))


def test_a_parked_decision_names_no_outcome() -> None:
    """A parked decision with an outcome event is invalid."""
    assert not decodes(with_value(_PARKED, (*_PAYLOAD, "outcomeEventId"), "e1"))


@pytest.mark.parametrize("disposition", ["settled", "", "Parked"])
def test_another_disposition_is_refused(disposition: str) -> None:
    """A decision that is neither completed nor parked is invalid."""
    assert not decodes(with_value(_PARKED, (*_PAYLOAD, "disposition"), disposition))


@pytest.mark.parametrize("evidence", [[], ["e1", "e1"], [""], [1], "e1", {}], ids=str)
@pytest.mark.parametrize("name", ["completed", "parked"])
def test_evidence_ids_are_distinct_and_not_empty(name: str, evidence: Any) -> None:
    """Evidence that is empty, repeats an id or holds what is no id is invalid."""
    assert not decodes(with_value(_ROWS[name], (*_PAYLOAD, "evidenceEventIds"), evidence))


@pytest.mark.parametrize("digest", [DIGEST.upper(), DIGEST[:-1], DIGEST + "0", DIGEST + "\n", "sha1:" + "0a" * 32, ""])
def test_a_digest_is_sha256_and_64_lower_case_hex_digits(digest: str) -> None:
    """Whatever only looks like a digest is refused."""
    assert not decodes(with_value(reconciled(), (*_PAYLOAD, "observationDigest"), digest))
    assert not decodes(reconciled(refs={"sourceMessageDigest": digest}))
