"""A pydantic-ai agent with a scripted model, its history saved after every node."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from tests.sessions.live.world import World

WORLD = World()
pydantic_ai: Any = import_module("pydantic_ai")
messages: Any = import_module("pydantic_ai.messages")
functions: Any = import_module("pydantic_ai.models.function")


def script(*_: Any) -> Any:
    """Ask for the tool, then say that it is done."""
    asked = messages.ToolCallPart("pay", {"order": 7}, tool_call_id="call-1")
    return messages.ModelResponse(parts=[messages.TextPart("Done.") if WORLD.think() else asked])


def pay(order: int) -> str:
    """Charge an order."""
    return WORLD.pay(order)


async def main() -> None:
    """Run the agent node by node."""
    agent = pydantic_ai.Agent(functions.FunctionModel(script), tools=[pay])
    history = WORLD.folder / "history.json"
    async with agent.iter("charge order 7") as run:
        async for _ in run:
            half = history.with_suffix(".half")
            half.write_bytes(messages.ModelMessagesTypeAdapter.dump_json(run.all_messages()))
            half.replace(history)


asyncio.run(main())
