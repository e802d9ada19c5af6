"""Contract section 9: what is refused before it is decoded, and what the refusal says."""

import pytest

from resume_gate.drive import MAX_OUTCOME_BYTES, DriveOptions, Settled, accept_outcome
from resume_gate.errors import ContractMisuse

_OPTIONS = DriveOptions(operation_id="o")


def _settled(size: int) -> bytes:
    """Build a settled outcome of so many bytes."""
    empty = b'{"kind":"settled","operationId":"o","outcome":""}'
    return empty[:-2] + b"x" * (size - len(empty)) + empty[-2:]


def test_64_kib_are_accepted() -> None:
    """An outcome of exactly the limit is accepted."""
    assert MAX_OUTCOME_BYTES == 64 * 1024
    assert isinstance(accept_outcome(_settled(MAX_OUTCOME_BYTES), _OPTIONS), Settled)


def test_one_byte_more_is_refused() -> None:
    """An outcome over the limit is refused, and the error says how much it weighs."""
    with pytest.raises(ContractMisuse, match=str(MAX_OUTCOME_BYTES + 1)):
        accept_outcome(_settled(MAX_OUTCOME_BYTES + 1), _OPTIONS)


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"1", b'"settled"', b"{}", b"{", b"\xff", b"\x00", b'{"kind":"settled"}{}'],
)
def test_what_is_no_outcome_is_a_contract_misuse(data: bytes) -> None:
    """Whatever a drive answers with, the refusal is the one error for a malformed payload."""
    with pytest.raises(ContractMisuse):
        accept_outcome(data, _OPTIONS)


@pytest.mark.parametrize("value", [b"NaN", b"Infinity", b"-Infinity"])
@pytest.mark.parametrize("key", [b"outcome", b"deferred", b"action"])
def test_what_is_no_json_is_refused(value: bytes, key: bytes) -> None:
    """Outcomes, handles and actions are JSON, which knows no NaN and no infinity."""
    head = {
        b"outcome": b'"kind":"settled"',
        b"deferred": b'"kind":"waiting","reason":"deferred"',
        b"action": b'"kind":"action_required"',
    }[key]
    with pytest.raises(ContractMisuse):
        accept_outcome(b"{" + head + b',"operationId":"o","' + key + b'":' + value + b"}", _OPTIONS)


def test_deep_nesting_is_refused_not_met_with_a_crash() -> None:
    """An outcome too deep to be decoded is a malformed payload like any other."""
    data = b'{"kind":"settled","operationId":"o","outcome":' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    with pytest.raises(ContractMisuse):
        accept_outcome(data, _OPTIONS)


def test_the_refusal_names_the_key_and_shows_no_value() -> None:
    """Errors travel into logs and screens: they say which key is wrong and hold none of the payload."""
    data = b'{"kind":"settled","operationId":"o","outcome":1,"secretKey":"hunter2"}'
    with pytest.raises(ContractMisuse) as caught:
        accept_outcome(data, _OPTIONS)
    assert "secretKey" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_the_refusal_names_both_operations() -> None:
    """A person sees which operation was answered and which was asked for."""
    with pytest.raises(ContractMisuse, match=r"'p'.*'o'"):
        accept_outcome(b'{"kind":"settled","operationId":"p","outcome":1}', _OPTIONS)
