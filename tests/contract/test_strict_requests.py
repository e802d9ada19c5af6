"""Design, Core: what comes in forbids extra keys; what goes out is read leniently."""

import json
from datetime import timedelta

import pytest
from pydantic import BaseModel, ValidationError

from resume_gate.contract import (
    AgentRunRequest,
    AgentRunResult,
    DecisionAnswer,
    DecisionSummary,
    DriveRequest,
    GateRequest,
    GateResult,
    GateStatus,
    Heartbeat,
    Hold,
    HostPolicy,
    OpenRunRequest,
    ReleaseSignal,
)
from resume_gate.decisions import CallOutcome, Decision, DecisionRecord
from resume_gate.drive import DriveOptions
from resume_gate.ledger.prefix import ReplayReference
from resume_gate.wire import RunRef
from tests.kit.builders import DIGEST, plan

_RUN = RunRef("ses-1", "run-1")
_OPTIONS = DriveOptions(operation_id="o")
_DECISION = Decision(kind="recheck", operator="ann", reason="looked", decision_id="d-1", plan_digest=DIGEST)
_REPLAY = ReplayReference(high_water=1, prefix_digest=DIGEST)
_REQUESTS: list[BaseModel] = [
    GateRequest(run=_RUN, expected_high_water=1, hold=Hold(reason="no_progress", detail={"a": 1})),
    AgentRunRequest(run=_RUN, text="go", drive_activity="drive", drive_task_queue="q", options=_OPTIONS),
    DriveRequest(run=_RUN, options=_OPTIONS, attempt=1, invocation_id="i", turn_id="t", replay=_REPLAY),
    OpenRunRequest(run=_RUN, invocation_id="i", turn_id="t", event_id="e", ts=1, text="go"),
    HostPolicy(heartbeat_timeout=timedelta(seconds=5)),
    ReleaseSignal(operator="ann", reason="looked", plan_digest=DIGEST),
    CallOutcome(call_event_id="e2", outcome="failed", result={"a": 1}),
    DecisionRecord(run=_RUN, decision=_DECISION, high_water=1, prefix_digest=DIGEST, ts=1),
    _DECISION,
    _REPLAY,
    _OPTIONS,
]
_ANSWERS: list[BaseModel] = [
    GateResult(kind="cleared", plan=plan()),
    GateStatus(phase="parked", plan=plan()),
    DecisionSummary(decision_id="d-1", kind="recheck", operator="ann"),
    DecisionAnswer(decision_id="d-1", kind="recheck", text="done"),
    AgentRunResult(kind="settled", outcome={"a": 1}),
    Heartbeat(high_water=1),
]


def _name(model: BaseModel) -> str:
    return type(model).__name__


@pytest.mark.parametrize("model", [*_REQUESTS, *_ANSWERS], ids=_name)
def test_a_model_survives_the_wire(model: BaseModel) -> None:
    """Whatever crosses Temporal is the same when it is read again."""
    assert type(model).model_validate_json(model.model_dump_json()) == model


@pytest.mark.parametrize("model", [*_REQUESTS, *_ANSWERS], ids=_name)
def test_keys_are_in_camel_case(model: BaseModel) -> None:
    """No key on the wire has an underscore in it."""
    assert not [key for key in json.loads(model.model_dump_json()) if "_" in key]


@pytest.mark.parametrize("model", _REQUESTS, ids=_name)
def test_an_unknown_key_of_a_request_is_refused(model: BaseModel) -> None:
    """A request that asks for more than is known is an error."""
    wire = {**json.loads(model.model_dump_json()), "later": 1}
    with pytest.raises(ValidationError, match="later"):
        type(model).model_validate_json(json.dumps(wire))


@pytest.mark.parametrize("model", _ANSWERS, ids=_name)
def test_an_unknown_key_of_an_answer_is_ignored(model: BaseModel) -> None:
    """An answer that says more than is known is read for what is known."""
    wire = {**json.loads(model.model_dump_json()), "later": 1}
    assert type(model).model_validate_json(json.dumps(wire)) == model


def test_an_unknown_key_of_a_requests_run_is_refused() -> None:
    """The run's name is strict in a request too."""
    with pytest.raises(ValidationError):
        GateRequest.model_validate_json('{"run":{"sessionId":"s","runId":"r","path":"x"}}')


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "/a", "a\\b", "a.", "CON", "nul.txt", "-a", "\u00e9", "a" * 129]
)
def test_a_request_names_a_run_and_never_a_path(name: str) -> None:
    """An id that could be more than a name is refused where it comes in."""
    with pytest.raises(ValidationError):
        GateRequest.model_validate_json(json.dumps({"run": {"sessionId": name, "runId": "r"}}))
    with pytest.raises(ValidationError):
        GateRequest.model_validate_json(json.dumps({"run": {"sessionId": "s", "runId": name}}))
