"""Makes the stored histories again: ``python -m tests.temporal.record_histories``.

Do so when a workflow's commands change on purpose; then runs that were parked before the change cannot go on after it,
unless the change is guarded by ``workflow.patched``. Names of machines and paths are left out.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from temporalio.worker import Worker

from resume_gate import RuntimeEventStore
from resume_gate.contract import DECISION, WAKE, agent_run_workflow_id
from resume_gate.settings import Settings
from resume_gate.temporal import connect
from resume_gate.temporal.devserver import start_server
from tests.temporal import ledgers
from tests.temporal.agents import agent_parked, agent_shows, start_agent
from tests.temporal.drives import DRIVES, Drives
from tests.temporal.shortserver import short_server
from tests.temporal.support import (
    REPOSITORY,
    Handle,
    Site,
    decide,
    decision,
    gate_of,
    new_run,
    parked,
    refused,
    serving,
    signal,
    start_gate,
)

HISTORIES = REPOSITORY / "tests" / "data" / "histories"
_DEFERRED = {"kind": "waiting", "reason": "deferred", "deferred": {"ticket": 5}}


async def _cleared(site: Site) -> Handle:
    run = new_run()
    ledgers.safe(site.store, run)
    return await start_gate(site, run)


async def _released(site: Site) -> Handle:
    run = new_run()
    ledgers.dangling(site.store, run, calls=2)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    await gate.signal(DECISION, args=["no", "decision"])
    await refused(gate, decision("release", "sha256:" + "0" * 64))
    await signal(gate, decision("recheck", plan))
    await signal(gate, decision("release", plan))
    return gate


async def _settled(site: Site) -> Handle:
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    calls = [{"callEventId": plan.open_operations[0].call_event_id, "outcome": "succeeded", "result": 7}]
    await decide(gate, decision("settle", plan, calls=calls))
    return gate


async def _abandoned(site: Site) -> Handle:
    gate = await start_gate(site, new_run())
    await decide(gate, decision("abandon", await parked(gate)))
    return gate


async def _waited(site: Site) -> Handle:
    run = new_run()
    with ledgers.writing(site.store, run) as turn:
        turn.user("go")
        gate = await start_gate(site, run)
        await asyncio.sleep(4)
    return gate


async def _agent_retry(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    later = {"kind": "waiting", "reason": "retry", "notBefore": int(time.time() * 1000) + 1500}
    drives.script(run, drives.answers(later, events=1), drives.settles())
    return await start_agent(site, run)


async def _agent_deferred(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    drives.script(run, drives.answers(_DEFERRED), drives.settles())
    agent = await start_agent(site, run)
    await agent_shows(agent, "waiting")
    await agent.signal(WAKE)
    return agent


async def _agent_action(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    drives.script(run, drives.answers({"kind": "action_required", "action": "which?"}), drives.settles())
    agent = await start_agent(site, run)
    await decide(gate_of(site, run), decision("answer", await agent_parked(site, run), payload="7"))
    return agent


async def _agent_crash(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    drives.script(run, drives.dies_in_tool(), drives.answers("garbage", events=1), drives.settles())
    agent = await start_agent(site, run)
    await decide(gate_of(site, run), decision("release", await agent_parked(site, run)))
    return agent


async def _agent_idle(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    drives.script(run, *[drives.fails()] * 3, drives.settles())
    agent = await start_agent(site, run)
    await decide(gate_of(site, run), decision("recheck", await agent_parked(site, run)))
    return agent


async def _agent_continued(site: Site) -> Handle:
    run, drives = new_run(), site.drives
    retry = {"kind": "waiting", "reason": "retry", "notBefore": 0}
    drives.script(run, *[drives.answers(retry, events=1)] * 2, drives.settles())
    await (await start_agent(site, run)).result()
    return site.client.get_workflow_handle(agent_run_workflow_id(run))


_SCENARIOS: dict[str, Callable[[Site], Awaitable[Handle]]] = {
    "gate-cleared": _cleared,
    "gate-released": _released,
    "gate-settled": _settled,
    "gate-abandoned": _abandoned,
    "gate-waited": _waited,
    "agent-retry": _agent_retry,
    "agent-deferred": _agent_deferred,
    "agent-action": _agent_action,
    "agent-crash": _agent_crash,
    "agent-idle": _agent_idle,
}


def _scrubbed(value: Any, root: bytes) -> Any:
    if isinstance(value, list):
        return [_scrubbed(item, root) for item in value]
    if not isinstance(value, dict):
        return value
    fixed = {"identity": "recorder", "stackTrace": ""}
    kept = {key: fixed[key] if key in fixed else _scrubbed(item, root) for key, item in value.items()}
    if isinstance(kept.get("data"), str):  # a payload
        kept["data"] = base64.b64encode(base64.b64decode(kept["data"]).replace(root, b"/ledgers")).decode()
    return kept


async def _store(name: str, handle: Handle, root: Path) -> None:
    await handle.result()
    history = json.loads((await handle.fetch_history()).to_json())
    text = json.dumps(_scrubbed(history, str(root).encode()), separators=(",", ":"))
    await asyncio.to_thread((HISTORIES / f"{name}.json").write_text, text + "\n")


@asynccontextmanager
async def _site(address: str, root: Path) -> AsyncIterator[Site]:
    settings, store = Settings(root=root, io_attempts=1), RuntimeEventStore(root)
    drives = Drives(store)
    others = await connect(address=address)
    async with (
        serving(address, settings) as client,
        Worker(others, task_queue=DRIVES, activities=[drives.drive]),
    ):
        yield Site(client=client, settings=settings, store=store, drives=drives)


async def main() -> None:
    """Play every scenario on a real server, and store its history."""
    HISTORIES.mkdir(exist_ok=True)
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory()))
        async with _site(stack.enter_context(start_server()).address, root) as site:
            for name, play in _SCENARIOS.items():
                await _store(name, await play(site), root)
        short = stack.enter_context(short_server(root, events=25))
        async with _site(short.address, root) as site:
            await _store("agent-continued", await _agent_continued(site), root)


if __name__ == "__main__":
    asyncio.run(main())
