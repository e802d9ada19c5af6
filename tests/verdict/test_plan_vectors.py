"""Random ledgers, judged by the reference."""

import pytest

from tests.kit.vectors import Vector, answer, expected, read


@pytest.mark.parametrize("vector", read("plan-vectors.jsonl"), ids=lambda vector: str(vector["name"]))
def test_a_random_ledger_is_judged_as_the_reference_judges_it(vector: Vector) -> None:
    """Plan, decisions, issues, protocol and replay equal the vector's, order included."""
    assert answer(vector) == expected(vector)
