"""The online commands while nobody decides: no worker runs, or the old attempt still lives."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import NamedTuple

import pytest
import pytest_asyncio

from resume_gate import RuntimeEventStore
from resume_gate.contract import GateResult
from resume_gate.settings import Settings
from resume_gate.temporal.devserver import DevServer
from tests.temporal import ledgers
from tests.temporal.commands import Said, typed
from tests.temporal.support import Site, gate_shows, new_run, parked, serving, start_gate

_NEVER = "sha256:" + "0" * 64


class _Story(NamedTuple):
    """What the commands said, all at once since each waits for an answer, and what became of the runs."""

    shown: Said
    released: Said
    kept: Said
    later: GateResult
    waited: GateResult


@pytest_asyncio.fixture(scope="module")
async def story(site: Site, server: DevServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[_Story]:
    """Park one run without a worker, and have another wait for its old writer."""
    settings = Settings(root=tmp_path_factory.mktemp("root"), task_queue="cli-no-worker")
    lonely, held = new_run(), new_run()
    ledgers.dangling(RuntimeEventStore(settings.root), lonely)
    address = {"TEMPORAL_ADDRESS": server.address}
    async with serving(server.address, settings):
        gate = await start_gate(replace(site, settings=settings), lonely)
        digest = (await parked(gate)).plan_digest
    with ledgers.writing(site.store, held) as turn:
        turn.user("charge order 7")
        waiting = await start_gate(site, held)
        await gate_shows(waiting, lambda seen: seen.phase == "waiting")
        said = await asyncio.gather(
            typed("show", lonely.session_id, lonely.run_id, **address),
            typed("release", lonely.session_id, lonely.run_id, "--plan", digest, "--reason", "looked", **address),
            typed("release", held.session_id, held.run_id, "--plan", _NEVER, "--reason", "looked", **address),
        )
    async with serving(server.address, settings):
        yield _Story(*said, later=await gate.result(), waited=await waiting.result())


async def test_without_a_worker_it_says_so(story: _Story) -> None:
    """``show`` ends with 5 and says what to start."""
    assert (story.shown.code, "no worker answers" in story.shown.err) == (5, True), story.shown


async def test_a_decision_is_left_for_the_next_worker(story: _Story) -> None:
    """``release`` ends with 5; it was left as a signal, and the next worker applies it once."""
    assert (story.released.code, "was left as a signal" in story.released.err) == (5, True), story.released
    assert (story.later.kind, [taken.kind for taken in story.later.decisions]) == ("cleared", ["release"])


async def test_a_decision_that_waits_for_its_plan_is_told_apart(story: _Story) -> None:
    """While the old attempt lives a decision on another plan is kept: 5 as well, in words that blame no worker."""
    assert (story.kept.code, "it keeps the release for the plan it names" in story.kept.err) == (5, True), story.kept
    assert (story.waited.kind, story.waited.decisions) == ("cleared", ())
