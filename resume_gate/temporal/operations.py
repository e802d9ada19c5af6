"""What the online commands do: ask a gate, and hand it a person's decision."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

from temporalio.client import (
    Client,
    WorkflowExecution,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowHandle,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from resume_gate.contract import DECIDE, DECISION, STATUS, DecisionAnswer, GateResult, GateStatus, gate_workflow_id
from resume_gate.decisions import Decision
from resume_gate.operators.report import headline
from resume_gate.temporal.connecting import NoServerError, connect
from resume_gate.temporal.passing import NOT_DECIDED_YET, cause_of
from resume_gate.wire import RunRef

DONE, REFUSED, NO_SUCH_RUN, NO_ANSWER = 0, 3, 4, 5
_PATIENCE = timedelta(seconds=10)
_ASKED_AT_ONCE = 20
_OPEN_GATES = "WorkflowType = 'ResumeGateWorkflow' AND ExecutionStatus = 'Running'"
_KEPT = "the gate has not decided yet ({phase}): it keeps the {kind} for the plan it names; see resume-gate show"
_NO_WORKER = "no worker answers on the gate's task queue: start it (python worker.py)"
Value = TypeVar("Value")


class Reply(NamedTuple):
    """What a command did: its exit code, the words for it, and the value that was asked for."""

    code: int
    text: str = ""
    value: Any = None


class Parked(NamedTuple):
    """One open gate; ``since`` is in Unix milliseconds."""

    session_id: str
    run_id: str
    phase: str
    why: str
    open: int
    since: float


def call(work: Coroutine[Any, Any, Reply]) -> Reply:
    """Run one online command to its reply."""
    logging.getLogger("temporal-core").setLevel(logging.ERROR)
    try:
        return asyncio.run(work)
    except NoServerError as error:
        return Reply(NO_ANSWER, str(error))
    except RPCError as error:
        return Reply(NO_ANSWER, f"the Temporal server answered: {error.message}")


def _gate(client: Client, run: RunRef) -> WorkflowHandle[Any, Any]:
    return client.get_workflow_handle(gate_workflow_id(run))


def _no_gate(run: RunRef, error: RPCError) -> Reply:
    if error.status is not RPCStatusCode.NOT_FOUND:
        raise error
    return Reply(NO_SUCH_RUN, f"no gate is open for run {run}: it was never parked, or it was cleared or abandoned")


async def _ask(handle: WorkflowHandle[Any, Any], patience: timedelta = _PATIENCE) -> GateStatus | None:
    try:
        status: GateStatus = await handle.query(STATUS, result_type=GateStatus, rpc_timeout=patience)
    except (RPCError, WorkflowQueryFailedError) as error:
        if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
            raise
        return None
    return status


async def status(run: RunRef) -> Reply:
    """Return the gate's status as the reply's value."""
    handle = _gate(await connect(), run)
    try:
        described = await handle.describe()
        if described.status is not WorkflowExecutionStatus.RUNNING:
            ended = described.status.name.lower() if described.status else "in a way unknown here"
            return Reply(NO_SUCH_RUN, f"run {run} is not parked: its last gate ended, {ended}")
        found = await _ask(handle)
    except RPCError as error:
        return _no_gate(run, error)
    return Reply(NO_ANSWER, _NO_WORKER) if found is None else Reply(DONE, value=found)


async def parked() -> Reply:
    """Return every open gate as the reply's value; those that no worker answers for are listed too."""
    client = await connect()
    gates = [execution async for execution in client.list_workflows(_OPEN_GATES)]
    at_once = asyncio.Semaphore(_ASKED_AT_ONCE)
    rows = await asyncio.gather(*(_row(client, gate, at_once) for gate in gates))
    return Reply(DONE, value=[row for row in rows if row.phase != "done"])


async def _row(client: Client, gate: WorkflowExecution, at_once: asyncio.Semaphore) -> Parked:
    async with at_once:
        found = await _ask(client.get_workflow_handle(gate.id, run_id=gate.run_id))
    session_id, run_id = _named(gate.id)
    since = gate.start_time.timestamp() * 1000
    if found is None or found.plan is None:
        return Parked(session_id, run_id, "unknown", _NO_WORKER, 0, since)
    plan = found.plan
    why = ", ".join([*plan.rejection_reasons, *([found.hold.reason] if found.hold else [])])
    count = len(plan.open_operations) + plan.omitted.open_operations
    return Parked(session_id, run_id, found.phase, why, count, since)


def _named(workflow_id: str) -> tuple[str, str]:
    """Return session id and run id; a gate that somebody started under another id is shown by that."""
    _, _, run = workflow_id.partition("/")
    session_id, _, run_id = run.partition("/")
    ours = workflow_id == gate_workflow_id(RunRef(session_id, run_id))
    return (session_id, run_id) if ours and run_id else ("?", workflow_id)


async def decide(run: RunRef, decision: Decision) -> Reply:
    """Hand a decision to the run's gate; as a signal, which waits for a worker, where no worker answers."""
    handle = _gate(await connect(), run)
    try:
        update = handle.execute_update(DECIDE, decision, result_type=DecisionAnswer)
        answer = await asyncio.wait_for(update, _PATIENCE.total_seconds())
    except WorkflowUpdateFailedError as error:
        if isinstance(error.cause, ApplicationError) and error.cause.type == NOT_DECIDED_YET:
            return Reply(NO_ANSWER, error.cause.message)
        return Reply(REFUSED, f"refused: {cause_of(error)}")
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        return await _leave_as_signal(handle, run, decision)
    except RPCError as error:
        return _no_gate(run, error)
    return Reply(DONE, f"{decision.kind} of run {run}: {answer.text}.\n{await _aftermath(handle, run)}")


async def _leave_as_signal(handle: WorkflowHandle[Any, Any], run: RunRef, decision: Decision) -> Reply:
    try:
        await handle.signal(DECISION, decision)
        found = await _ask(handle, timedelta(seconds=2))
    except RPCError as error:
        return _no_gate(run, error)
    if found is not None:
        return Reply(NO_ANSWER, _KEPT.format(phase=found.phase, kind=decision.kind))
    return Reply(NO_ANSWER, f"{_NO_WORKER}. The {decision.kind} was left as a signal and is taken up when one starts.")


async def _ending(handle: WorkflowHandle[Any, Any], run: RunRef) -> str:
    try:
        result = GateResult.model_validate(await handle.result())
    except WorkflowFailureError as error:
        return f"The gate of run {run} ended without an answer: {cause_of(error)}"
    goes_on = {"cleared": "the run goes on", "finished": "the run has ended already", "abandoned": "it is given up"}
    return f"The gate of run {run} ended, {result.kind}: {goes_on[result.kind]}."


async def _aftermath(handle: WorkflowHandle[Any, Any], run: RunRef) -> str:
    for _ in range(20):
        described = await handle.describe()
        if described.status is not WorkflowExecutionStatus.RUNNING:
            return await _ending(handle, run)
        found = await _ask(handle)
        if found is not None and found.phase in ("parked", "waiting") and found.plan is not None:
            return headline(found.plan, found.phase, found.hold)
        await asyncio.sleep(0.1)
    return "The gate is still reading the ledger; see resume-gate show."
