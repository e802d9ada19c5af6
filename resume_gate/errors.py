"""The error tree: few errors, each with one consequence for whoever catches it."""

from __future__ import annotations


class ResumeGateError(Exception):
    """Base of every error that this package raises on purpose."""


class InvalidEvent(ResumeGateError):
    """A candidate was refused: mend the event; the ledger is as it was."""


class CorruptLedger(ResumeGateError):
    """The evidence is damaged: stop, and let a person look at it.

    ``row`` counts from 1 and ``byte`` from 0; both are ``None`` where the damage has no single place.
    """

    def __init__(self, why: str, *, row: int | None = None, byte: int | None = None) -> None:
        """Say why, and where in the file."""
        self.why, self.row, self.byte = why, row, byte
        place = "" if row is None else f"row {row}: " if byte is None else f"row {row}, byte {byte}: "
        super().__init__(place + why)


class BusyLedger(ResumeGateError):
    """Another writer holds the ledger: it still lives, so wait for its process to end."""


class StalePlan(ResumeGateError):
    """The ledger is not the one that was planned for: go through the gate again."""


class ContractMisuse(ResumeGateError):
    """The caller asked for what the contract does not know: a bug, or a malformed request."""
