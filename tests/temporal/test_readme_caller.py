"""The README's own workflow, run: it passes the gate, and an id that is no name ends it."""

import importlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from temporalio.client import Client, WorkflowFailureError
from temporalio.worker import Worker

from resume_gate import RunRef
from tests.docs.readme import blocks
from tests.temporal import ledgers
from tests.temporal.support import Site, new_run

_QUEUE = "readme-callers"


@pytest_asyncio.fixture
async def workflow(author: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """Serve the workflow of the README's block, from a module that the sandbox can import too."""
    (block,) = [block for block in blocks("python") if "pass_gate" in block]
    (tmp_path / "readme_caller.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = importlib.import_module("readme_caller").MyAgentWorkflow
    async with Worker(author, task_queue=_QUEUE, workflows=[found]):
        yield found


async def _ran(site: Site, workflow: Any, run: RunRef) -> str:
    kind: str = await site.client.execute_workflow(
        workflow.run, args=[run.session_id, run.run_id], id=f"readme-{new_run().run_id}", task_queue=_QUEUE
    )
    return kind


async def test_it_passes_the_gate_or_ends_with_its_reason(site: Site, workflow: Any) -> None:
    """A safe run is cleared; an id that could be a path fails the workflow, instead of its task again and again."""
    run = new_run()
    ledgers.safe(site.store, run)
    assert await _ran(site, workflow, run) == "cleared"
    with pytest.raises(WorkflowFailureError) as caught:
        await _ran(site, workflow, RunRef("../../etc", "passwd"))
    assert "cannot name a session or run" in str(caught.value.cause)
