"""What a reader does not know: new versions bring new kinds of rows and parts, and one of them may hold a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

# Known by its keys and its type, not by its words: a text may speak of tools and calls.
_LIKE_A_CALL = re.compile(
    rb'"\w*(?:tool|call|invocation)\w*"\s*:|"(?:type|kind|role)"\s*:\s*"[^"]*(?:tool|call|exec|function|command)',
    re.IGNORECASE,
)


def like_a_call(value: Any) -> bool:
    """Tell whether something of an unknown kind may be, or hold, a call or a result: plain JSON, or its bytes."""
    return _LIKE_A_CALL.search(value if isinstance(value, bytes) else json.dumps(value).encode()) is not None


def in_words(kinds: Iterable[str]) -> str | None:
    """Say what the unknown kinds can hide; ``None`` where there are none."""
    first = next(iter(kinds), None)
    if first is None:
        return None
    return (
        f"There is a {first}, a kind that is not known here and may hold a call. Check what it did in the world; "
        "a later version of this program may know it."
    )
