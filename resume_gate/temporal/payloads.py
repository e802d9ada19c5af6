"""What others send into our workflows, taken raw and decoded inside: nothing of it may fail a task for ever."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from temporalio import workflow
from temporalio.api.common.v1 import Payload
from temporalio.common import RawValue
from temporalio.exceptions import ApplicationError

from resume_gate.errors import ContractMisuse
from resume_gate.wire import explain

Model = TypeVar("Model", bound=BaseModel)

NOTHING = RawValue(Payload())
"""What a handler gets where its caller sent no argument."""
MAX_REQUEST_BYTES = 1024 * 1024
"""The most that a start input may weigh: half of what Temporal carries, since parts of it travel on."""
MAX_DECISION_BYTES = 64 * 1024
"""The most that one decision may weigh as JSON."""
_LONGEST_WHY = 2000


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
