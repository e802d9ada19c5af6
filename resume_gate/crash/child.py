"""The process that the crash harness kills: ``python -m resume_gate.crash.child ROOT SESSION RUN PREFIX``.

It commits a prefix, reports on stdout, and waits for its death. Where the parent dies first, its stdin ends and so does
it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import cast

from resume_gate.crash.harness import committed_events, finally_marker
from resume_gate.failpoints import Prefix
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.wire import RunRef


def main(root: Path, run: RunRef, prefix: Prefix) -> None:
    """Commit the prefix, report ready only after every append returned, and wait."""
    try:
        with RuntimeEventStore(root).open(run) as ledger:
            for event in committed_events(run, prefix):
                ledger.append(event)
            ready = {
                "eventIds": [event.id for event in ledger.events],
                "digest": ledger.reference.prefix_digest,
            }
            sys.stdout.write(json.dumps(ready) + "\n")
            sys.stdout.flush()
            sys.stdin.read()
    finally:
        finally_marker(root, run).touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), RunRef(sys.argv[2], sys.argv[3]), cast("Prefix", sys.argv[4]))
