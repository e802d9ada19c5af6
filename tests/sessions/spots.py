"""Every place in a JSON value, for tests that put something odd there."""

from __future__ import annotations

from typing import Any


def spots(value: Any) -> list[tuple[Any, Any]]:
    """List every (container, key) below a value."""
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    return [spot for key in keys for spot in [(value, key), *spots(value[key])]]
