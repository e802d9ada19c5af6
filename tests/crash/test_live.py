"""A real turn dies at each real call site, and the gate judges what it left (contract section 8)."""

import os
import signal
from pathlib import Path
from typing import NamedTuple

import pytest

from resume_gate import FAILPOINTS, RuntimeEventStore
from resume_gate.crash.harness import start_child
from resume_gate.failpoints import Failpoint, FailpointId
from tests.crash.turn_agent import gate

AGENT = str(Path(__file__).with_name("turn_agent.py"))


class Left(NamedTuple):
    """What a death leaves: events, effects, and the plan's answer."""

    events: int
    effects: int
    safe: bool
    statuses: list[str]
    terminal: str | None = None


EXPECTED: dict[FailpointId, Left] = {
    "P0": Left(1, 0, safe=True, statuses=[]),
    "P1": Left(2, 0, safe=False, statuses=["not_dispatched"]),
    "P2": Left(3, 0, safe=False, statuses=["indeterminate"]),
    "P3": Left(3, 0, safe=False, statuses=["indeterminate"]),
    "P4": Left(3, 1, safe=False, statuses=["indeterminate"]),
    "P5": Left(4, 1, safe=True, statuses=["succeeded"]),
    "P6": Left(4, 1, safe=True, statuses=["succeeded"]),
    "P7": Left(4, 1, safe=True, statuses=["succeeded"]),
    "P8": Left(5, 1, safe=True, statuses=["succeeded"]),
    "P9": Left(6, 1, safe=True, statuses=["succeeded"], terminal="completed"),
    "P10": Left(6, 1, safe=True, statuses=["succeeded"], terminal="completed"),
    "P11": Left(6, 1, safe=True, statuses=["succeeded"], terminal="completed"),
}


def die_at(directory: Path, at: str) -> int:
    """Run the agent in a process of its own; return how that ended."""
    with start_child(AGENT, str(directory), at) as child:
        _, errors = child.communicate(timeout=60)
    assert errors == ""
    return child.returncode


@pytest.mark.parametrize("failpoint", FAILPOINTS, ids=lambda failpoint: failpoint.id)
def test_a_death_at_the_call_site_is_judged_rightly(tmp_path: Path, failpoint: Failpoint) -> None:
    """The process died there and nowhere else, the effect happened as often as it says, and the plan fits."""
    ended = die_at(tmp_path, failpoint.id)
    assert ended == (9 if os.name == "nt" else -signal.SIGKILL)
    assert (tmp_path / "died-at").read_text() == failpoint.id
    effects = tmp_path / "effects"
    plan = gate(RuntimeEventStore(tmp_path))
    assert EXPECTED[failpoint.id] == Left(
        plan.source_high_water,
        effects.read_text().count("charged\n") if effects.exists() else 0,
        plan.safe,
        [operation.status for operation in plan.operations],
        plan.terminal_status,
    )


def test_without_a_death_everything_is_passed(tmp_path: Path) -> None:
    """The same agent, not killed, ends well, so it was the failpoint that ended it."""
    assert die_at(tmp_path, "nowhere") == 0
    assert not (tmp_path / "died-at").exists()
    assert gate(RuntimeEventStore(tmp_path)).source_high_water == 7
