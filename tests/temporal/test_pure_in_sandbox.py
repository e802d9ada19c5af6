"""The core runs in the workflow sandbox as it is: no clock, no randomness, no file, no environment."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from temporalio.client import Client, WorkflowFailureError
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from resume_gate.temporal.devserver import DevServer
from tests.kit.builders import call, numbered, opened, t1, text_of
from tests.temporal.pure_workflow import ImpureWorkflow, PureWorkflow
from tests.temporal.support import new_run

_QUEUE = "pure"
# ``resume_gate`` itself is not among them; filelock cannot be imported inside, and is never called there.
_THIRD_PARTY = SandboxRestrictions.default.with_passthrough_modules("filelock")


@pytest_asyncio.fixture(scope="module")
async def sandbox(server: DevServer) -> AsyncIterator[Client]:
    """Serve workflows whose sandbox holds the core, too."""
    client = await Client.connect(server.address)
    runner = SandboxedWorkflowRunner(restrictions=_THIRD_PARTY)
    workflows = [PureWorkflow, ImpureWorkflow]
    async with Worker(client, task_queue=_QUEUE, workflows=workflows, workflow_runner=runner, max_cached_workflows=0):
        yield client


async def test_an_impure_call_would_raise(sandbox: Client) -> None:
    """The sandbox refuses what is not pure: the recorder's clock."""
    with pytest.raises(WorkflowFailureError) as caught:
        await sandbox.execute_workflow(ImpureWorkflow.run, id=new_run().run_id, task_queue=_QUEUE)
    assert "Cannot access time.time_ns" in str(caught.value.cause)


async def test_the_core_needs_no_pass_through(sandbox: Client) -> None:
    """A workflow that plans and decides runs under it, and finds what it finds outside."""
    rows = [text_of(row).decode() for row in numbered([opened(), call(), t1()])]
    found = await sandbox.execute_workflow(PureWorkflow.run, rows, id=new_run().run_id, task_queue=_QUEUE)
    assert found["plan"]["disposition"] == "blocked"
    assert found["statuses"] == ["indeterminate"]
    assert (len(found["added"]), found["safe"]) == (2, True)
    assert found["replayed"] == ["e1", "e2", "e3", f"decision:release:{found['plan']['planDigest']}:1"]
    assert "Open calls:" in found["text"]
