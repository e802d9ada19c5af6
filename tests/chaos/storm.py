"""The storm: ``python -m tests.chaos.storm --orders 300 --kills 300 --seed 7``.

Ends with 0 only where the gate let nothing be done twice, left out, lost or stuck.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from tests.chaos.audit import Count
from tests.chaos.onslaught import Weather, storm
from tests.chaos.place import Place
from tests.chaos.report import Report, machine, show, write_markdown
from tests.chaos.worker import Mode

_COMMAND = (
    ".venv/bin/python -m tests.chaos.storm --orders {orders} --kills {kills} --seed {seed} --markdown docs/proof.md"
)
app = typer.Typer(add_completion=False)


def _run(directory: Path, weather: Weather, mode: Mode) -> Count:
    return asyncio.run(storm(Place(directory / mode).prepare(), weather, mode))


@app.command()
def main(
    *,
    orders: Annotated[int, typer.Option(help="agent runs")] = 300,
    kills: Annotated[int, typer.Option(help="processes to kill, at least")] = 300,
    seed: Annotated[int, typer.Option(help="what everything is drawn from")] = 7,
    pause: Annotated[float, typer.Option(help="mean seconds between two blows")] = 1.0,
    baseline: Annotated[bool, typer.Option(help="run the same under plain Temporal retries, too")] = True,
    json: Annotated[Path | None, typer.Option(help="write the counts here")] = None,
    markdown: Annotated[Path | None, typer.Option(help="write the page of proof here")] = None,
    keep: Annotated[Path | None, typer.Option(help="work in this new directory, and keep it")] = None,
) -> None:
    """Kill an agent's workers, and count what was done twice."""
    logging.getLogger("temporal-core").setLevel(logging.CRITICAL)  # the server's deaths are no news here
    weather = Weather(orders=orders, kills=kills, seed=seed, pause=pause)
    with TemporaryDirectory(prefix="storm-", ignore_cleanup_errors=True) as temporary:
        directory = keep or Path(temporary)
        report = Report(
            command=_COMMAND.format(orders=orders, kills=kills, seed=seed),
            weather=weather,
            machine=machine(),
            gate=_run(directory, weather, "gate"),
            baseline=_run(directory, weather, "baseline") if baseline else None,
        )
    show(report, Console())
    if json is not None:
        json.write_text(report.model_dump_json(indent=2))
    if markdown is not None:
        write_markdown(report, markdown)
    sys.stdout.flush()
    os._exit(0 if report.gate.clean else 1)  # see tests.chaos.worker.work


if __name__ == "__main__":
    app()
