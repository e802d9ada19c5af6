"""What every live agent shares: an effect that stays in the world, and the moment at which its process dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class World:
    """A folder, and the moment of death: ``before`` or ``inside`` the tool, ``after`` it, or never (``clean``)."""

    def __init__(self) -> None:
        self.folder, self._moment = Path(sys.argv[1]), sys.argv[2]
        self.models = 0

    def pay(self, order: int) -> str:
        """Charge an order, for real."""
        self._die_at("before")
        with (self.folder / "effects.txt").open("a") as file:
            file.write(f"pay {order}\n")
        self._die_at("inside")
        return f"paid {order}"

    def think(self) -> bool:
        """Take the model's turn; return whether it has seen the tool's result."""
        self.models += 1
        if self.models > 1:
            self._die_at("after")
        return self.models > 1

    def _die_at(self, moment: str) -> None:
        if moment == self._moment:
            os._exit(137)  # as a killed process: nothing is flushed, closed or cleaned up
