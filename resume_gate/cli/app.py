"""The command ``resume-gate``: judge a ledger offline; see and decide parked runs online."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.progress import track

from resume_gate.cli.console import complain, out, say, show_plan, table
from resume_gate.cli.online import add_online_commands
from resume_gate.cli.sessions import is_foreign, print_rows, show_verdicts, verdicts
from resume_gate.errors import BusyLedger, ContractMisuse, CorruptLedger
from resume_gate.events.codec import encode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.failpoints import FAILPOINTS
from resume_gate.gate import judge
from resume_gate.ledger.files.paths import ledger_path
from resume_gate.ledger.files.repair import cut_back
from resume_gate.ledger.files.store import RuntimeEventStore, read_file
from resume_gate.ledger.prefix import CommittedPrefix
from resume_gate.sessions.judging import read_one
from resume_gate.sessions.reading import replay_session
from resume_gate.verdict.plan import ResumePlan
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef

if TYPE_CHECKING:
    from resume_gate.crash.harness import CrashRow

BLOCKED = 3
UNUSABLE = 2

app = typer.Typer(
    help="Decides from committed evidence whether a crashed agent run may be dispatched again.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Target = Annotated[
    list[str],
    typer.Argument(help="a ledger, a session file or a directory of them; or, below --root, a session id and a run id"),
]
Root = Annotated[Path | None, typer.Option(envvar="RESUME_GATE_ROOT", help="the directory that holds the ledgers")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON, for programs")]
Format = Annotated[str | None, typer.Option("--format", help="take the file for one of this format")]
Session = Annotated[str | None, typer.Option("--session", "--thread", help="the one session of a database to judge")]
Declared = Annotated[
    bool,
    typer.Option("--declare-write-ahead", help="you know that this host stores a call before its tool runs"),
]
Expected = Annotated[int | None, typer.Option(min=0, help="block unless the ledger holds exactly this many events")]
Minimum = Annotated[int | None, typer.Option(min=0, help="block unless the ledger holds at least this many events")]


def _stop(code: int, text: str) -> NoReturn:
    complain(text)
    raise typer.Exit(code)


@contextmanager
def _or_stop() -> Iterator[None]:
    try:
        yield
    except (OSError, ContractMisuse) as error:
        _stop(UNUSABLE, str(error))
    except (CorruptLedger, BusyLedger) as error:
        _stop(BLOCKED, str(error))


class _Source:
    """What a command was pointed at: a bare file, or a run below a root."""

    def __init__(self, target: list[str], root: Path | None) -> None:
        self.run: RunRef | None = None
        if len(target) == 1:
            with _or_stop():
                if not Path(target[0]).exists():
                    complain(f"there is no file {target[0]}")
            self.path = partial(Path, target[0])
            self.read = partial(read_file, Path(target[0]))
        elif len(target) == 2 and root is not None:  # noqa: PLR2004 - a session and a run
            self.run = RunRef(*target)
            self.path = partial(ledger_path, root.absolute(), self.run)
            self.read = partial(RuntimeEventStore(root).read, self.run)
        else:
            _stop(UNUSABLE, "give a ledger file, or --root (or RESUME_GATE_ROOT) with a session id and a run id")

    def judge(self, expected: int | None, minimum: int | None) -> ResumePlan:
        """Return the plan; exit where it is not evidence that is wrong but the call or the disk."""
        with _or_stop():
            return judge(self.run, self.read, expected_high_water=expected, minimum_high_water=minimum)

    def prefix(self) -> CommittedPrefix:
        """Return the committed prefix; exit where it cannot be read."""
        with _or_stop():
            return self.read()


def _is_session(target: list[str], named: str | None) -> bool:
    with _or_stop():
        return len(target) == 1 and (named is not None or is_foreign(Path(target[0])))


@app.command()
def check(
    target: Target,
    *,
    root: Root = None,
    expected: Expected = None,
    minimum: Minimum = None,
    format_: Format = None,
    session: Session = None,
    declared: Declared = False,
    json: AsJson = False,
) -> None:
    """Judge a ledger as the gate does, or the session of another agent: exit 0 when safe to go on, 3 when blocked."""
    if _is_session(target, format_):
        if expected is not None or minimum is not None:
            _stop(UNUSABLE, "--expected and --minimum count the events of one ledger, not of a session or a folder")
        _check_sessions(Path(target[0]), format_, session, declared=declared, json=json)
    if session is not None or declared:
        complain("--session and --declare-write-ahead say nothing of a ledger of ours: it is judged without them")
    plan = _Source(target, root).judge(expected, minimum)
    if json:
        sys.stdout.write(plan.model_dump_json() + "\n")
    else:
        show_plan(plan)
    raise typer.Exit(0 if plan.safe else BLOCKED)


def _check_sessions(path: Path, named: str | None, session: str | None, *, declared: bool, json: bool) -> NoReturn:
    try:
        found = verdicts(path, named=named, session=session, declared=declared)
    except (OSError, ContractMisuse) as error:
        _stop(UNUSABLE, str(error))
    if not found:
        _stop(UNUSABLE, f"{path} holds no session of a known format")
    if declared and all(one.plan.evidence != "declared" for one in found):
        names = ", ".join(sorted({one.format for one in found}))
        complain(f"--declare-write-ahead changes nothing here: there is nothing to declare of {names}")
    if json:
        print_rows(found, named=path.is_dir())
    else:
        show_verdicts(found)
    raise typer.Exit(0 if all(one.plan.safe for one in found) else BLOCKED)


@app.command()
def replay(target: Target, *, root: Root = None, format_: Format = None, session: Session = None) -> None:
    """Print the events that the next model would see, one JSON object a line; exit 3 where there is no replay."""
    with _or_stop():
        events = _replayed(target, root, format_, session)
    for event in events:
        sys.stdout.buffer.write(encode_event(event) + b"\n")


def _replayed(target: list[str], root: Path | None, named: str | None, session: str | None) -> list[RuntimeEvent]:
    if _is_session(target, named):
        reading = read_one(Path(target[0]), named=named, session=session)
        there, seen = reading.events, replay_session(reading)
    else:
        there = _Source(target, root).prefix().events
        seen = replay_events(there)
    if not there:
        _stop(BLOCKED, "there is no committed event to replay")
    return list(seen)


@app.command("cut-back")
def cut_torn_row(target: Target, *, root: Root = None) -> None:
    """Cut a torn last row off a ledger, under its writer lock, and keep it beside; exit 3 where more is damaged."""
    with _or_stop():
        cut = cut_back(_Source(target, root).path())
    if cut is None:
        say("nothing is torn: the ledger was left as it is")
    else:
        say(f"cut back to {cut.size} bytes, {cut.events} events; what was cut off is in {cut.kept}")


@app.command()
def failpoints(*, json: AsJson = False) -> None:
    """List the twelve places where a process may die, and what each leaves."""
    if json:
        out.print_json(data=[point._asdict() for point in FAILPOINTS])
    else:
        table(("Id", "Where the process dies", "Committed prefix"), FAILPOINTS)


@app.command("crash-test")
def crash_test(*, root: Root = None, json: AsJson = False) -> None:
    """Kill a real process at each failpoint, on the disk of ROOT, and check what is left; exit 1 where it is wrong."""
    from resume_gate.crash.harness import SESSION, run_crash_test  # noqa: PLC0415 - needed by this command alone

    with ExitStack() as stack:
        place = root or Path(stack.enter_context(TemporaryDirectory()))
        try:
            tests = track(run_crash_test(place), total=len(FAILPOINTS), transient=True, disable=not out.is_terminal)
            rows = list(tests)
        except OSError as error:
            _stop(UNUSABLE, str(error))
    if json:
        out.print_json(data=[row._asdict() for row in rows])
    else:
        titles = ("Id", "Where the process dies", "Events", "Plan", "Verdict")
        table(titles, (_crash_cells(row) for row in rows))
        passed = sum(row.passed for row in rows)
        say(f"{passed} of {len(rows)} failpoints passed", style="green" if passed == len(rows) else "red")
        if root is not None:
            say(f"what each left is in {root / 'sessions' / SESSION}; nothing else is there, it may be deleted")
    raise typer.Exit(0 if all(row.passed for row in rows) else 1)


def _crash_cells(row: CrashRow) -> tuple[str, ...]:
    verdict = "passed" if row.passed else f"FAILED: {row.detail}"
    return row.failpoint, row.where, str(row.events), row.disposition or "none", verdict


def _print_version(asked: bool) -> None:  # noqa: FBT001 - the framework's signature
    if asked:
        say(version("resume-gate"))
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    pass


add_online_commands(app)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except SystemExit as end:
        # A process that ends soon after a Temporal call can abort in the SDK's own threads, after correct output
        # (temporalio/sdk-python issue 300); nothing is left to do here but to leave.
        if "temporalio" in sys.modules:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 1)
        raise
