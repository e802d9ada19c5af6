"""Too many arguments are a bad payload, no crash: one such signal would hang its workflow, such a call be retried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from temporalio import workflow
from temporalio.api.common.v1 import Payload
from temporalio.common import RawValue
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    ExecuteWorkflowInput,
    HandleSignalInput,
    HandleUpdateInput,
    Interceptor,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
)

from resume_gate.contract import AGENT_RUN_WORKFLOW, RESUME_GATE_WORKFLOW

_OURS = (AGENT_RUN_WORKFLOW, RESUME_GATE_WORKFLOW)


def _one(given: Sequence[Any]) -> Sequence[Any]:
    if len(given) <= 1:
        return given
    return [RawValue(Payload(metadata={"encoding": f"{len(given)} arguments".encode()}))]


def _one_of(given: Sequence[Any]) -> Sequence[Any]:
    return _one(given) if workflow.info().workflow_type in _OURS else given


class _OneActivityArgument(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002 - the SDK's name
        input.args = _one(input.args)
        return await super().execute_activity(input)


class _OneArgument(WorkflowInboundInterceptor):
    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:  # noqa: A002 - the SDK's name
        input.args = _one_of(input.args)
        return await super().execute_workflow(input)

    async def handle_signal(self, input: HandleSignalInput) -> None:  # noqa: A002 - the SDK's name
        if workflow.get_signal_handler(input.signal) is not None:  # another one's arguments are its name and a list
            input.args = _one_of(input.args)
        await super().handle_signal(input)

    def handle_update_validator(self, input: HandleUpdateInput) -> None:  # noqa: A002 - the SDK's name
        input.args = _one_of(input.args)
        super().handle_update_validator(input)


class OneArgument(Interceptor):
    """Gives our workflows and activities one argument at most, and other workflows whatever was sent."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002
        """Return the interceptor of activity calls; the control worker has no activities but ours."""
        return _OneActivityArgument(next)

    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: A002, ARG002 - the SDK's name
    ) -> type[WorkflowInboundInterceptor]:
        """Return the interceptor of workflow calls."""
        return _OneArgument
