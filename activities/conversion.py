"""Domain errors become Temporal's, in this one place; operating-system errors pass through and are retried."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

from resume_gate.errors import BusyLedger, ResumeGateError

_log = logging.getLogger(__name__)


@contextmanager
def as_failures(*, retry_busy: bool = False) -> Iterator[None]:
    """Raise an ``ApplicationError`` typed by the domain error's name; retried only for a busy ledger, if asked.

    It is an answer to whoever asked, so the worker's log has a line of it and no traceback.
    """
    try:
        yield
    except ResumeGateError as error:
        again = retry_busy and isinstance(error, BusyLedger)
        kind, info = type(error).__name__, activity.info()
        _log.warning("%s of %s: %s", info.activity_type, info.workflow_id, kind)
        raise ApplicationError(
            str(error), type=kind, non_retryable=not again, category=ApplicationErrorCategory.BENIGN
        ) from error
