"""The formats that can be read, and which of them a file is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast

from resume_gate.errors import ContractMisuse
from resume_gate.sessions.formats import gemini_cli, openai_agents, pi, pydantic_ai, runtime_events, vercel_ai
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.reading import SessionReading, Unfitting
from resume_gate.sessions.source import Source


class Reader(Protocol):
    """What each format's module offers."""

    FORMAT: str

    def why_not(self, source: Source) -> str | None:
        """Say why the content is not of this format."""

    def sessions(self, source: Source) -> list[str]:
        """Return the ids of the sessions in it."""

    def read(self, source: Source, session: str, *, declared: bool = False) -> SessionReading:
        """Return one session."""


READERS: tuple[Reader, ...] = tuple(
    cast("Reader", module)
    for module in (
        runtime_events,
        claude_code,
        codex,
        gemini_cli,
        pi,
        vercel_ai,
        openai_agents,
        langgraph,
        pydantic_ai,
        google_adk,
    )
)
FORMATS: tuple[str, ...] = tuple(reader.FORMAT for reader in READERS)


def reader_named(name: str) -> Reader:
    """Return the reader of a format; ``ContractMisuse`` names the formats there are."""
    for reader in READERS:
        if name == reader.FORMAT:
            return reader
    raise ContractMisuse(f"{name!r} is no format; there are {', '.join(FORMATS)}")


def fitting(source: Source) -> list[Reader]:
    """Return the readers whose format the content has; a database can hold tables of several.

    A ledger is nothing else: its rows take no key that is not theirs.
    """
    if runtime_events.why_not(source) is None:
        return [reader_named(runtime_events.FORMAT)]
    return [reader for reader in READERS if reader.why_not(source) is None]


def unfitting(source: Source) -> Iterator[Unfitting]:
    """Yield, for each format, why the content is not of it."""
    for reader in READERS:
        why = reader.why_not(source)
        if why is not None:
            yield Unfitting(reader.FORMAT, why)
