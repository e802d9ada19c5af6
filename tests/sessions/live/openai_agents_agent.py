"""An agent of the OpenAI Agents SDK with a scripted model and a session in SQLite."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from tests.sessions.live.world import World

WORLD = World()
agents: Any = import_module("agents")
interface: Any = import_module("agents.models.interface")
items: Any = import_module("agents.items")
usage: Any = import_module("agents.usage")
responses: Any = import_module("openai.types.responses")


class Script(interface.Model):  # type: ignore[misc]
    """Asks for the tool, then says that it is done."""

    async def get_response(self, *_: Any, **__: Any) -> Any:
        """Answer as the script says."""
        text = responses.ResponseOutputText(text="Done.", type="output_text", annotations=[])
        said = {"id": "m", "content": [text], "role": "assistant", "status": "completed", "type": "message"}
        asked = {"id": "f", "call_id": "call-1", "name": "pay", "arguments": '{"order": 7}', "type": "function_call"}
        done = WORLD.think()
        answer = responses.ResponseOutputMessage(**said) if done else responses.ResponseFunctionToolCall(**asked)
        return items.ModelResponse(output=[answer], usage=usage.Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        """Refuse: nothing streams here."""
        raise NotImplementedError


def pay(order: int) -> str:
    """Charge an order."""
    return WORLD.pay(order)


agents.set_tracing_disabled(disabled=True)
agent = agents.Agent(name="cashier", model=Script(), tools=[agents.function_tool(pay)])
session = agents.SQLiteSession("s", WORLD.folder / "store.db")
asyncio.run(agents.Runner.run(agent, "charge order 7", session=session))
session.close()
