"""What the agent of one order does: groups of steps, a function of seed and order alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, NamedTuple

from tests.chaos.place import draws

Manner = Literal["works", "raises_before", "raises_after"]
Group = tuple["Step", ...]
_NESTED = 0.25
_SLOW = 0.6
_PARALLEL = (1, 1, 2, 3)


class Step(NamedTuple):
    """One tool call: its effect, how long the tool takes around it (seconds), and the calls hidden inside it."""

    name: str
    manner: Manner
    before: float
    after: float
    children: tuple[Step, ...] = ()

    def family(self) -> Iterator[Step]:
        """Yield this step and every step inside it."""
        yield self
        for child in self.children:
            yield from child.family()


def script(seed: int, order: int) -> tuple[Group, ...]:
    """Return three to six steps; those of one group run in parallel, the groups one after the other."""
    choice = draws(seed, "order", order)
    steps = [_step(choice, str(number + 1)) for number in range(choice.randint(3, 6))]
    groups = []
    while steps:
        size = choice.choice(_PARALLEL)
        groups.append(tuple(steps[:size]))
        steps = steps[size:]
    return tuple(groups)


def _step(choice: Random, name: str) -> Step:
    inside = choice.randint(1, 2) if choice.random() < _NESTED else 0
    children = tuple(_leaf(choice, f"{name}.{number + 1}") for number in range(inside))
    return _leaf(choice, name)._replace(children=children)


def _leaf(choice: Random, name: str) -> Step:
    seconds = choice.uniform(0.2, 1) if choice.random() < _SLOW else choice.uniform(0, 0.05)
    before = seconds * choice.random()
    manner: Manner = choice.choices(("works", "raises_before", "raises_after"), (8, 1, 1))[0]
    return Step(name, manner, before, seconds - before)


def steps_of(seed: int, order: int) -> dict[str, Step]:
    """Return every step of an order by its name, hidden ones too."""
    groups = script(seed, order)
    return {step.name: step for group in groups for top in group for step in top.family()}


def expected_effects(seed: int, order: int) -> set[tuple[int, str]]:
    """Return the effects that an order must have left in the world, each once."""
    return {(order, step.name) for step in steps_of(seed, order).values() if step.manner != "raises_before"}
