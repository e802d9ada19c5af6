"""Where a named session lies: below the one root that the operator allows, never at a free path."""

from __future__ import annotations

from pathlib import Path

from resume_gate.errors import ContractMisuse


def locate(root: Path, locator: str) -> Path:
    """Return the file that a relative locator names below the root.

    ``ContractMisuse`` for one that is no plain relative path, or that a link leads elsewhere; ``FileNotFoundError``
    where nothing is there.
    """
    parts = locator.split("/")
    if any(part in ("", ".", "..") or set(part) & set('\\:*?"<>|\0') for part in parts):
        raise ContractMisuse(f"{locator[:200]!r} is no plain path below the sessions root")
    path = root
    for part in parts:
        path /= part
        if path.is_symlink():
            raise ContractMisuse(f"{locator[:200]!r} leads over a link; below the sessions root none is followed")
    if not path.resolve(strict=True).is_relative_to(root.resolve()):
        raise ContractMisuse(f"{locator[:200]!r} leaves the sessions root")
    return path
