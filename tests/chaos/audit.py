"""The count at the end: the world against the scripts, the ledgers against what was promised."""

from __future__ import annotations

from collections import Counter

from pydantic import BaseModel

from resume_gate import CorruptLedger, RuntimeEventStore, build_resume_plan
from tests.chaos.place import Place, effects, notes, run_of
from tests.chaos.script import expected_effects


class Count(BaseModel):
    """What one storm came to; times in seconds."""

    orders: int = 0
    effects_expected: int = 0
    effects: int = 0
    duplicates: int = 0
    missing: int = 0
    acknowledged_events: int | None = None
    lost_events: int | None = None
    stuck: int = 0
    failed: int = 0
    unsound_ledgers: int | None = None
    workers_ended_by_themselves: int = 0
    kills: dict[str, int] = {}
    torments: dict[str, int] = {}
    parks: dict[str, int] | None = None
    decisions: dict[str, int] = {}
    refusals: dict[str, int] = {}
    torment_seconds: float = 0
    drain_seconds: float = 0
    problems: list[str] = []

    @property
    def killed(self) -> int:
        """How many processes died of SIGKILL."""
        return sum(self.kills.values())

    @property
    def parked(self) -> int | None:
        """How many plans runs were seen parked on."""
        return None if self.parks is None else sum(self.parks.values())

    @property
    def clean(self) -> bool:
        """Whether nothing was done twice, left out, lost or stuck."""
        bad = (self.duplicates, self.missing, self.lost_events, self.stuck, self.failed, self.unsound_ledgers)
        return not any(bad) and not self.problems


def count_world(count: Count, place: Place, seed: int, orders: int) -> None:
    """Compare the effects in the world with those that the scripts ask for."""
    expected = {effect for order in range(orders) for effect in expected_effects(seed, order)}
    done = Counter(effects(place.world))
    count.orders = orders
    count.effects_expected = len(expected)
    count.effects = done.total()
    count.duplicates = sum(times - 1 for times in done.values())
    count.missing = len(expected - set(done))
    count.problems += [f"done {times} times: {effect}" for effect, times in sorted(done.items()) if times > 1]
    count.problems += [f"missing: {effect}" for effect in sorted(expected - set(done))]
    count.problems += [f"never asked for: {effect}" for effect in sorted(set(done) - expected)]


def count_ledgers(count: Count, place: Place, orders: int) -> None:
    """Compare the ledgers with what their appends acknowledged, and judge each a last time."""
    ledgers = {order: _judged(place, order) for order in range(orders)}
    faults = [f"ledger of {run_of(order)}: {fault}" for order, (_, fault) in ledgers.items() if fault]
    count.unsound_ledgers = len(faults)
    count.problems += faults
    _count_promises(count, place, {run_of(order).run_id: ids for order, (ids, _) in ledgers.items()})


def _judged(place: Place, order: int) -> tuple[list[str], str]:
    try:
        events = RuntimeEventStore(place.ledgers).read(run_of(order)).events
    except CorruptLedger as error:
        return [], str(error)
    plan = build_resume_plan(events)
    ended = plan.safe and plan.terminal_status == "completed"
    fault = "" if ended else ", ".join(plan.rejection_reasons) or "it has no end"
    return [event.id for event in events], fault


def _count_promises(count: Count, place: Place, held: dict[str, list[str]]) -> None:
    promised: dict[str, set[str]] = {}
    high_water: Counter[str] = Counter()
    for promise in notes(place.acknowledged):
        run = promise["run"]
        promised.setdefault(run, set()).update(promise["ids"])
        high_water[run] = max(high_water[run], promise["highWater"])
    count.acknowledged_events = sum(map(len, promised.values()))
    count.lost_events = 0
    for run, ids in sorted(promised.items()):
        there = held.get(run, [])
        lost = max(len(ids - set(there)), high_water[run] - len(there))
        count.lost_events += lost
        count.problems += [f"{lost} acknowledged events are not in the ledger of {run}"] * (lost > 0)
