"""What one drive pass is asked and what it answers (contract section 9).

There is no deadline here, and no paused or yielded outcome: hosts own time, and a process that dies is recovered from
the ledger.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel, StrictBool, StrictFloat, StrictInt, ValidationError

from resume_gate.errors import ContractMisuse
from resume_gate.wire import BoundedJson, Request, explain

MAX_OUTCOME_BYTES = 64 * 1024
"""The most that one outcome may weigh as JSON."""
_YEAR_2100_MS = 4_102_444_800_000

OperationId = Annotated[str, Field(min_length=1, max_length=512)]


class DriveOptions(Request):
    """How to drive; ``operation_id`` names the run's operation and stays the same over all its attempts."""

    operation_id: OperationId
    wait_for_retry: StrictBool = False
    poll_deferred: StrictBool = False


class Settled(Request):
    """The run's operation ended, with any JSON as its outcome."""

    kind: Literal["settled"] = "settled"
    operation_id: OperationId
    outcome: BoundedJson


class WaitingRetry(Request):
    """Not before ``not_before`` (Unix ms) is another drive of use."""

    kind: Literal["waiting"] = "waiting"
    reason: Literal["retry"] = "retry"
    operation_id: OperationId
    not_before: Annotated[StrictInt | StrictFloat, Field(ge=0, le=_YEAR_2100_MS)]


class WaitingDeferred(Request):
    """Something elsewhere goes on; ``deferred`` is the handle that the drive will know it by."""

    kind: Literal["waiting"] = "waiting"
    reason: Literal["deferred"] = "deferred"
    operation_id: OperationId
    deferred: BoundedJson


class ActionRequired(Request):
    """A person has to answer before another drive is of use."""

    kind: Literal["action_required"] = "action_required"
    operation_id: OperationId
    action: BoundedJson


AnyOutcome = Settled | WaitingRetry | WaitingDeferred | ActionRequired
_Waiting = Annotated[WaitingRetry | WaitingDeferred, Field(discriminator="reason")]


class DriveOutcome(RootModel[Annotated[Settled | _Waiting | ActionRequired, Field(discriminator="kind")]]):
    """One of the four outcomes; ``root`` is the outcome itself, for a ``match``."""

    model_config = ConfigDict(frozen=True)


def accept_outcome(data: bytes, options: DriveOptions) -> AnyOutcome:
    """Decode a drive's answer to these options; ``ContractMisuse`` says why it is none."""
    if len(data) > MAX_OUTCOME_BYTES:
        raise ContractMisuse(f"the outcome weighs {len(data)} bytes; {MAX_OUTCOME_BYTES} are allowed")
    try:
        outcome = DriveOutcome.model_validate_json(data).root
    except ValidationError as error:
        raise ContractMisuse(f"not a DriveOutcome: {explain(error)}") from error
    if outcome.operation_id != options.operation_id:
        raise ContractMisuse(f"the outcome is for operation {outcome.operation_id!r}, not for {options.operation_id!r}")
    return outcome
