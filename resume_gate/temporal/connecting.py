"""The connection to a server: the one that is configured, and never another one instead."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from pathlib import Path
from typing import Any

from temporalio.client import Client
from temporalio.envconfig import ClientConfig
from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig

from resume_gate.errors import ResumeGateError
from resume_gate.temporal.devserver import DEFAULT_PORT
from resume_gate.temporal.plugin import ResumeGatePlugin

_STARTING = "not healthy yet"
_START_SECONDS = 20.0


class NoServerError(ResumeGateError):
    """The Temporal server that was named, or the default one, did not answer."""


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
