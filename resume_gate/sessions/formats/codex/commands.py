"""Which commands and scripts of a Codex session still run, and what is seen to end them."""

from __future__ import annotations

import re
from typing import Any

from resume_gate.sessions.background import backgrounds
from resume_gate.sessions.formats.codex.outputs import text_and_failure

# In code mode the script prints a command's result as JSON: a session id while it runs, an exit code at its end.
_PRINTED_SESSION = re.compile(r'\\*"session_id\\*"\s*:\s*\\*"?(\d+)')
_PRINTED_EXIT = re.compile(r'\\*"exit_code\\*"\s*:\s*(-?\d+)')
_STARTS_COMMAND = re.compile(r"\bexec_command\s*\(")
_NAMED = re.compile(r"\bexec_command\b")
# What can start a command more often than it is written down.
_REPEATS = re.compile(r"\b(?:for|while|do|function)\b|=>|\.(?:map|flatMap|forEach|reduce)\b")
_BY_ANY_NAME = re.compile(r"\btools\s*(?:\?\.)?\s*\[")
_OTHER_TOOL = re.compile(r"(\bawait\s+)?\btools\s*\.\s*(?!exec_command\b)\w+\s*\(")
_CMD_LITERAL = re.compile(r"""\bcmd["']?\s*:\s*(["'`])((?:\\.|(?!\1).)*)\1""", re.DOTALL)
_NOISE = re.compile(r"""\\[nrt]|[\\\s"'`]+""")


class Running:
    """The calls that wait for something to end: a session, which is one command, or a cell, which is one script.

    Both are numbered by the program, which begins anew when it is started again. So a call that starts something under
    a number takes it from every earlier call, whose end nobody will see any more.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, set[str]] = {}
        self._starters: dict[str, str] = {}

    def wait(self, call_id: str, running: frozenset[str], *, polls: bool) -> None:
        """Let a call wait until everything that runs for it has ended; one that only polls starts nothing."""
        for what in () if polls else running:
            for keys in self._waiting.values():
                if what in keys:
                    keys.discard(what)
                    keys.add("lost")
            self._starters[what] = call_id
        self._waiting[call_id] = set(running)

    def starter(self, what: str) -> str | None:
        """Return the id of the call that started it."""
        return self._starters.get(what)

    def end(self, what: str) -> list[str]:
        """Take its end; return the ids of the calls that wait for nothing more."""
        done = [call_id for call_id, keys in self._waiting.items() if keys == {what}]
        for call_id in done:
            del self._waiting[call_id]
        for keys in self._waiting.values():
            keys.discard(what)
        self._starters.pop(what, None)
        return done


class Ended:
    """The commands that were seen to end by themselves, each of which proves one start in a script."""

    def __init__(self) -> None:
        self._commands: list[str | None] = []

    def __len__(self) -> int:
        return len(self._commands)

    def add(self, command: str) -> None:
        """Take a command's end."""
        self._commands.append(_plain(command))

    def unproven(self, script: str, output: Any, since: int) -> frozenset[str]:
        """Return what a script may have left running although it is done itself.

        ``since`` is how many commands had ended before it.
        """
        text = text_and_failure(output)[0]
        running = frozenset(f"session:{session}" for session in _PRINTED_SESSION.findall(text))
        if not _can_be_counted(script):
            return running | {"unnamed"}
        started = len(_STARTS_COMMAND.findall(script))
        mine = self._of(script, since)[:started]
        if started > max(len(mine), len(_PRINTED_EXIT.findall(text))) + len(running):
            return running | {"unnamed"}
        for place in mine:
            self._commands[place] = None
        return running

    def _of(self, script: str, since: int) -> list[int]:
        words = _plain(script)
        later = enumerate(self._commands[since:], since)
        return [place for place, command in later if command is not None and command in words]


def _can_be_counted(script: str) -> bool:
    """Tell whether a script starts its commands as often as it names them, and waits for its other tools."""
    named = [match.start() for match in _NAMED.finditer(script)]
    if len(named) > len(_STARTS_COMMAND.findall(script)) or _BY_ANY_NAME.search(script):
        return False
    if named and _REPEATS.search(script, 0, named[-1]):
        return False
    return "Promise." in script or all(match[1] for match in _OTHER_TOOL.finditer(script))


def is_in(command: str, script: str) -> bool:
    """Tell whether a command stands in a text, however it is quoted there."""
    return _plain(command) in _plain(script)


def script_leaves_behind(script: str) -> bool:
    """Tell whether a command in a script of code mode puts anything in the background."""
    return any(backgrounds(re.sub(r"\\(.)", r"\1", match[2])) for match in _CMD_LITERAL.finditer(script))


def _plain(text: str) -> str:
    return _NOISE.sub("", text)
