"""An agent with a scripted model and two real tools: one charges an order in a file, one looks charges up."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

BANK_SECONDS = 3.0
"""How long the bank takes to answer after it has booked: long enough to be killed in."""


class Step(NamedTuple):
    """What the model wants next: a tool with its arguments."""

    tool: str
    args: dict[str, Any]


class Outcome(NamedTuple):
    """What a tool answered the model."""

    tool: str
    result: Any
    failed: bool


def next_step(order: int, history: Sequence[Outcome]) -> Step | str:
    """Return the model's next step, or its last words; a function of what it has seen, as a model's answer is."""
    if not history:
        return Step("charge", {"order": order})
    last = history[-1]
    if last.tool == "charge" and last.failed:  # the outcome is unknown: look before acting
        return Step("look_up", {"order": order})
    if last.tool == "look_up" and not last.result["charges"]:
        return Step("charge", {"order": order})
    return f"Order {order} is charged."


def charged(charges: Path, order: int) -> int:
    """Count the charges of one order in the world."""
    lines = charges.read_text().splitlines() if charges.exists() else []
    return lines.count(f"charge order {order}")


def tools(charges: Path) -> dict[str, Callable[..., Awaitable[Any]]]:
    """Return the agent's tools over one file of charges."""

    async def charge(order: int) -> dict[str, Any]:
        with charges.open("a") as book:
            book.write(f"charge order {order}\n")
            book.flush()
            os.fsync(book.fileno())
        await asyncio.sleep(BANK_SECONDS)
        return {"charged": order}

    async def look_up(order: int) -> dict[str, Any]:
        return {"charges": charged(charges, order)}

    return {"charge": charge, "look_up": look_up}
