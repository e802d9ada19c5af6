"""Contract section 5: how an operation came to be settled."""

import pytest

from tests.kit.builders import Row, call, decided, reconciled, recovery_decision, response, t1, t2, user

_CASES: dict[str, tuple[list[Row], str | None]] = {
    "a response after T1": ([call(), t1(), t2()], "normal_t2"),
    "a response without T1": ([call(), response()], "pre_t1_synthetic"),
    "a completed bundle": (
        [call(), t1(), reconciled(), t2(), recovery_decision(["e2", "e3", "e4", "e5"], outcome="e5")],
        "recovery_bundle",
    ),
    "a parked bundle": (
        [call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"])],
        "recovery_bundle",
    ),
    "no response": ([call(), t1()], None),
    "a corrupt operation": ([call(), t1(), t2(), call()], None),
    "a bad bundle": ([call(), t1(), t2(), reconciled()], None),
}


@pytest.mark.parametrize("name", _CASES)
def test_the_origin_says_what_settled_it(name: str) -> None:
    """An ordinary T2, a response without T1, a recovery bundle, or nothing."""
    rows, origin = _CASES[name]
    assert decided(user(), *rows).settlement_origin == origin
