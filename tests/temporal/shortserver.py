"""A server that suggests to continue as new after very few events."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from resume_gate.temporal import devserver
from resume_gate.temporal.devserver import DevServer, find_server, start_server


@contextmanager
def short_server(directory: Path, *, events: int) -> Iterator[DevServer]:
    """Start a dev server that suggests to continue as new once a history has so many events."""
    setting = f"limit.historyCount.suggestContinueAsNew={events}"
    script = directory / "temporal"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(find_server())} "$@" --dynamic-config-value {setting}\n')
    script.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devserver, "find_server", lambda: str(script))
        running = start_server()
    with running:
        yield running
