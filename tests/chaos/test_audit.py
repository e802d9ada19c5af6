"""The count at the end finds what it is there to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate.agent.recorder import Recorder
from resume_gate.ledger.files.paths import ledger_path
from tests.chaos.audit import Count, count_ledgers, count_world
from tests.chaos.place import Place, note, run_of
from tests.chaos.script import expected_effects
from tests.chaos.witness import WitnessedStore

SEED = 7


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a place where order 0 was done, and its run recorded, without harm."""
    place = Place(tmp_path / "storm").prepare()
    for order, step in sorted(expected_effects(SEED, 0)):
        note(place.world, {"order": order, "step": step})
    with WitnessedStore(place).open(run_of(0)) as ledger:
        turn = Recorder(ledger, invocation_id="i", turn_id="t")
        turn.user("do order 0")
        with turn.tool("c", "do_step", {"step": "1"}) as call:
            call.result = "done"
        turn.end()
    return place


def counted(place: Place) -> Count:
    """Return the count of the one order."""
    count = Count()
    count_world(count, place, SEED, 1)
    count_ledgers(count, place, 1)
    return count


def cut(place: Place, rows: int) -> None:
    """Take the last rows off the ledger."""
    path = ledger_path(place.ledgers, run_of(0))
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-rows]))


def test_harmless(place: Place) -> None:
    """A world and a ledger as they should be are clean."""
    count = counted(place)
    assert count.clean
    assert (count.problems, count.acknowledged_events) == ([], 5)


def test_duplicate(place: Place) -> None:
    """An effect that is in the world twice is a duplicate."""
    order, step = min(expected_effects(SEED, 0))
    note(place.world, {"order": order, "step": step})
    assert (counted(place).duplicates, counted(place).clean) == (1, False)


def test_missing(place: Place) -> None:
    """An effect that was asked for and is not in the world is missing."""
    place.world.write_text("".join(place.world.read_text().splitlines(keepends=True)[1:]))
    assert (counted(place).missing, counted(place).clean) == (1, False)


def test_lost_events(place: Place) -> None:
    """Events that an append acknowledged, and that are not in the ledger, are lost."""
    cut(place, 2)
    assert (counted(place).lost_events, counted(place).clean) == (2, False)


def test_lost_high_water(place: Place) -> None:
    """So are events below a high-water that was acknowledged."""
    note(place.acknowledged, {"run": run_of(0).run_id, "ids": [], "highWater": 9})
    assert (counted(place).lost_events, counted(place).clean) == (4, False)


def test_torn_ledger(place: Place) -> None:
    """A ledger that cannot be read at the end is unsound, and all its events are lost."""
    with ledger_path(place.ledgers, run_of(0)).open("ab") as file:
        file.write(b'{"id":')
    assert (counted(place).unsound_ledgers, counted(place).clean) == (1, False)


def test_open_call(place: Place) -> None:
    """So is one that ends in a call without a result."""
    cut(place, 2)
    assert counted(place).unsound_ledgers == 1
