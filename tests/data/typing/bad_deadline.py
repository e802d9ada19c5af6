"""There is no deadline in the core: the host owns time."""

from resume_gate.drive import DriveOptions

DriveOptions(operation_id="agent-run/s/r", deadline=1_790_000_000_000)
