"""An agent's run that was started with what it cannot use fails at once and says why."""

import asyncio
from typing import Any

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError

from resume_gate.contract import AgentRunResult
from tests.temporal.agents import start_agent_on
from tests.temporal.drives import DRIVE, DRIVES
from tests.temporal.support import PATIENCE, Site, new_run

_GOOD = {"run": {"sessionId": "s", "runId": "r"}, "text": "go", "driveActivity": "d", "driveTaskQueue": "q"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param([], "AgentRunRequest expected as JSON; got nothing", id="no argument"),
        pytest.param(["go"], "AgentRunRequest: payload: Input should be an object", id="words"),
        pytest.param([{"run": _GOOD["run"]}], "text: Field required; driveActivity: Field required", id="no drive"),
        pytest.param([_GOOD | {"deadline": 3}], "deadline: Extra inputs", id="an unknown key"),
        pytest.param([_GOOD | {"options": {"operationId": "o", "deadline": 1}}], "options.deadline: ", id="a deadline"),
        pytest.param([_GOOD | {"toolBoundary": "t2"}], "toolBoundary: ", id="an unknown boundary"),
        pytest.param([_GOOD | {"host": {"heartbeatTimeout": 0}}], "host.heartbeatTimeout: ", id="no heartbeat"),
        pytest.param([_GOOD | {"run": {"sessionId": "..", "runId": "r"}}], "cannot name a session", id="a path"),
        pytest.param([_GOOD | {"text": "x" * 1_048_576}], "bytes; 1048576 are allowed", id="too large"),
        pytest.param([_GOOD, _GOOD], "got 2 arguments", id="two arguments"),
    ],
)
async def test_a_bad_start_input_fails_with_its_reason(site: Site, arguments: list[Any], why: str) -> None:
    """The run fails as ``ContractMisuse`` in words that name the key."""
    handle = await start_agent_on(site, new_run(), *arguments)
    with pytest.raises(WorkflowFailureError) as caught:
        await asyncio.wait_for(handle.result(), PATIENCE)
    cause = caught.value.cause
    assert isinstance(cause, ApplicationError)
    assert (cause.type, why in cause.message) == ("ContractMisuse", True), cause.message


async def test_plain_json_starts_a_run(site: Site) -> None:
    """CamelCase JSON from any SDK or the command line is enough; what is left out has its default."""
    run = new_run()
    site.drives.script(run, site.drives.settles(7))
    given = {"run": {"sessionId": run.session_id, "runId": run.run_id}, "text": "go"}
    given |= {"driveActivity": DRIVE, "driveTaskQueue": DRIVES, "host": {"heartbeatTimeout": "PT5S"}}
    agent = await start_agent_on(site, run, given)
    assert await agent.result() == AgentRunResult(kind="settled", outcome=7)
    (request,) = site.drives.requests[run]
    assert request.options.model_dump() == {
        "operationId": f"agent-run/{run}",
        "waitForRetry": False,
        "pollDeferred": False,
    }
