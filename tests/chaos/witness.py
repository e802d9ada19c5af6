"""A store that notes what it promised: every event id that an append acknowledged, before anybody hears of it."""

from __future__ import annotations

from collections.abc import Iterable

from resume_gate import LedgerWriter, RunRef, RuntimeEvent, RuntimeEventStore
from resume_gate.ledger.prefix import ReplayReference
from tests.chaos.place import Place, note


class WitnessedStore(RuntimeEventStore):
    """``RuntimeEventStore`` whose writers keep the file of promises."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.ledgers)
        self._place = place

    def open(self, run: RunRef, *, expect: ReplayReference | None = None) -> LedgerWriter:
        """Open the run's ledger; see ``RuntimeEventStore.open``."""
        writer = super().open(run, expect=expect)
        append_all = writer.append_all

        def witnessed(events: Iterable[RuntimeEvent]) -> None:
            given = list(events)
            append_all(given)
            ids = [event.id for event in given]
            note(self._place.acknowledged, {"run": run.run_id, "ids": ids, "highWater": writer.high_water})

        writer.append_all = witnessed  # type: ignore[method-assign]
        return writer
