"""Where one storm keeps its files, and how its processes write to them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from resume_gate import RunRef

SESSION = "storm"


class Place(NamedTuple):
    """One storm's directory; small enough to hand to every process."""

    directory: Path

    @property
    def ledgers(self) -> Path:
        """The ledger root."""
        return self.directory / "ledgers"

    @property
    def world(self) -> Path:
        """The file of effects: what the tools really did."""
        return self.directory / "world.jsonl"

    @property
    def acknowledged(self) -> Path:
        """The file of promises: what an append said was committed."""
        return self.directory / "acknowledged.jsonl"

    @property
    def deaths(self) -> Path:
        """The file in which a worker that kills itself says where."""
        return self.directory / "deaths.jsonl"

    @property
    def flags(self) -> Path:
        """The directory of armed failpoints."""
        return self.directory / "flags"

    @property
    def log(self) -> Path:
        """Where the workers' warnings go."""
        return self.directory / "workers.log"

    @property
    def database(self) -> Path:
        """The server's file."""
        return self.directory / "temporal.db"

    def prepare(self) -> Place:
        """Create what has to exist before the first process starts."""
        for directory in (self.ledgers, self.flags):
            directory.mkdir(parents=True)
        return self


def note(path: Path, fact: dict[str, Any], *, sync: bool = False) -> None:
    """Append one line in one write, so that a kill leaves all of it or nothing."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(fd, json.dumps(fact, separators=(",", ":")).encode() + b"\n")
        if sync:
            os.fsync(fd)
    finally:
        os.close(fd)


def notes(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what was noted, oldest first."""
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def effects(world: Path) -> list[tuple[int, str]]:
    """Return every effect in the world as (order, step), as often as it is there."""
    return [(one["order"], one["step"]) for one in notes(world)]


def draws(*seed: object) -> Random:
    """Return a source of choices that is the same for the same seed."""
    return Random("/".join(map(str, seed)))  # noqa: S311 - a storm must be repeatable, not unpredictable


def run_of(order: int) -> RunRef:
    """Return the run that does an order."""
    return RunRef(SESSION, f"order-{order}")


def order_of(run: RunRef) -> int:
    """Return the order that a run does."""
    return int(run.run_id.rpartition("-")[2])
