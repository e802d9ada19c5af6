"""A process without descriptors loses nothing and says so."""

from __future__ import annotations

import errno
import os
import resource
import sys
from pathlib import Path

import pytest

from resume_gate import RuntimeEventStore
from resume_gate.operators.record import open_run
from tests.operators.kit import RUN
from tests.operators.test_open_run import REQUEST

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the limit is a POSIX one")


def test_an_exhausted_descriptor_table_is_an_error(tmp_path: Path) -> None:
    """Opening fails with EMFILE, leaves no lock behind, and works once descriptors are free again."""
    store = RuntimeEventStore(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.open(os.devnull, os.O_RDONLY)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + 1, hard))  # one is left: for the lock, not for the ledger
    try:
        with pytest.raises(OSError, match=os.strerror(errno.EMFILE)):
            store.open(RUN)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert open_run(store, REQUEST) == 1
