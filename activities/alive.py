"""Heartbeats of the control activities: a worker that died is noticed in seconds, a slow disk is waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from datetime import timedelta
from threading import Event, Thread

from temporalio import activity

_EVERY = timedelta(seconds=2)


@contextmanager
def alive(*, every: timedelta = _EVERY) -> Iterator[None]:
    """Heartbeat the running activity meanwhile; one that is shorter than ``every`` sends none."""
    done = Event()

    def beat() -> None:
        while not done.wait(every.total_seconds()):
            activity.heartbeat()

    thread = Thread(target=copy_context().run, args=(beat,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
