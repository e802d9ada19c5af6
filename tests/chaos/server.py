"""The embedded server of one storm, which is killed and restarted on its own file and port."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Self

from resume_gate.temporal.devserver import DevServer, free_port, start_server
from tests.chaos.place import Place


class MortalServer:
    """A server with one address for all its lives."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._port = free_port()
        self._server: DevServer | None = None
        self._one_at_a_time = asyncio.Lock()
        self.kills = 0

    @property
    def address(self) -> str:
        """Where it listens, while it does."""
        return f"127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.to_thread(self._start)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            await asyncio.to_thread(self._server.close)

    def _start(self) -> DevServer:
        return start_server(database=self._place.database, port=self._port)

    async def crash(self, seconds: float) -> None:
        """Kill it (SIGKILL), and start it again after a while."""
        async with self._one_at_a_time:
            dying, self._server = self._server, None
            if dying is None or not dying.running:
                raise RuntimeError("the server is gone, and the storm did not kill it")
            os.kill(dying.pid, signal.SIGKILL)
            self.kills += 1
            await asyncio.to_thread(dying.close)
            await asyncio.sleep(seconds)
            self._server = await asyncio.to_thread(self._start)
