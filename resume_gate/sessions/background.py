"""Whether what a tool started goes on after its result: then the result is not an outcome."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

_FLAGS = ("run_in_background", "is_background", "background")
_COMMANDS = ("command", "cmd", "script")
_HEREDOC = re.compile(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n(?:.*?\n)??[ \t]*\2(?=\n|$)", re.DOTALL)
_SHELL = re.compile(r"\b(?:ba|z|da|k)?sh\b|\bssh\b")
_SHELL_TEXT = re.compile(r"(?:\b(?:(?:ba|z|da|k)?sh|su)\b[^|;&\n]*\s-\w*c|\bssh\b[^|;&\n]*|\beval)\s*$")
# Commands that hand the work to a process which outlives them.
_OTHER_WAYS = re.compile(
    r"\b(?:coproc|setsid|systemd-run|daemonize|start-stop-daemon)\b|\bStart-(?:Process|Job|ThreadJob)\b"
    r"|\btmux\s+new|\bscreen\s+-\w*d|\bat\s+(?:now|-[fmt]|\d)"
    r"|\b(?:docker|podman|nerdctl)\b[^|;&\n]*\s(?:-[a-z]*d[a-z]*|--detach)\b"
)
_AMPERSAND = re.compile(r"(?<![&<>|;])&(?![&>])")
_PIECE = re.compile(r"\\.|'([^']*)'|\"((?:\\.|[^\"\\])*)\"|(?<=\s)#[^\n]*|^#[^\n]*", re.DOTALL)
_SUBSTITUTED = re.compile(r"\$\(.*\)|`.*`", re.DOTALL)
# Agents that put work in the background say so on a line of its own, before or after the output so far.
_SAYS_SO = re.compile(
    r"^(?:Command|Process|Task|Running|You moved|Workflow|Monitor|Remote agent|Async agent|Agent)\b[^\n]{0,240}?"
    r"\b(?:(?:in|to) (?:the )?background|backgrounded by|launched successfully)\b"
    r"|^Background PIDs: \d",
    re.MULTILINE,
)
_HEAD, _TAIL = 600, 1200
_LONG = 100_000
_NEAR = 300


def says_running(text: str, *, at_start: bool = False) -> bool:
    """Tell whether a tool's result only says that the work goes on in the background.

    ``at_start`` looks at its first line only, for results of which more is known than their text.
    """
    if at_start:
        return _SAYS_SO.match(text) is not None
    seen = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    return _SAYS_SO.search(seen) is not None


def asks_for_background(args: Any) -> bool:
    """Tell whether a call's arguments ask the agent itself to put the work in the background."""
    return isinstance(args, dict) and any(args.get(flag) is True for flag in _FLAGS)


def leaves_behind(args: Any) -> bool:
    """Tell whether a call's shell command leaves a process behind: its result says nothing about how that ends."""
    if not isinstance(args, dict):
        return False
    return any(backgrounds(command) for name in _COMMANDS for command in _shell_texts(args.get(name)))


def _shell_texts(command: Any) -> list[str]:
    if isinstance(command, str):
        return [command]
    if not isinstance(command, list):
        return []
    words = [word for word in command if isinstance(word, str)]
    # Without a shell before it an ampersand in an argument is only a character.
    return [word for flag, word in pairwise(words) if re.fullmatch(r"-\w*c", flag)]


def backgrounds(command: str) -> bool:
    """Tell whether a POSIX shell command puts anything in the background; unsure counts as yes."""
    if "&" not in command and _OTHER_WAYS.search(command) is None:
        return False
    if len(command) > _LONG:
        return True
    plain, quoted = _unquoted(_HEREDOC.sub(_without_document, command))
    if _OTHER_WAYS.search(plain) or any(backgrounds(text) for text in quoted):
        return True
    return _AMPERSAND.search(plain) is not None


def _without_document(match: re.Match[str]) -> str:
    line = match.string[: match.start()].rpartition("\n")[2]
    return match[0] if _SHELL.search(line) else f" {match[3]}\n"


def _unquoted(command: str) -> tuple[str, list[str]]:
    """Return the command without what is quoted or a comment, and the quoted texts that a shell runs."""
    plain, scripts, last = "", [], 0
    for match in _PIECE.finditer(command):
        before = command[last : match.start()]
        plain += before
        quoted = match[1] if match[1] is not None else match[2]
        if quoted is not None and _SHELL_TEXT.search(plain[-_NEAR:]):
            scripts.append(quoted)
        elif match[2] is not None:
            scripts += _SUBSTITUTED.findall(match[2])
        plain += "_" if quoted is not None else ""
        last = match.end()
    return plain + command[last:], scripts
