"""The gate alone, for workflows of other workers on other task queues, by name."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from temporalio.client import Client, WorkflowFailureError
from temporalio.exceptions import ActivityError
from temporalio.worker import Worker

from resume_gate.contract import GateRequest
from resume_gate.temporal.devserver import DevServer
from tests.temporal import ledgers
from tests.temporal.callers import GateCaller, ImpatientCaller, PassingCaller
from tests.temporal.plain_caller import PlainCaller
from tests.temporal.support import Site, decide, decision, gate_of, new_run, parked

_QUEUE = "callers"
_PLAIN_QUEUE = "plain-callers"


@pytest_asyncio.fixture(scope="module")
async def callers(author: Client) -> AsyncIterator[Client]:
    """Serve callers' workflows with the plugin."""
    workflows = [GateCaller, PassingCaller, ImpatientCaller]
    async with Worker(author, task_queue=_QUEUE, workflows=workflows, max_cached_workflows=0):
        yield author


@pytest_asyncio.fixture(scope="module")
async def plain(server: DevServer) -> AsyncIterator[Client]:
    """Serve a caller's workflow without anything of ours."""
    client = await Client.connect(server.address)
    async with Worker(client, task_queue=_PLAIN_QUEUE, workflows=[PlainCaller]):
        yield client


async def test_a_plan_comes_back_typed(site: Site, callers: Client) -> None:
    """With the plugin's converter the plan is a ``ResumePlan``."""
    run = new_run()
    ledgers.dangling(site.store, run)
    plan = await callers.execute_workflow(
        GateCaller.run,
        args=[GateRequest(run=run), site.settings.task_queue],
        id=f"call-{run.run_id}",
        task_queue=_QUEUE,
    )
    assert (plan.run, plan.disposition, len(plan.open_operations)) == (run, "blocked", 1)


async def test_a_plan_comes_back_as_plain_json(site: Site, plain: Client) -> None:
    """With the default converter the plan is JSON with camelCase keys, and so is the request."""
    run = new_run()
    ledgers.dangling(site.store, run)
    request: dict[str, Any] = {"run": {"sessionId": run.session_id, "runId": run.run_id}, "minimumHighWater": 2}
    plan = await plain.execute_workflow(
        PlainCaller.run, args=[[request], site.settings.task_queue], id=f"call-{run.run_id}", task_queue=_PLAIN_QUEUE
    )
    assert plan["run"] == {"sessionId": run.session_id, "runId": run.run_id}
    assert (plan["disposition"], plan["sourceHighWater"]) == ("blocked", 3)
    assert plan["rejectionReasons"] == ["dangling_tool_state"]
    assert plan["openOperations"][0]["toolCallId"] == "c1"


_RUN = {"run": {"sessionId": "s", "runId": "r"}}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param([{"run": "r-1"}], "not a GateRequest: run: ", id="no run"),
        pytest.param([], "GateRequest expected as JSON; got nothing", id="no argument"),
        pytest.param([_RUN, _RUN], "GateRequest expected as JSON; got 2 arguments", id="two arguments"),
    ],
)
async def test_a_request_that_is_none_is_refused(
    site: Site, plain: Client, arguments: list[dict[str, Any]], why: str
) -> None:
    """A caller's mistake fails the activity with its reason, instead of being tried again for ever."""
    with pytest.raises(WorkflowFailureError) as caught:
        await plain.execute_workflow(
            PlainCaller.run,
            args=[arguments, site.settings.task_queue],
            id=f"call-{new_run().run_id}",
            task_queue=_PLAIN_QUEUE,
        )
    assert isinstance(caught.value.cause, ActivityError)
    assert f"ContractMisuse: {why}" in str(caught.value.cause.cause)


async def test_a_callers_run_parks_in_its_gate(site: Site, callers: Client) -> None:
    """``pass_gate`` returns when a person decided, in the gate that is found under the run's id."""
    run = new_run()
    ledgers.dangling(site.store, run)
    handle = await callers.start_workflow(
        PassingCaller.run,
        args=[GateRequest(run=run), site.settings.task_queue],
        id=f"call-{run.run_id}",
        task_queue=_QUEUE,
    )
    gate = gate_of(site, run)
    await decide(gate, decision("release", await parked(gate)))
    result = await handle.result()
    assert (result.kind, [taken.kind for taken in result.decisions]) == ("cleared", ["release"])


async def test_a_caller_may_give_up(site: Site, callers: Client) -> None:
    """A time-out around ``pass_gate`` ends the wait: it is never taken for a verdict on the run."""
    run = new_run()
    ledgers.dangling(site.store, run)
    kind = await callers.execute_workflow(
        ImpatientCaller.run,
        args=[GateRequest(run=run), site.settings.task_queue],
        id=f"call-{run.run_id}",
        task_queue=_QUEUE,
    )
    assert kind == "gave up"
