"""The report: one table for the eye, the same as JSON, and the page of proof."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from textwrap import fill
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from resume_gate.temporal.devserver import find_server
from tests.chaos.audit import Count
from tests.chaos.onslaught import Weather

Row = tuple[str, str, str]


class Report(BaseModel):
    """Both storms of one seed, and the machine they ran on."""

    command: str
    weather: Weather
    machine: str
    gate: Count
    baseline: Count | None = None


def machine() -> str:
    """Say what the storm ran on, without naming it."""
    said = subprocess.run([find_server(), "--version"], capture_output=True, text=True, check=True).stdout
    server = said.strip().replace("temporal version ", "Temporal CLI ")
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}; Python {platform.python_version()}; temporalio {version('temporalio')}; {server}"


def _known(value: object) -> str:
    return "-" if value is None else f"{value}"


def _of(gate: Count, baseline: Count | None, name: str) -> tuple[str, str]:
    return _known(getattr(gate, name)), "" if baseline is None else _known(getattr(baseline, name))


def rows(report: Report) -> list[Row]:
    """Return the table: what is counted, with the gate, under plain retries."""
    gate, baseline = report.gate, report.baseline
    words = {
        "orders": "orders",
        "killed": "processes killed (SIGKILL)",
        "effects_expected": "effects asked for",
        "effects": "effects in the world",
        "duplicates": "duplicate effects",
        "missing": "missing effects",
        "stuck": "runs stuck at the end",
        "failed": "runs failed",
        "acknowledged_events": "acknowledged events",
        "lost_events": "acknowledged events lost",
        "unsound_ledgers": "ledgers not safe and completed at the end",
        "workers_ended_by_themselves": "workers that ended unasked",
        "parked": "plans parked on",
        "torment_seconds": "seconds of torment",
        "drain_seconds": "seconds until the last run had ended",
    }
    return [(said, *_of(gate, baseline, name)) for name, said in words.items()]


def details(report: Report) -> list[Row]:
    """Return the second table: kills by cause, other torments, and the robot's decisions."""
    gate, baseline = report.gate, report.baseline or Count()
    both = [("killed: ", gate.kills, baseline.kills), ("", gate.torments, baseline.torments)]
    found = [
        (prefix + name, str(ours.get(name, 0)), str(theirs.get(name, 0)))
        for prefix, ours, theirs in both
        for name in sorted(ours | theirs)
    ]
    found += [(f"parked: {why}", str(number), "-") for why, number in (gate.parks or {}).items()]
    return found + [(f"decisions: {name}", str(number), "-") for name, number in gate.decisions.items()]


def show(report: Report, console: Console) -> None:
    """Print both tables, and every problem."""
    for title, found in (("The storm", rows(report)), ("Under way", details(report))):
        table = Table(title=title)
        table.add_column("")
        table.add_column("resume gate", justify="right")
        table.add_column("plain retries", justify="right")
        for row in found:
            table.add_row(*row)
        console.print(table)
    for problem in report.gate.problems:
        console.print(f"gate: {problem}", style="red", markup=False)
    console.print(report.machine, style="dim", markup=False)


def _markdown(found: list[Row]) -> str:
    head = "| | resume gate | plain retries |\n|---|---:|---:|\n"
    return head + "".join(f"| {name} | {ours} | {theirs} |\n" for name, ours, theirs in found)


def _verdict(report: Report) -> str:
    gate = report.gate
    if not gate.clean:
        return "**The gate did not hold: see the counts.**"
    held = f"{gate.orders} runs, {gate.killed} kills: behind the gate nothing was done twice, left out, lost or stuck."
    twice = f" Plain retries repeated {report.baseline.duplicates} effects." if report.baseline else ""
    return f"**{held}{twice}**"


def _page(**parts: Any) -> str:
    """Fill the page's blanks, and wrap its paragraphs; tables, headings and commands stay as they are."""
    blocks = _PAGE.format(**parts).split("\n\n")
    kept = ("|", "#", "```")
    return "\n\n".join(block if block.startswith(kept) else fill(block, 120) for block in blocks).rstrip() + "\n"


def write_markdown(report: Report, path: Path) -> None:
    """Write the page of proof."""
    weather = report.weather
    path.write_text(
        _page(
            weather=weather,
            counts=_markdown(rows(report)),
            details=_markdown(details(report)),
            command=report.command,
            machine=report.machine,
            verdict=_verdict(report),
        )
    )


_PAGE = """# Proof

Written by the storm itself (`tests/chaos/`), from the run that it describes.

{verdict}

**What ran.** {weather.orders} agent runs of 3 to 6 tool calls each, some parallel, nested and hidden, slow, or failing
before or after their effect; seed {weather.seed}. Three worker processes, each with the control worker and the agent in
it, and one embedded server on a database file. An effect is one synced line in a file; the same line again is a
duplicate.

**What was done to them.** At least {weather.kills} processes were killed with SIGKILL: workers from outside at random
times; workers at each failpoint of the catalog, inside a row and between two rows of one ledger append, and between a
decision's append and its answer; the server, which restarts on its own file. Workers were stopped past the heartbeat
time-out and woken again, or asked to end. Runs were started a second time under another workflow id.

**Who decided.** A robot operator settles parked runs after a look at the world: now and then late, twice, by signal, on
a plan that is gone (which must be refused), or by a release instead. It cuts torn ledgers back to the byte that the
gate names, and rechecks.

**Plain retries.** The same agent, seed and torment as one activity under Temporal's default retry policy, without
ledger, gate and second starts.

{counts}
An acknowledged event is one whose append returned, or that the answer to a decision counts. An unanswered decision got
no answer within 8 s, and may have been taken all the same.

{details}
**Machine.** {machine}.

**The seed.** It draws what is done, to whom and when; how the operating system interleaves that it does not, so counts
differ a little from run to run. Those that must be 0 do not.

## Again

```sh
{command}
```

It ends with 0 only if nothing was done twice, left out, lost or stuck. So that it fits in a quarter of an hour,
heartbeats and workflow tasks time out after 3 s, and the control worker's activities after 5 s rather than a minute.

## Not covered

Power loss: only processes die here, so what the disk itself promises is not tested. Network file systems, several hosts
on one ledger, Windows and macOS: not tried. The robot sees the truth; a person who settles a call wrongly is believed.
"""
