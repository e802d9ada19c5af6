"""An ADK agent with a scripted model and a session database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from tests.sessions.live.world import World

WORLD = World()
adk: Any = import_module("google.adk.agents")
models: Any = import_module("google.adk.models")
runners: Any = import_module("google.adk.runners")
sessions: Any = import_module("google.adk.sessions.sqlite_session_service")
types: Any = import_module("google.genai.types")


class Script(models.BaseLlm):  # type: ignore[misc]
    """Asks for the tool, then says that it is done."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[Any]:  # noqa: ARG002, FBT002 - the framework's own signature
        """Answer as the script says."""
        call = types.FunctionCall(name="pay", args={"order": 7})
        part = types.Part(text="Done.") if WORLD.think() else types.Part(function_call=call)
        yield models.LlmResponse(content=types.Content(role="model", parts=[part]))


def pay(order: int) -> dict[str, str]:
    """Charge an order."""
    return {"result": WORLD.pay(order)}


async def main() -> None:
    """Run one invocation."""
    service = sessions.SqliteSessionService(str(WORLD.folder / "store.db"))
    await service.create_session(app_name="app", user_id="u", session_id="s")
    agent = adk.LlmAgent(name="cashier", model=Script(model="script"), tools=[pay])
    runner = runners.Runner(app_name="app", agent=agent, session_service=service)
    question = types.Content(role="user", parts=[types.Part(text="charge order 7")])
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=question):
        pass


asyncio.run(main())
