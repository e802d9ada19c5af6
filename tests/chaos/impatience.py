"""Lets the storm see a dead control worker soon: its activities get seconds, not the minute they have otherwise."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.plugin import SimplePlugin
from temporalio.worker import (
    Interceptor,
    StartActivityInput,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)

CONTROL_SECONDS = timedelta(seconds=5)
_CONTROL = ("resume_gate", "open_run", "record_decision")


class _Outbound(WorkflowOutboundInterceptor):
    def start_activity(self, input: StartActivityInput) -> workflow.ActivityHandle[Any]:  # noqa: A002 - the SDK's name
        if input.activity in _CONTROL:
            input.start_to_close_timeout = CONTROL_SECONDS
        return super().start_activity(input)


class _Inbound(WorkflowInboundInterceptor):
    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        super().init(_Outbound(outbound))


class _Impatient(Interceptor):
    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: A002, ARG002 - the SDK's name
    ) -> type[WorkflowInboundInterceptor]:
        return _Inbound


class ImpatientPlugin(SimplePlugin):
    """For the control worker of a storm, beside the plugin that its client has."""

    def __init__(self) -> None:
        super().__init__("tests.chaos.ImpatientPlugin", interceptors=[_Impatient()])
