"""Options and outcomes have the keys of the contract and no other."""

from resume_gate.drive import DriveOptions, Settled, WaitingRetry

DriveOptions(operation_id="agent-run/s/r", pause=True)
Settled(operation_id="agent-run/s/r", outcome=None, yielded=True)
WaitingRetry(operation_id="agent-run/s/r", not_before=1, deferred="handle")
