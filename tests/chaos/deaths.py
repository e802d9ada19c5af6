"""How a worker is made to die at one exact place: whoever removes the armed flag kills itself there."""

from __future__ import annotations

import os
import signal
import time
from typing import Literal, NoReturn

from resume_gate.failpoints import FailpointId
from resume_gate.ledger.files.file import LedgerFile
from tests.chaos.place import Place, note, notes

Spot = FailpointId | Literal["torn row", "between rows", "decision recorded"]
"""A failpoint; in an append, inside its last row or after the first of several; or after ``record_decision`` wrote."""


def arm(place: Place, spot: Spot) -> None:
    """Have the next worker that passes die there."""
    (place.flags / spot).touch()


def disarm(place: Place, spot: Spot) -> bool:
    """Take the flag away; whether it was still there."""
    try:
        (place.flags / spot).unlink()
    except FileNotFoundError:
        return False
    return True


class Deaths:
    """A worker's side: call it with the spot that is passed."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def __call__(self, spot: Spot) -> None:
        """Die here if that is armed."""
        if disarm(self._place, spot):
            self._die(spot)

    def _die(self, spot: Spot) -> NoReturn:
        note(self._place.deaths, {"pid": os.getpid(), "spot": spot})
        os.kill(os.getpid(), signal.SIGKILL)
        while True:  # never a line further, however late the signal comes
            time.sleep(1)

    def break_appends(self) -> None:
        """Make this process able to die in the middle of an append, which a kill from outside would hardly ever hit."""
        whole = LedgerFile._write

        def part(file: LedgerFile, data: bytes) -> None:
            first, *others = data.splitlines(keepends=True)
            if others and disarm(self._place, "between rows"):
                whole(file, first)
                self._die("between rows")
            if disarm(self._place, "torn row"):
                whole(file, data[: -(len([first, *others][-1]) // 2)])
                self._die("torn row")
            whole(file, data)

        LedgerFile._write = part  # type: ignore[method-assign,assignment]


def spot_of_death(place: Place, pid: int) -> str | None:
    """Return where a process said it would kill itself."""
    return next((one["spot"] for one in notes(place.deaths) if one["pid"] == pid), None)
