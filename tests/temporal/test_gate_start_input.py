"""A gate that was started with what it cannot use fails at once and says why."""

import asyncio
from typing import Any

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError

from tests.temporal.support import PATIENCE, Site, new_run, start_gate

_RUN = {"sessionId": "s", "runId": "r"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param([1], "not a GateRequest: payload: Input should be an object", id="a number"),
        pytest.param([None], "GateRequest expected as JSON; got binary/null", id="null"),
        pytest.param([b"{}"], "GateRequest expected as JSON; got binary/plain", id="bytes"),
        pytest.param([{}], "run: Field required", id="no run"),
        pytest.param([{"run": _RUN, "deadline": 3}], "deadline: Extra inputs are not permitted", id="an unknown key"),
        pytest.param([{"run": _RUN, "minimumHighWater": -1}], "minimumHighWater: ", id="a negative high-water"),
        pytest.param([{"run": _RUN, "hold": {"reason": "tired"}}], "hold.reason: ", id="an unknown hold"),
        pytest.param([{"run": _RUN}, {"run": _RUN}], "got 2 arguments", id="two arguments"),
        pytest.param([{"run": _RUN, "x" * 100_000: 1}], "not a GateRequest: xxx", id="a very long key"),
        pytest.param(
            [{"run": _RUN, "hold": {"detail": "x" * 1_100_000}}], "bytes; 1048576 are allowed", id="too large"
        ),
    ],
)
async def test_a_bad_start_input_fails_with_its_reason(site: Site, arguments: list[Any], why: str) -> None:
    """The run fails as ``ContractMisuse``, in words that name the key and never a value."""
    await _fails(site, arguments, why)


@pytest.mark.parametrize("name", ["..", "a/b", "", ".hidden", "x" * 129, "nul", "trailing."])
@pytest.mark.parametrize("key", ["sessionId", "runId"])
async def test_an_id_that_is_more_than_a_name_is_refused(site: Site, key: str, name: str) -> None:
    """A caller may name a run, never a path."""
    await _fails(site, [{"run": _RUN | {key: name}}], "cannot name a session or run")


async def test_no_start_input_is_a_bad_one(site: Site) -> None:
    """A gate that was started without an argument says what it expected."""
    handle = await site.client.start_workflow(
        "ResumeGateWorkflow", id=f"bad-{new_run().run_id}", task_queue=site.settings.task_queue
    )
    with pytest.raises(WorkflowFailureError) as caught:
        await asyncio.wait_for(handle.result(), PATIENCE)
    assert "GateRequest expected as JSON; got nothing" in str(caught.value.cause)


async def _fails(site: Site, arguments: list[Any], why: str) -> None:
    handle = await start_gate(site, new_run(), *arguments)
    with pytest.raises(WorkflowFailureError) as caught:
        await asyncio.wait_for(handle.result(), PATIENCE)
    cause = caught.value.cause
    assert isinstance(cause, ApplicationError)
    assert (cause.type, why in cause.message, len(cause.message) < 3000) == ("ContractMisuse", True, True)
