"""How plans look on a terminal: tables where there are rows, and no control character from any ledger."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from resume_gate.contract import GateStatus, Hold, Phase
from resume_gate.operators.report import arguments, finding_lines, headline, held, inline, moment, step_lines, visible
from resume_gate.verdict.plan import OpenOperation, ResumePlan

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

_MOST_ROWS = 50
_LONGEST_CODE = 25
"""The longest code and its comma: on a narrow screen a column of codes is broken between them, never inside one."""
_UNBOUND = 100_000


def say(text: str, *, style: str = "") -> None:
    """Print a line or more, as it is."""
    out.print(Text(visible(text)), style=style)


def complain(text: str) -> None:
    """Print what went wrong to standard error."""
    err.print(Text(visible(text)), style="red")


def table(titles: Sequence[str], rows: Iterable[Iterable[str]]) -> None:
    """Print rows under titles; every cell is plain text, whole."""
    cells = [[visible(cell) for cell in row] for row in rows]
    drawn = _drawn(titles, cells)
    whole = out.measure(drawn, options=out.options.update(max_width=_UNBOUND)).maximum
    if not out.is_terminal:
        out.width = whole  # a file or a pipe has none, and programs read whole rows
    elif whole > out.width:
        drawn = _drawn(titles, [[_narrow(cell) for cell in row] for row in cells])
    out.print(drawn)


def _drawn(titles: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for title, *column in zip(titles, *cells, strict=True):
        lines = [line for cell in column for line in cell.splitlines()]
        longest = max(lines, key=len, default="")
        kept = title == "Call event" or (" " not in longest and len(longest) <= _LONGEST_CODE)  # an id is to be copied
        drawn.add_column(title, overflow="fold", no_wrap=kept)
    for row in cells:
        drawn.add_row(*map(Text, row))
    return drawn


def _narrow(cell: str) -> str:
    codes = all(len(word) <= _LONGEST_CODE for word in cell.split())
    return "\n".join(textwrap.wrap(cell, _LONGEST_CODE, break_on_hyphens=False)) if codes else cell


def _open_row(operation: OpenOperation) -> tuple[str, ...]:
    status = operation.status + (" (hidden)" if operation.hidden else "")
    called = f"{inline(operation.tool_name)} {inline(arguments(operation))}"
    return called, status, moment(operation.since), inline(operation.call_event_id)


def show_plan(plan: ResumePlan, phase: Phase = "parked", hold: Hold | None = None) -> None:
    """Print what the plan says: how the run stands, what is open, what was found, what to do."""
    safe = plan.safe and hold is None
    say(headline(plan, phase, hold), style="green" if safe else "bold yellow")
    if hold is not None:
        say(held(hold))
    say(f"{_count(plan.source_high_water, 'event')}, {_count(len(plan.operations) + plan.omitted.operations, 'call')}")
    if plan.open_operations:
        out.print()
        rows = [_open_row(operation) for operation in plan.open_operations[:_MOST_ROWS]]
        table(("Open call", "Status", "Since", "Call event"), rows)
        more = len(plan.open_operations) + plan.omitted.open_operations - len(rows)
        if more:
            say(f"and {more} more")
    if not safe:
        _section("Found:", finding_lines(plan))
        _section("What to do:", step_lines(plan))


def show_status(status: GateStatus) -> None:
    """Print a gate's status, with the commands that it allows."""
    if status.plan is None:
        say(status.text)
        return
    show_plan(status.plan, status.phase, status.hold)
    _section("To type:", (f"{line.command}\n    {line.effect}" for line in status.commands))
    _section("Refused:", (f"{item.decision_id or 'a payload'}: {item.why}" for item in status.refused[-3:]))


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _section(title: str, lines: Iterable[str]) -> None:
    told = list(lines)
    if told:
        out.print()
        out.print(title, style="bold")
        for line in told:
            say(line)
