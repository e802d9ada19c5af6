"""A seed says what happens, before anything does."""

from __future__ import annotations

from itertools import islice

from tests.chaos.script import expected_effects, script, steps_of
from tests.chaos.tormentor import SPOTS, blows


def test_script() -> None:
    """The same seed and order give the same script; another seed gives another."""
    assert script(7, 3) == script(7, 3)
    assert script(7, 3) != script(8, 3)


def test_blows() -> None:
    """The same seed gives the same blows."""
    assert list(islice(blows(7, 1), 50)) == list(islice(blows(7, 1), 50))
    assert list(islice(blows(7, 1), 50)) != list(islice(blows(8, 1), 50))


def test_every_kind_of_blow_and_step() -> None:
    """Three hundred orders and blows leave out no kind of either."""
    steps = [step for order in range(300) for step in steps_of(7, order).values()]
    dealt = list(islice(blows(7, 1), 600))
    assert {step.manner for step in steps} == {"works", "raises_before", "raises_after"}
    assert any(step.children for step in steps)
    assert any(len(group) > 1 for order in range(300) for group in script(7, order))
    assert {blow.kind for blow in dealt} == {"kill", "spot", "all", "stop", "term", "server", "twin"}
    assert {blow.spot for blow in dealt} == set(SPOTS)


def test_expected_effects() -> None:
    """A step that raises before its effect is expected to leave none; every other one is."""
    steps = steps_of(7, 0)
    left = {name for name, step in steps.items() if step.manner != "raises_before"}
    assert {step for _, step in expected_effects(7, 0)} == left
