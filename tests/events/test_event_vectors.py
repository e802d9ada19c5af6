"""Single rows, valid or not by the reference's decoder."""

import pytest

from resume_gate.events.codec import decode_event, encode_event
from tests.kit.builders import decodes
from tests.kit.vectors import Vector, read

_VECTORS = {
    f"{name}:{number}": vector
    for name in ("event-vectors.jsonl", "event-rule-vectors.jsonl")
    for number, vector in enumerate(read(name), 1)
}
_VALID = {name: vector for name, vector in _VECTORS.items() if vector["valid"]}


def _row(vector: Vector) -> bytes:
    return str(vector["line"]).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("vector", _VECTORS.values(), ids=_VECTORS)
def test_a_row_is_valid_where_the_reference_takes_it(vector: Vector) -> None:
    """A row decodes exactly where the vector says that it is valid."""
    assert decodes(_row(vector)) is vector["valid"], vector["line"]


@pytest.mark.parametrize("vector", _VALID.values(), ids=_VALID)
def test_a_valid_row_survives_its_own_encoding(vector: Vector) -> None:
    """A decoded row, encoded and decoded again, is the same event."""
    event = decode_event(_row(vector))
    assert decode_event(encode_event(event)) == event
