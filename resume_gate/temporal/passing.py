"""The core's one module that knows Temporal: plugin, connection, and helpers for callers' workflows."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from temporalio import activity, workflow
from temporalio.api.common.v1 import Payload
from temporalio.client import Client
from temporalio.common import RawValue, RetryPolicy, WorkflowIDReusePolicy
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultPayloadConverter
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    ChildWorkflowError,
    WorkflowAlreadyStartedError,
)
from temporalio.plugin import SimplePlugin
from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig
from temporalio.worker import WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from resume_gate.contract import (
    RESUME_GATE,
    RESUME_GATE_WORKFLOW,
    TASK_QUEUE,
    GateRequest,
    GateResult,
    Heartbeat,
    gate_workflow_id,
)
from resume_gate.errors import ContractMisuse, ResumeGateError
from resume_gate.ledger.files.store import LedgerWriter
from resume_gate.temporal.devserver import DEFAULT_PORT
from resume_gate.verdict.plan import ResumePlan, blocked_plan
from resume_gate.wire import explain

Model = TypeVar("Model", bound=BaseModel)

NOTHING = RawValue(Payload())
"""What a handler gets where its caller sent no argument."""

NOT_DECIDED_YET = "NotDecidedYet"
"""The error type of an update whose decision is kept, though its gate cannot answer for it any more."""

GATE_RETRY = RetryPolicy(
    initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30), maximum_attempts=12
)
"""For activities that touch the ledger's disk: some minutes in all."""
CONTROL_HEARTBEAT = timedelta(seconds=10)
"""How long a control activity may be silent before its worker counts as dead and another one tries."""
FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=5)
"""Between two tries of a gate that somebody else has open: a history must not fill up with them."""
MAX_REQUEST_BYTES = 1024 * 1024
"""The most that a start input may weigh: half of what Temporal carries, since parts of it travel on."""
MAX_DECISION_BYTES = 64 * 1024
"""The most that one decision may weigh as JSON."""
_GATE_SECONDS = timedelta(seconds=60)
_STARTING = "not healthy yet"
_START_SECONDS = 20.0
_LONGEST_WHY = 2000


class NoServerError(ResumeGateError):
    """The Temporal server that was named, or the default one, did not answer."""


def _keep_codec(existing: DataConverter | None) -> DataConverter:
    if existing is None:
        return pydantic_data_converter
    if existing.payload_converter_class is DefaultPayloadConverter:
        converter = pydantic_data_converter.payload_converter_class
        return dataclasses.replace(existing, payload_converter_class=converter)
    return existing


def _pass_core_through(existing: WorkflowRunner | None) -> WorkflowRunner:
    if existing is None or isinstance(existing, SandboxedWorkflowRunner):
        runner = existing or SandboxedWorkflowRunner()
        restrictions = runner.restrictions.with_passthrough_modules("resume_gate", "msgspec", "rfc8785")
        return dataclasses.replace(runner, restrictions=restrictions)
    return existing


class ResumeGatePlugin(SimplePlugin):
    """Converter and sandbox settings, for Client, Worker and Replayer alike; put it on the client.

    ``workflows`` and ``activities`` are what a worker on that client registers beside its own.
    """

    def __init__(self, *, workflows: Sequence[type] = (), activities: Sequence[Callable[..., Any]] = ()) -> None:
        super().__init__(
            "resume_gate.ResumeGatePlugin",
            data_converter=_keep_codec,
            workflow_runner=_pass_core_through,
            workflows=list(workflows),
            activities=list(activities),
        )


def configured() -> dict[str, Any]:
    """Return what environment and ``temporal.toml`` say of the server; empty where they say nothing.

    ``NoServerError`` where ``TEMPORAL_CONFIG_FILE`` names a file that is not there.
    """
    named = os.environ.get("TEMPORAL_CONFIG_FILE")
    if named and not Path(named).is_file():
        raise NoServerError(f"TEMPORAL_CONFIG_FILE names {named}, which does not exist")
    try:
        return dict(ClientConfig.load_client_connect_config())
    except RuntimeError as error:
        raise NoServerError(f"the Temporal configuration cannot be used: {error}") from error


def quiet_runtime() -> Runtime:
    """Return a runtime whose core logs through ``logging``; by itself it would write to standard output."""
    forwarding = LogForwardingConfig(logger=logging.getLogger("temporal-core"))
    return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(filter="WARN", forwarding=forwarding)))


async def connect(*, address: str | None = None, plugin: ResumeGatePlugin | None = None) -> Client:
    """Connect to the address, or to what is configured, or to an embedded server on its default port.

    ``NoServerError`` where nothing answers there: never another server instead.
    """
    settings = {} if address is not None else configured()
    target = address or settings.pop("target_host", f"127.0.0.1:{DEFAULT_PORT}")
    settings |= {"plugins": [plugin or ResumeGatePlugin()], "runtime": quiet_runtime()}
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return await Client.connect(target, **settings)
        except RuntimeError as error:
            # A server listens before it serves; only one that says so is waited for.
            if _STARTING not in str(error) or time.monotonic() > deadline:
                why = f"no Temporal server answers at {target}: start one, or set TEMPORAL_ADDRESS"
                raise NoServerError(why) from error
        await asyncio.sleep(0.05)


async def wait_until_ready(client: Client, *, seconds: float = 20) -> None:
    """Return when the server serves the client's namespace; ``NoServerError`` when it does not in time."""
    for _ in range(int(seconds / 0.05)):
        if await _serves(client):
            return
        await asyncio.sleep(0.05)
    raise NoServerError(f"namespace {client.namespace} is not served")


async def _serves(client: Client) -> bool:
    from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest  # noqa: PLC0415 - a heavy module
    from temporalio.service import RPCError  # noqa: PLC0415

    try:
        await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace))
    except RPCError:
        return False
    return True


@asynccontextmanager
async def heartbeats(ledger: LedgerWriter, *, every: timedelta = timedelta(seconds=1)) -> AsyncIterator[None]:
    """Heartbeat the running activity with the ledger's high-water, which becomes the next gate's minimum."""

    async def beat() -> None:
        while True:
            activity.heartbeat(Heartbeat(high_water=ledger.high_water))
            await asyncio.sleep(every.total_seconds())

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()


def decode(raw: RawValue, model: type[Model], *, most: int = MAX_REQUEST_BYTES) -> Model:
    """Decode what somebody sent, of ``most`` bytes; ``ContractMisuse`` says why it is no such model."""
    encoding, size = raw.payload.metadata.get("encoding", b""), len(raw.payload.data)
    if encoding != b"json/plain":
        raise ContractMisuse(f"{model.__name__} expected as JSON; got {encoding.decode(errors='replace') or 'nothing'}")
    if size > most:
        raise ContractMisuse(f"the {model.__name__} weighs {size} bytes; {most} are allowed")
    try:
        return model.model_validate_json(raw.payload.data)
    except ValidationError as error:
        raise ContractMisuse(f"not a {model.__name__}: {explain(error)}"[:_LONGEST_WHY]) from error


def decode_continued(raw: RawValue, model: type[Model]) -> Model | None:
    """Decode what the run before handed over; ``None`` in a run that begins, be it as a retry or by a schedule."""
    if workflow.info().continued_run_id is None:
        return None
    try:
        return decode(raw, model, most=2 * MAX_REQUEST_BYTES)
    except ContractMisuse:  # started by a retry policy or a schedule: its input is the first run's
        return None


def refuse_start(error: ContractMisuse) -> ApplicationError:
    """Return the failure of a workflow that was started with what it cannot use."""
    return ApplicationError(str(error), type="ContractMisuse", non_retryable=True)


def cause_of(error: BaseException) -> str:
    """Say what an activity or child failed of, in one line."""
    cause = getattr(error, "cause", None) or error
    kind = getattr(cause, "type", None) or type(cause).__name__
    return f"{getattr(kind, 'name', kind)}: {getattr(cause, 'message', cause)}"[:1000]


def was_cancelled() -> bool:
    """Tell whether the calling task was asked to stop: how its activity or child ended is then no verdict."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def gate(request: GateRequest, *, task_queue: str | None = None) -> ResumePlan:
    """Run the gate activity from a workflow; total: a disk that never answers is a blocked plan too."""
    try:
        plan: ResumePlan = await workflow.execute_activity(
            RESUME_GATE,
            request,
            result_type=ResumePlan,
            task_queue=task_queue,
            start_to_close_timeout=_GATE_SECONDS,
            heartbeat_timeout=CONTROL_HEARTBEAT,
            retry_policy=GATE_RETRY,
            summary=str(request.run),
        )
    except ActivityError as error:
        if was_cancelled():
            raise asyncio.CancelledError from error
        plan = blocked_plan(request.run, "runtime_ledger_unavailable", cause_of(error))
    return plan


async def pass_gate(request: GateRequest, *, task_queue: str = TASK_QUEUE) -> GateResult:
    """Return when the run may be driven, is finished, or was abandoned; parked meanwhile, for as long as it takes.

    For any workflow, on any worker with ``ResumeGatePlugin``: the run parks in its ``ResumeGateWorkflow``, a child of
    the caller. ``kind`` is ``cleared`` only on a plan that is ``safe_replay``.
    """
    pause = FIRST_PAUSE
    while (passed := await try_gate(request, task_queue=task_queue)) is None:
        await workflow.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
    return passed


async def try_gate(request: GateRequest, *, task_queue: str = TASK_QUEUE) -> GateResult | None:
    """Do as ``pass_gate``, but return ``None`` where it should be tried again later.

    That is where the run's gate is open already, or was ended from outside: it cleared nothing, only a new gate may.
    For workflows that continue as new between two tries. ``ApplicationError`` for a request that no gate takes.
    """
    if request.hold is None:
        plan = await gate(request, task_queue=task_queue)
        if plan.safe:
            return GateResult(kind="finished" if plan.finished else "cleared", plan=plan)
        request = request.knowing(plan)
    try:
        return await _park(request, task_queue)
    except WorkflowAlreadyStartedError:
        return None
    except ChildWorkflowError as error:
        if was_cancelled():
            raise asyncio.CancelledError from error
        if isinstance(error.cause, ApplicationError) and error.cause.type == ContractMisuse.__name__:
            raise error.cause from error
        return None


async def _park(request: GateRequest, task_queue: str) -> GateResult:
    result: GateResult = await workflow.execute_child_workflow(
        RESUME_GATE_WORKFLOW,
        request,
        id=gate_workflow_id(request.run),
        task_queue=task_queue,
        result_type=GateResult,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        static_summary=f"parked: {request.run}",
    )
    return result
