"""The events that the next model sees (contract section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from resume_gate.errors import CorruptLedger
from resume_gate.events.event import FunctionCall, FunctionResponse, RuntimeEvent
from resume_gate.verdict.recovery import recover


def replay_events(events: Iterable[RuntimeEvent]) -> Iterator[RuntimeEvent]:
    """Yield the events that the next model sees, in ledger order.

    Without partial and hidden events, and without any call or response that is not paired: a pair is a visible call
    and the first visible response after it with the same invocation, id and name. ``CorruptLedger`` where the ledger
    is corrupt, since it has no replay.
    """
    events = tuple(events)
    recovery = recover(events)
    if recovery.has_corruption:
        codes: set[str] = {issue.code for issue in recovery.issues} or {"recovery_fact_corruption"}
        raise CorruptLedger(f"a corrupt ledger has no replay ({', '.join(sorted(codes))}): repair it first")
    return _replayed(events)


def _replayed(events: tuple[RuntimeEvent, ...]) -> Iterator[RuntimeEvent]:
    waiting: dict[tuple[str, str], tuple[str, int]] = {}
    paired: set[int] = set()
    for place, event in enumerate(events):
        content = event.content
        if not event.visible or not isinstance(content, FunctionCall | FunctionResponse):
            continue
        key = (event.invocation_id, content.id)
        if isinstance(content, FunctionCall):
            waiting[key] = (content.name, place)
        elif key in waiting and waiting[key][0] == content.name:
            paired |= {place, waiting.pop(key)[1]}
    for place, event in enumerate(events):
        half = isinstance(event.content, FunctionCall | FunctionResponse)
        if event.visible and (place in paired or not half):
            yield event
