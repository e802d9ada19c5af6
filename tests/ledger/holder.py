"""A process that holds a run's writer lock until its stdin ends: ROOT SESSION RUN."""

import sys

from resume_gate import RunRef, RuntimeEventStore

with RuntimeEventStore(sys.argv[1]).open(RunRef(sys.argv[2], sys.argv[3])):
    print("ready", flush=True)
    sys.stdin.read()
