"""A writer that appends without end, and says each id once its append returned: ROOT DURABILITY."""

import sys
from pathlib import Path

from resume_gate import RunRef, RuntimeEvent, RuntimeEventStore
from resume_gate.events.event import Text
from resume_gate.ledger.files.store import Durability

RUN = RunRef("session_1", "run_1")
DURABILITIES: dict[str, Durability] = {"sync": "sync", "process": "process"}


def event(number: int) -> RuntimeEvent:
    """Return an event of many pages, so that a kill may come in the middle of its write."""
    return RuntimeEvent(
        id=f"event_{number}",
        invocation_id="invocation_1",
        run_id=RUN.run_id,
        session_id=RUN.session_id,
        turn_id="turn_1",
        ts=number,
        partial=False,
        role="user",
        author="user",
        content=Text(text="x" * 100_000),
    )


def append_without_end(root: Path, durability: Durability) -> None:
    """Append, and say each id once its append returned."""
    with RuntimeEventStore(root, durability=durability).open(RUN) as ledger:
        for number in range(2000):
            ledger.append(event(number))
            print(event(number).id, flush=True)


if __name__ == "__main__":
    append_without_end(Path(sys.argv[1]), DURABILITIES[sys.argv[2]])
