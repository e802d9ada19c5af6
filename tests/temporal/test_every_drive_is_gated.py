"""Nothing is dispatched but through the gate: the first drive, and every further one."""

from resume_gate.contract import AgentRunResult
from tests.temporal import ledgers
from tests.temporal.agents import T1, agent_parked, start_agent, steps
from tests.temporal.drives import DRIVE
from tests.temporal.support import Site, decide, decision, eventually, gate_of, new_run


async def test_the_first_drive_is_gated_too(site: Site) -> None:
    """A run opens its ledger, passes the gate, drives, and ends with the drive's outcome."""
    run = new_run()
    site.drives.script(run, site.drives.settles({"charged": 7}))
    agent = await start_agent(site, run)
    assert await agent.result() == AgentRunResult(kind="settled", outcome={"charged": 7})
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE]


async def test_a_drive_that_died_in_its_tool_is_not_repeated(site: Site) -> None:
    """The run parks on the open call; after a person settled it, the gate clears it and a second drive ends it."""
    run = new_run()
    site.drives.script(run, site.drives.dies_in_tool(), site.drives.settles())
    agent = await start_agent(site, run)
    plan = await agent_parked(site, run)
    assert [operation.tool_name for operation in plan.open_operations] == ["charge"]
    calls = [{"callEventId": plan.open_operations[0].call_event_id, "outcome": "succeeded", "result": 1}]
    await decide(gate_of(site, run), decision("settle", plan, calls=calls))
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE, "resume_gate", "child", DRIVE]
    assert len(site.drives.requests[run]) == 2


async def test_a_run_that_is_blocked_from_the_start_is_not_driven(site: Site) -> None:
    """A ledger that an older attempt left dangling parks before the first drive."""
    run = new_run()
    ledgers.dangling(site.store, run)
    site.drives.script(run, site.drives.settles())
    agent = await start_agent(site, run)
    await decide(gate_of(site, run), decision("abandon", await agent_parked(site, run)))
    assert await agent.result() == AgentRunResult(kind="abandoned")
    assert site.drives.requests[run] == []


async def test_a_corrupt_ledger_is_not_opened_but_parked(site: Site) -> None:
    """A ledger that cannot be read is for the gate to say and a person to mend; then the run is driven."""
    run = new_run()
    ledgers.safe(site.store, run)
    path = ledgers.file_of(site.store, run)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    site.drives.script(run, site.drives.settles())
    agent = await start_agent(site, run)
    plan = await agent_parked(site, run)
    assert plan.rejection_reasons == ("runtime_ledger_unreadable",)
    path.write_bytes(whole)
    await decide(gate_of(site, run), decision("recheck", plan))
    assert (await agent.result()).kind == "settled"


async def test_opening_waits_for_an_old_writer(site: Site) -> None:
    """A run whose ledger is still held is opened when its writer is gone, and not before."""
    run = new_run()
    site.drives.script(run, site.drives.settles())
    with ledgers.writing(site.store, run) as turn:
        turn.user("charge order 7")
        agent = await start_agent(site, run)

        async def tried_again() -> bool | None:
            described = (await agent.describe()).raw_description
            return any(pending.attempt > 1 for pending in described.pending_activities) or None

        await eventually(tried_again)
    assert (await agent.result()).kind == "settled"
    assert await steps(agent) == ["open_run", "resume_gate", DRIVE]


async def test_a_finished_run_is_never_driven(site: Site) -> None:
    """Starting a run whose ledger reached its end changes nothing and says that it is finished."""
    run = new_run()
    ledgers.ended(site.store, run)
    before = site.store.read(run).digest
    agent = await start_agent(site, run)
    assert await agent.result() == AgentRunResult(kind="finished")
    assert (site.drives.requests[run], site.store.read(run).digest) == ([], before)


async def test_a_drive_gets_the_prefix_that_was_planned(site: Site) -> None:
    """Each drive gets the reference of the planned prefix, new ids, and the same options every time."""
    run = new_run()
    progress = site.drives.answers({"kind": "waiting", "reason": "retry", "notBefore": 0}, events=1)
    site.drives.script(run, progress, site.drives.settles())
    options = {"operation_id": "op-1", "wait_for_retry": True}
    await (await start_agent(site, run, options=options)).result()
    first, second = site.drives.requests[run]
    assert [first.attempt, second.attempt] == [1, 2]
    assert [first.replay.high_water, second.replay.high_water] == [1, 2]
    assert len({first.invocation_id, first.turn_id, second.invocation_id, second.turn_id}) == 2
    assert first.options == second.options
    assert (first.options.operation_id, first.options.wait_for_retry) == ("op-1", True)


async def test_the_marker_needs_the_drives_word(site: Site) -> None:
    """The first event carries the protocol marker only where the request declares the tool boundary."""
    with_marker, without = new_run(), new_run()
    for run, boundary in ((with_marker, T1), (without, None)):
        site.drives.script(run, site.drives.settles())
        await (await start_agent(site, run, tool_boundary=boundary)).result()
    assert "runtimeProtocol" in ledgers.file_of(site.store, with_marker).read_text()
    assert "runtimeProtocol" not in ledgers.file_of(site.store, without).read_text()
