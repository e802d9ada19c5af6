"""Where a Claude Code session may hide a call: requests whose answer is not in the file.

The program starts a tool as soon as its block is complete, and writes the row later. So wherever a request can have
been under way when the program died, at the end of the file or before a resume, a tool can have run without a trace.
"""

from __future__ import annotations

from typing import Any

_FINAL = ("end_turn", "stop_sequence")


class Turns:
    """Follows the requests of one chain of rows, in the order they were written; times are as the rows give them."""

    def __init__(self) -> None:
        self.open = False
        """Whether a request may be under way after the last row."""
        self.since = ""
        """When the last of it was asked: whatever is hidden came later."""
        self.cut: str | None = None
        """When the first request was made that was cut off before its answer was in the file."""
        self._firm = False
        self._queued = False
        self._commanded = False
        self._promised: dict[str, str] = {}
        self._kept: set[str] = set()

    def prompt(self, at: str, *, queued: bool = False) -> None:
        """Take a prompt, which is firm: the next one comes after its answer. Only queued ones are asked together."""
        if self.open and (self._firm or (self._queued and not queued)):
            self._cut_off()
        self._ask(at, firm=not queued, queued=queued)

    def command(self) -> None:
        """Take a command, whose prompt is the next note."""
        self._commanded = True

    def note(self, at: str) -> None:
        """Take a note of the program's own that goes to the model."""
        if self._commanded:
            self.prompt(at)
        else:
            self._ask(at, firm=self.open and self._firm, queued=self.open and self._queued)

    def result(self, at: str) -> None:
        """Take a tool's result, which goes to the model."""
        self._ask(at, firm=True)

    def answer(self, at: str, message: str, stop_reason: Any, *, calls: bool) -> None:
        """Take an answer of the model's, one row of the message that has this id."""
        if calls:
            self._kept.add(message)
        if stop_reason == "tool_use":
            self._promised.setdefault(message, at)
        if stop_reason in _FINAL:
            self.open = False
        else:
            self._ask(at, firm=True)

    def stand_in(self) -> None:
        """Take an answer that the program wrote itself, in place of one that never came."""
        if self.open:
            self._cut_off()
        self.open = False

    def ended(self) -> None:
        """Take the end of a turn that the program lived to write: an interruption, or an error of the service."""
        self.open = False

    def unrecorded(self) -> str | None:
        """Tell when a message asked for a tool whose block is not in the file; ``None`` where none did."""
        return next((at for message, at in self._promised.items() if message not in self._kept), None)

    def _ask(self, at: str, *, firm: bool, queued: bool = False) -> None:
        self.since, self.open, self._firm, self._queued = at, True, firm, queued
        self._commanded = False

    def _cut_off(self) -> None:
        self.cut = self.since if self.cut is None else self.cut


class Requests:
    """The log of requests that newer versions keep, and which of them were answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, str]] = {}
        self._sources: dict[str, str] = {}
        self._answered: set[str] = set()

    def sent(self, request: Any, source: Any, at: str) -> None:
        """Take a request and what part of the program sent it."""
        if isinstance(request, str) and isinstance(source, str):
            self._waiting[request] = (source, at)
            self._sources[request] = source

    def answered(self, request: Any) -> None:
        """Take an answer to a request."""
        if isinstance(request, str) and request in self._sources:
            self._waiting.pop(request, None)
            self._answered.add(self._sources[request])

    def given_up(self) -> None:
        """Take it that the program lived to give up what it waits for."""
        self._waiting.clear()

    def lost(self) -> str | None:
        """Tell when a request was sent whose answer is not in the file, though this file keeps answers to its kind."""
        return next((at for source, at in self._waiting.values() if source in self._answered), None)
