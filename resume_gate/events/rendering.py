"""Writes JSON text without recursion: the deepest legal row must not meet Python's own limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple


class Style(NamedTuple):
    """What tells one kind of JSON text from another.

    ``keys`` gives an object's keys in order; ``arrange`` orders the texts of an array that is the value of a key.
    """

    scalar: Callable[[Any], str]
    quote: Callable[[str], str]
    keys: Callable[[dict[str, Any]], Iterable[str]]
    arrange: Callable[[str | None, list[str]], list[str]] = lambda _key, texts: texts


class _Level(NamedTuple):
    """One container under way: what is still to write, and what is written of it."""

    opening: str
    closing: str
    key: str | None
    rest: Iterator[tuple[str | None, str, Any]]
    texts: list[str]


def render(value: Any, style: Style) -> str:
    """Return the JSON text of plain values; raises what ``style.scalar`` raises for what is none."""
    levels = [_Level("", "", None, iter([(None, "", value)]), [])]
    while True:
        level = levels[-1]
        inner = _write(level, style)
        if inner is not None:
            levels.append(inner)
            continue
        levels.pop()
        text = level.opening + ",".join(style.arrange(level.key, level.texts)) + level.closing
        if not levels:
            return text
        levels[-1].texts.append(text)


def _write(level: _Level, style: Style) -> _Level | None:
    """Write a level's scalars up to its next container, and open that one; ``None`` at the level's end."""
    for key, prefix, item in level.rest:
        if isinstance(item, dict):
            members = [(name, style.quote(name) + ":", item[name]) for name in style.keys(item)]
            return _Level(prefix + "{", "}", None, iter(members), [])
        if isinstance(item, list | tuple):
            return _Level(prefix + "[", "]", key, iter([(None, "", entry) for entry in item]), [])
        level.texts.append(prefix + style.scalar(item))
    return None
