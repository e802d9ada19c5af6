"""Where a run's ledger lies under a root; a caller may name a run, never a path (contract section 3)."""

from __future__ import annotations

import errno
import hashlib
import re
from pathlib import Path

from resume_gate.errors import CorruptLedger
from resume_gate.wire import RunRef, require_safe_run

LEDGER_NAME = "runtime-events.jsonl"
_KEPT = re.compile(r"\.torn-\d+-[0-9a-f]{8}\Z")


def ledger_path(root: Path, run: RunRef) -> Path:
    """Return the path of the run's ledger, whether it exists or not.

    Raises ``ContractMisuse`` for an id that is more than a name, ``CorruptLedger`` where a link or anything but a
    regular file lies in the way, ``FileNotFoundError`` where the root itself is missing (an unmounted volume).
    """
    require_safe_run(run)
    if not root.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the ledger root does not exist or is not mounted", str(root))
    run_directory = root / "sessions" / run.session_id / "runs" / run.run_id
    path = run_directory / LEDGER_NAME
    between = [part for part in run_directory.parents if part.is_relative_to(root) and part != root]
    for part in (*between, run_directory, path, lock_path(path)):
        _refuse_link(part)
    if path.exists() and not path.is_file():
        raise CorruptLedger(f"{path} is not a regular file")
    return path


def kept_path(ledger: Path, size: int, torn: bytes) -> Path:
    """Return the path of what was cut off a ledger of ``size`` bytes, beside it."""
    return ledger.with_name(f"{ledger.name}.torn-{size}-{hashlib.sha256(torn).hexdigest()[:8]}")


def is_kept(path: Path) -> bool:
    """Tell whether a file's name is one of ``kept_path``."""
    return _KEPT.search(path.name) is not None


def lock_path(ledger: Path) -> Path:
    """Return the path of the lock file beside a ledger."""
    return ledger.with_name(ledger.name + ".lock")


def _refuse_link(path: Path) -> None:
    is_junction = getattr(path, "is_junction", None)  # Python 3.12
    if path.is_symlink() or (is_junction is not None and is_junction()):
        raise CorruptLedger(f"{path} is a link; below the ledger root only real directories and files are read")
