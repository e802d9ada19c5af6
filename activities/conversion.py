"""Domain errors become Temporal's, in this one place; operating-system errors pass through and are retried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from temporalio.exceptions import ApplicationError

from resume_gate.errors import BusyLedger, ResumeGateError


@contextmanager
def as_failures(*, retry_busy: bool = False) -> Iterator[None]:
    """Raise an ``ApplicationError`` typed by the domain error's name; retried only for a busy ledger, if asked."""
    try:
        yield
    except ResumeGateError as error:
        again = retry_busy and isinstance(error, BusyLedger)
        raise ApplicationError(str(error), type=type(error).__name__, non_retryable=not again) from error
