"""What a client or worker needs beside its own settings: the converter, and the sandbox without our core in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultPayloadConverter
from temporalio.plugin import SimplePlugin
from temporalio.worker import WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner


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
