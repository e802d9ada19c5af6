"""Contract section 6: when a run may be dispatched again."""

import pytest

from resume_gate.verdict.words import DIRECTIVE
from tests.kit.builders import (
    HIDDEN,
    Row,
    call,
    opened,
    plan,
    reconciled,
    recovery_decision,
    response,
    say,
    t1,
    t2,
    user,
)

_SAFE: dict[str, list[Row]] = {
    "nothing": [],
    "a user's text": [user()],
    "a settled call": [user(), call(), response()],
    "a failed call": [user(), call(), response(is_error=True)],
    "a hidden call that never ran": [opened(), call(**HIDDEN)],
    "a hidden settled call": [user(), call(**HIDDEN), response(**HIDDEN)],
    "a recovered call": [
        *(user(), call(), t1(), reconciled(), t2()),
        recovery_decision(["e2", "e3", "e4", "e5"], outcome="e5"),
    ],
}
_BLOCKED: dict[str, list[Row]] = {
    "a call": [user(), call()],
    "a hidden call": [user(), call(**HIDDEN)],
    "a call that never ran": [opened(), call()],
    "a parked call": [user(), call(), t1(), reconciled("diverged"), recovery_decision(["e2", "e3", "e4"])],
    "bad recovery facts": [user(), call(), t1(), t2(), reconciled()],
    "an issue without a call": [user(), say(turnId="turn-2")],
    "a lone response": [user(), response()],
    "a lone hidden response": [user(), response(**HIDDEN)],
    "a call half hidden": [user(), call(), response(**HIDDEN)],
}


@pytest.mark.parametrize("name", _SAFE)
def test_a_run_with_nothing_open_is_safe(name: str) -> None:
    """Without a reason, anything to verify or corruption the plan is safe_replay."""
    found = plan(*_SAFE[name])
    assert (found.disposition, found.rejection_reasons, found.safe) == ("safe_replay", (), True)


@pytest.mark.parametrize("name", _BLOCKED)
def test_anything_else_is_blocked_with_a_reason(name: str) -> None:
    """A blocked plan says why: every finding of the ledger is dangling_tool_state."""
    found = plan(*_BLOCKED[name])
    assert (found.disposition, found.rejection_reasons, found.safe) == ("blocked", ("dangling_tool_state",), False)


def test_a_reason_is_given_once() -> None:
    """Many findings are one reason."""
    assert plan(user(), call("a"), call("b"), response("c")).rejection_reasons == ("dangling_tool_state",)


@pytest.mark.parametrize("rows", [[user(), call()], [user(), call(**HIDDEN)], [opened(), call(), t1()]])
def test_an_indeterminate_call_requires_verification(rows: list[Row]) -> None:
    """Any indeterminate operation, a hidden one too, asks for a look at the world."""
    assert plan(*rows).requires_verification
    assert plan(*rows).directive == DIRECTIVE


@pytest.mark.parametrize("name", [*_SAFE, "a call that never ran", "a parked call", "a lone response"])
def test_nothing_else_requires_verification(name: str) -> None:
    """Where no operation is indeterminate there is nothing to verify and no directive."""
    found = plan(*(_SAFE | _BLOCKED)[name])
    assert (found.requires_verification, found.directive) == (False, None)


def test_the_directive_forbids_the_retry_and_asks_to_look_first() -> None:
    """The next model is told not to repeat the call, and to look with read-only means first."""
    text = DIRECTIVE.lower()
    assert "do not repeat" in text
    assert text.index("first") < text.index("read-only")
