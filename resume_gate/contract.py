"""Names, requests and results that cross Temporal (design, Temporal); for callers from any SDK."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field

from resume_gate.decisions import DecisionKind, HighWater, Operator, Reason, Sha256
from resume_gate.drive import DriveOptions
from resume_gate.errors import ContractMisuse
from resume_gate.ledger.prefix import ReplayReference
from resume_gate.verdict.plan import ResumePlan
from resume_gate.wire import Answer, BoundedJson, Request, RunRef, require_safe_run

TASK_QUEUE = "resume-gate"
RESUME_GATE = "resume_gate"
OPEN_RUN = "open_run"
RECORD_DECISION = "record_decision"
RESUME_GATE_WORKFLOW = "ResumeGateWorkflow"
AGENT_RUN_WORKFLOW = "AgentRunWorkflow"
DECIDE = "decide"
DECISION = "decision"
RELEASE = "release"
WAKE = "wake"
STATUS = "status"
MAX_NAME_BYTES = 1000
"""The longest name of an activity or a task queue that Temporal schedules; a longer one would hang its workflow."""

ToolBoundary = Literal["t1_after_preflight_v1"]
GateKind = Literal["cleared", "finished", "abandoned"]
Phase = Literal["gating", "waiting", "parked", "recording", "done"]


def _named_safely(run: RunRef) -> RunRef:
    try:
        return require_safe_run(run)
    except ContractMisuse as error:
        raise ValueError(str(error)) from error


def _carried(name: str) -> str:
    if len(name.encode()) > MAX_NAME_BYTES or name.startswith("/_sys/"):
        raise ValueError(f"Temporal carries names of at most {MAX_NAME_BYTES} bytes that do not start with '/_sys/'")
    return name


TemporalName = Annotated[str, Field(min_length=1), AfterValidator(_carried)]


def _only_names(given: Any) -> Any:
    # A plan's run may grow keys, a request's may not.
    if isinstance(given, dict) and not given.keys() <= {"sessionId", "runId", "session_id", "run_id"}:
        raise ValueError("a run is named by sessionId and runId alone")
    return given


SafeRun = Annotated[RunRef, AfterValidator(_named_safely), BeforeValidator(_only_names)]
Seconds = Annotated[timedelta, Field(gt=timedelta(0), le=timedelta(days=3650))]


def gate_workflow_id(run: RunRef) -> str:
    """Return the workflow id under which the run's gate is found."""
    return f"resume-gate/{run}"


def agent_run_workflow_id(run: RunRef) -> str:
    """Return the workflow id under which the run is driven, which is also its default operation id."""
    return f"agent-run/{run}"


class Hold(Request):
    """Why a run is parked even where its plan is safe; ``detail`` is any JSON, for the person to see."""

    reason: Literal["action_required", "no_progress"]
    detail: BoundedJson = None


class SessionRef(Request):
    """Another agent's session: a file below the worker's sessions root, and which session of a database."""

    format: Annotated[str, Field(min_length=1, max_length=64)]
    locator: Annotated[str, Field(min_length=1, max_length=1024)]
    session: str | None = None


class GateRequest(Request):
    """Which run to judge, and what is known of its ledger already.

    With ``session``, that foreign session is judged instead of a ledger, under the run's name.
    """

    run: SafeRun
    session: SessionRef | None = None
    expected_high_water: HighWater | None = None
    minimum_high_water: HighWater | None = None
    hold: Hold | None = None

    def knowing(self, plan: ResumePlan) -> Self:
        """Return the request for a later gate: a ledger that was seen so long is never shorter again unnoticed."""
        if plan.evidence is not None:  # a foreign session may be compacted
            return self
        return self.model_copy(update={"minimum_high_water": max(self.minimum_high_water or 0, plan.source_high_water)})


class DecisionSummary(Answer):
    """Who decided what."""

    decision_id: str
    kind: DecisionKind
    operator: str


class GateResult(Answer):
    """How a gate ended: ``cleared`` to be driven, ``finished`` already, or ``abandoned`` by a person."""

    kind: GateKind
    plan: ResumePlan
    decisions: tuple[DecisionSummary, ...] = ()


class Refusal(Answer):
    """A decision, or a payload that was none, that was not taken, and why."""

    decision_id: str | None = None
    why: str


class Command(Answer):
    """Something to type, and what it does."""

    command: str
    effect: str


class GateStatus(Answer):
    """What a person on call needs to see of a gate."""

    phase: Phase
    text: str = ""
    plan: ResumePlan | None = None
    hold: Hold | None = None
    decisions: tuple[DecisionSummary, ...] = ()
    refused: tuple[Refusal, ...] = ()
    commands: tuple[Command, ...] = ()


class DecisionAnswer(Answer):
    """What became of a decision that was sent as an update."""

    decision_id: str
    kind: DecisionKind
    text: str
    events_added: int = 0


class ReleaseSignal(Request):
    """The short form of a release."""

    operator: Operator
    reason: Reason
    plan_digest: Sha256


class HostPolicy(Request):
    """How the host drives: settings of the transport, apart from ``DriveOptions``."""

    heartbeat_timeout: Seconds = timedelta(seconds=30)
    start_to_close_timeout: Seconds = timedelta(hours=24)
    deferred_poll: Seconds = timedelta(minutes=1)
    no_progress_limit: Annotated[int, Field(ge=1)] = 3


class AgentRunRequest(Request):
    """A run to open and drive; ``tool_boundary`` declares that the drive commits T1 before its tools."""

    run: SafeRun
    text: str
    drive_activity: TemporalName
    drive_task_queue: TemporalName
    tool_boundary: ToolBoundary | None = None
    options: DriveOptions | None = None
    host: HostPolicy = Field(default_factory=HostPolicy)

    @property
    def drive_options(self) -> DriveOptions:
        """The options given, or the defaults under the run's own operation id."""
        return self.options or DriveOptions(operation_id=agent_run_workflow_id(self.run))


class AgentRunResult(Answer):
    """How a run ended; ``outcome`` is the settled drive's."""

    kind: Literal["settled", "finished", "abandoned"]
    outcome: BoundedJson = None


class DriveRequest(Request):
    """What an author's drive activity gets; it opens the ledger with ``expect=replay``."""

    run: SafeRun
    options: DriveOptions
    attempt: Annotated[int, Field(ge=1)]
    invocation_id: str
    turn_id: str
    replay: ReplayReference


class OpenRunRequest(Request):
    """The first event of a run; ``ts`` is in Unix milliseconds."""

    run: SafeRun
    invocation_id: Annotated[str, Field(min_length=1)]
    turn_id: Annotated[str, Field(min_length=1)]
    event_id: Annotated[str, Field(min_length=1)]
    ts: int
    text: str
    tool_boundary: ToolBoundary | None = None


class Heartbeat(Answer):
    """What a drive's heartbeats carry: how many events the ledger holds, the next gate's minimum."""

    high_water: int
