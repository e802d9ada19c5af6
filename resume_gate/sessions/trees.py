"""Which of a tree's events an agent would go on from: those on the way from the last row to the root."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from resume_gate.events.event import RuntimeEvent


class Tree:
    """The rows' parents, and the events made of each."""

    def __init__(self) -> None:
        self._parents: dict[str, Any] = {}
        self._events: dict[str, list[str]] = {}
        self._leaf: str | None = None
        self._side_leaf: str | None = None

    def add(self, row: Any, parent: Any, *, side: bool = False) -> bool:
        """Take a row; tell whether one of its id was there before. A row at the side is no leaf of the main tree."""
        if not isinstance(row, str):
            return False
        repeated = row in self._parents
        self._parents[row] = parent
        if side:
            self._side_leaf = row
        else:
            self._leaf = row
        return repeated

    def missing(self) -> str | None:
        """Return the id of a row from which another went on, and which is not there; ``None`` where all are."""
        parents = (parent for parent in self._parents.values() if isinstance(parent, str))
        return next((parent for parent in parents if parent not in self._parents), None)

    def made(self, row: Any, events: Iterable[RuntimeEvent]) -> None:
        """Take the events made of a row."""
        if isinstance(row, str):
            self._events.setdefault(row, []).extend(event.id for event in events)

    def path(self) -> frozenset[str] | None:
        """Return the ids of the events from the last row to its root; ``None`` where the rows have no ids."""
        row: Any = self._leaf or self._side_leaf
        if row is None:
            return None
        found: set[str] = set()
        walked: set[str] = set()
        while isinstance(row, str) and row in self._parents and row not in walked:
            walked.add(row)
            found.update(self._events.get(row, ()))
            row = self._parents[row]
        return frozenset(found)
