"""Options without the operation they are for, and with a number for it."""

from resume_gate.drive import DriveOptions

DriveOptions()
DriveOptions(operation_id=1)
