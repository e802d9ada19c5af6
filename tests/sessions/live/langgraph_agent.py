"""A LangGraph agent with a scripted model, its checkpoints written with durability ``sync``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.sessions.live.world import World

WORLD = World()
agents: Any = import_module("langchain.agents")
chat_models: Any = import_module("langchain_core.language_models.chat_models")
messages: Any = import_module("langchain_core.messages")
outputs: Any = import_module("langchain_core.outputs")
savers: Any = import_module("langgraph.checkpoint.sqlite")


class Script(chat_models.BaseChatModel):  # type: ignore[misc]
    """Asks for the tool, then says that it is done."""

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, *_: Any, **__: Any) -> Script:
        """Take the tools as known."""
        return self

    def _generate(self, *_: Any, **__: Any) -> Any:
        calls = [] if WORLD.think() else [{"name": "pay", "args": {"order": 7}, "id": "call-1"}]
        answer = messages.AIMessage(content="" if calls else "Done.", tool_calls=calls)
        return outputs.ChatResult(generations=[outputs.ChatGeneration(message=answer)])


def pay(order: int) -> str:
    """Charge an order."""
    return WORLD.pay(order)


with savers.SqliteSaver.from_conn_string(str(WORLD.folder / "store.db")) as saver:
    graph = agents.create_agent(Script(), [pay], checkpointer=saver)
    config = {"configurable": {"thread_id": "t"}}
    graph.invoke({"messages": [("user", "charge order 7")]}, config, durability="sync")
