"""Too many arguments are a bad payload, not a crash: without this, one such signal would hang its workflow for ever."""

from __future__ import annotations

from typing import Any

from temporalio import workflow
from temporalio.api.common.v1 import Payload
from temporalio.common import RawValue
from temporalio.worker import (
    ExecuteWorkflowInput,
    HandleSignalInput,
    HandleUpdateInput,
    Interceptor,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
)

from resume_gate.contract import AGENT_RUN_WORKFLOW, RESUME_GATE_WORKFLOW

_OURS = (AGENT_RUN_WORKFLOW, RESUME_GATE_WORKFLOW)


def _one(given: list[Any]) -> list[Any]:
    if len(given) <= 1 or workflow.info().workflow_type not in _OURS:
        return given
    return [RawValue(Payload(metadata={"encoding": f"{len(given)} arguments".encode()}))]


class _OneArgument(WorkflowInboundInterceptor):
    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:  # noqa: A002 - the SDK's name
        input.args = _one(list(input.args))
        return await super().execute_workflow(input)

    async def handle_signal(self, input: HandleSignalInput) -> None:  # noqa: A002 - the SDK's name
        input.args = _one(list(input.args))
        await super().handle_signal(input)

    def handle_update_validator(self, input: HandleUpdateInput) -> None:  # noqa: A002 - the SDK's name
        input.args = _one(list(input.args))
        super().handle_update_validator(input)


class OneArgument(Interceptor):
    """Gives our workflows one argument at most, and theirs whatever was sent."""

    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: A002, ARG002 - the SDK's name
    ) -> type[WorkflowInboundInterceptor]:
        """Return the interceptor of workflow calls."""
        return _OneArgument
