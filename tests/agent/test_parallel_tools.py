"""Tools that run at once keep their facts apart (design, Recorder)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from resume_gate import Recorder, recover
from tests.agent.kit import decision, facts, result_of, turn


async def test_gathered_tools_are_all_settled(tmp_path: Path) -> None:
    """All have started before the first ends, they end in another order, and each gets its own result."""
    all_started = asyncio.Barrier(3)

    async def use(recorder: Recorder, number: int) -> None:
        async with recorder.tool(f"c{number}", "charge", {"order": number}) as call:
            await all_started.wait()
            for _ in range(3 - number):
                await asyncio.sleep(0)
            call.result = number

    with turn(tmp_path) as recorder:
        await asyncio.gather(*(use(recorder, number) for number in range(3)))
        recorder.end()
        assert facts(recorder.ledger)[:7] == ["user", "call c0", "T1 c0", "call c1", "T1 c1", "call c2", "T1 c2"]
        assert [result_of(recorder.ledger, f"c{number}") for number in range(3)] == [b"0", b"1", b"2"]


async def test_one_that_fails_and_one_that_is_cancelled_leave_the_others_alone(tmp_path: Path) -> None:
    """Of three, one fails, one is cancelled and one ends well; the ledger says so of each."""
    forever = asyncio.Event()

    async def use(recorder: Recorder, call_id: str) -> None:
        async with recorder.tool(call_id, "charge", {}):
            if call_id == "cancelled":
                await forever.wait()
            if call_id == "failed":
                raise ValueError("no such order")

    with turn(tmp_path) as recorder:
        tasks = [asyncio.ensure_future(use(recorder, name)) for name in ("cancelled", "failed", "good")]
        await asyncio.gather(*tasks[1:])
        tasks[0].cancel()
        await asyncio.wait(tasks)
        found = {name: decision(recorder.ledger, name) for name in ("cancelled", "failed", "good")}
    assert tasks[0].cancelled()
    assert {name: made.status for name, made in found.items()} == {
        "cancelled": "indeterminate",
        "failed": "completed",
        "good": "completed",
    }
    assert (found["failed"].is_error, found["good"].is_error) == (True, False)


def test_tools_in_threads_are_all_settled(tmp_path: Path) -> None:
    """Threads may share a recorder: nothing is lost and the ledger stays legal."""

    def use(recorder: Recorder, number: int) -> None:
        with recorder.tool(f"c{number}", "charge", {"order": number}) as call:
            call.result = number

    with turn(tmp_path) as recorder, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: use(recorder, number), range(40)))
        found = recover(recorder.ledger.events)
    assert found.issues == []
    assert [made.status for made in found.decisions] == ["completed"] * 40
