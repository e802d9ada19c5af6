"""The worker processes: real ones, forked from one that has imported everything, replaced as soon as they die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import Counter
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Self

from tests.chaos.deaths import spot_of_death
from tests.chaos.worker import Job, work

SIZE = 3
_FORKS = multiprocessing.get_context("forkserver")


class Member:
    """One worker process, from its start to its end."""

    def __init__(self, process: BaseProcess) -> None:
        self.process = process
        self.ended = asyncio.Event()
        self.asked: str | None = None
        """What the storm did to end it, if it did."""
        asyncio.get_running_loop().add_reader(process.sentinel, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self.process.sentinel)
        self.process.join()
        self.ended.set()

    @property
    def pid(self) -> int:
        """The process id; of no use once it ended."""
        return self.process.pid or 0

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process ended already."""
        if not self.ended.is_set():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Crew:
    """Three workers, and the count of their deaths by cause."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._members: list[Member] = []
        self._watchers: list[asyncio.Task[None]] = []
        self.kills: Counter[str] = Counter()
        self.stops = 0
        self.terminations = 0
        self.unasked: list[str] = []
        """Workers that ended without having been told to: none is expected."""

    async def __aenter__(self) -> Self:
        _FORKS.set_forkserver_preload(["tests.chaos.worker"])
        for place in range(SIZE):
            self._members.append(self._spawn())
            self._watchers.append(asyncio.create_task(self._watch(place)))
        return self

    async def __aexit__(self, *_: object) -> None:
        for watcher in self._watchers:
            watcher.cancel()
        for member in self._members:
            member.signal(signal.SIGKILL)
            await member.ended.wait()

    def _spawn(self) -> Member:
        process = _FORKS.Process(target=work, args=(self._job,))
        process.start()
        return Member(process)

    async def _watch(self, place: int) -> None:
        while True:
            member = self._members[place]
            await member.ended.wait()
            self._count(member)
            self._members[place] = self._spawn()

    def _count(self, member: Member) -> None:
        code, spot = member.process.exitcode, spot_of_death(self._job.place, member.pid)
        if code == -signal.SIGKILL and (spot or member.asked):
            self.kills[spot or member.asked or ""] += 1
        elif member.asked == "SIGTERM" and code in (0, -signal.SIGTERM):  # the latter before it could listen
            self.terminations += 1
        else:
            self.unasked.append(f"a worker ended by itself, with {code}")

    def kill(self, place: int, cause: str = "SIGKILL") -> None:
        """Kill a worker; one that is stopped dies as well."""
        self._kill(self._members[place], cause)

    def _kill(self, member: Member, cause: str) -> None:
        member.asked = cause
        member.signal(signal.SIGKILL)

    async def terminate(self, place: int, patience: float) -> None:
        """Ask a worker to end, and kill it where it does not."""
        member = self._members[place]
        member.asked = "SIGTERM"
        member.signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(member.ended.wait(), patience)
        except TimeoutError:
            self._kill(member, "SIGKILL after SIGTERM")

    async def stop(self, place: int, seconds: float) -> None:
        """Stop a worker for a while, as a swapped-out or suspended machine would."""
        member = self._members[place]
        self.stops += 1
        member.signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        member.signal(signal.SIGCONT)
