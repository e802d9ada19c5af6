"""The commands that talk to parked runs; what they do is in ``temporal.operations``, which alone imports Temporal."""

from __future__ import annotations

import getpass
import json
import uuid
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from resume_gate.cli.console import complain, out, say, show_status, table
from resume_gate.contract import GateStatus
from resume_gate.decisions import CallOutcome, Decision, short_release
from resume_gate.errors import ContractMisuse
from resume_gate.operators.report import moment
from resume_gate.wire import RunRef, explain, require_safe_run

if TYPE_CHECKING:
    from resume_gate.temporal.operations import Parked, Reply

REFUSED = 3
UNUSABLE = 2

Session = Annotated[str, typer.Argument(help="the session id")]
Run = Annotated[str, typer.Argument(help="the run id")]
Plan = Annotated[str, typer.Option("--plan", help="the digest of the plan you saw (resume-gate show)")]
Reason = Annotated[str, typer.Option(help="why, for the record")]
Operator = Annotated[str, typer.Option(help="who decides", default_factory=getpass.getuser)]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON, for programs")]
Calls = Annotated[
    list[str],
    typer.Option("--call", help="EVENT=succeeded, EVENT=failed or EVENT=not_executed; once for each call you settle"),
]
Results = Annotated[
    list[str] | None,
    typer.Option("--result", help="EVENT=RESULT: what came of the call, for the agent to see; JSON, or plain words"),
]


def _run_ref(session: str, run: str) -> RunRef:
    try:
        return require_safe_run(RunRef(session, run))
    except ContractMisuse as error:
        complain(str(error))
        raise typer.Exit(UNUSABLE) from error


def _decision(kind: str, operator: str, reason: str, plan: str, **parts: Any) -> Decision:
    try:
        if kind == "release":
            return short_release(operator, reason, plan)
        parts |= {"kind": kind, "operator": operator, "reason": reason, "plan_digest": plan}
        return Decision(decision_id=f"{kind}:{uuid.uuid4().hex}", **parts)
    except ValidationError as error:
        named = {"plan_digest": "plan", "accept_high_water": "accept"}
        complain(explain(error, named={key: f"--{named.get(key, key)}" for key in Decision.model_fields}))
        raise typer.Exit(UNUSABLE) from error


def _send(session: str, run: str, decision: Decision) -> None:
    from resume_gate.temporal import operations  # noqa: PLC0415 - offline commands never import Temporal

    _finish(operations.call(operations.decide(_run_ref(session, run), decision)))


def _finish(reply: Reply) -> None:
    if reply.code:
        complain(reply.text)
    else:
        say(reply.text)
    raise typer.Exit(reply.code)


def runs(*, json: AsJson = False) -> None:
    """List the runs whose gate is open: parked for a person, or waiting for an old attempt to end."""
    from resume_gate.temporal import operations  # noqa: PLC0415 - as above

    reply = operations.call(operations.parked())
    if reply.code:
        _finish(reply)
    if json:
        out.print_json(data=[{to_camel(key): value for key, value in row._asdict().items()} for row in reply.value])
    elif reply.value:
        table(("Session", "Run", "Phase", "Why", "Open", "Since"), (_row(parked) for parked in reply.value))
    else:
        say("no run is parked")


def _row(parked: Parked) -> tuple[str, ...]:
    return parked.session_id, parked.run_id, parked.phase, parked.why, str(parked.open), moment(parked.since)


def show(session: Session, run: Run, *, json: AsJson = False) -> None:
    """Show one run's gate: what is open, since when, what to check, and the commands to type."""
    from resume_gate.temporal import operations  # noqa: PLC0415 - as above

    reply = operations.call(operations.status(_run_ref(session, run)))
    if not isinstance(reply.value, GateStatus):
        _finish(reply)
    if json:
        out.print_json(reply.value.model_dump_json())
    else:
        show_status(reply.value)


def release(session: Session, run: Run, *, plan: Plan, reason: Reason, operator: Operator) -> None:
    """Accept the outcome of every open call as unknown; the agent is told to look before it acts."""
    _send(session, run, _decision("release", operator, reason, plan))


def settle(
    session: Session,
    run: Run,
    *,
    plan: Plan,
    reason: Reason,
    call: Calls,
    operator: Operator,
    result: Results = None,
) -> None:
    """Record what you found out about open calls; those you do not name stay open."""
    pairs = [_pair(item) for item in call]
    given_results = [_result(item, [event for event, _ in pairs]) for item in result or ()]
    results = dict(given_results)
    if len(results) < len(given_results):
        complain("--result names a call twice")
        raise typer.Exit(UNUSABLE)
    outcomes = []
    for event, outcome in pairs:
        try:
            given = _json(results.pop(event)) if event in results else None
            outcomes.append(CallOutcome.model_validate({"callEventId": event, "outcome": outcome, "result": given}))
        except ValidationError as error:
            complain(explain(error))
            raise typer.Exit(UNUSABLE) from error
    _send(session, run, _decision("settle", operator, reason, plan, calls=tuple(outcomes)))


def _pair(item: str) -> tuple[str, str]:
    event, separator, value = item.rpartition("=")  # an id may hold the sign, an outcome does not
    if not separator:
        complain(f"{item!r} should be EVENT=succeeded, =failed or =not_executed, with the call event that show prints")
        raise typer.Exit(UNUSABLE)
    return event, value


def _result(item: str, events: list[str]) -> tuple[str, str]:
    named = [event for event in events if item.startswith(event + "=")]
    if not named:
        complain(f"{item!r} should be EVENT=RESULT, with an event that a --call settles")
        raise typer.Exit(UNUSABLE)
    event = max(named, key=len)
    return event, item[len(event) + 1 :]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if text.lstrip().startswith(("{", "[", '"')):
            complain(f"{text[:80]!r} is no JSON: {error}")
            raise typer.Exit(UNUSABLE) from error
        return text  # plain words are a string


def recheck(
    session: Session,
    run: Run,
    *,
    plan: Plan,
    reason: Reason,
    operator: Operator,
    accept: Annotated[int | None, typer.Option(help="accept that the ledger holds this many events", min=0)] = None,
) -> None:
    """Have the gate read the ledger again, after a repair or to accept the high-water seen."""
    _send(session, run, _decision("recheck", operator, reason, plan, accept_high_water=accept))


def answer(
    session: Session,
    run: Run,
    *,
    plan: Plan,
    reason: Reason,
    operator: Operator,
    payload: Annotated[str, typer.Option(help="your answer: JSON, or plain words")],
) -> None:
    """Answer an agent that asked a person."""
    _send(session, run, _decision("answer", operator, reason, plan, payload=_json(payload)))


def abandon(session: Session, run: Run, *, plan: Plan, reason: Reason, operator: Operator) -> None:
    """Give a run up: nothing more of it is dispatched."""
    _send(session, run, _decision("abandon", operator, reason, plan))


def add_online_commands(app: typer.Typer) -> None:
    """Register the commands that need a Temporal server."""
    for command in (runs, show, release, settle, recheck, answer, abandon):
        app.command(rich_help_panel="Parked runs (Temporal: TEMPORAL_ADDRESS or temporal.toml)")(command)
