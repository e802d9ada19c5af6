"""One storm over one place: server, workers, orders, robot and tormentor, and the count at its end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from resume_gate.temporal import connect, wait_until_ready
from tests.chaos.audit import Count, count_ledgers, count_world
from tests.chaos.crew import Crew
from tests.chaos.orders import Orders
from tests.chaos.place import Place
from tests.chaos.robot import Robot
from tests.chaos.server import MortalServer
from tests.chaos.tormentor import Tormentor
from tests.chaos.worker import Job, Mode

_LOOK = 0.1


@dataclass(frozen=True)
class Weather:
    """How hard a storm is; times in seconds."""

    orders: int
    kills: int
    seed: int
    pause: float = 1.0
    lost_after: float = 3.0
    drain: float = 240.0

    @property
    def at_once(self) -> int:
        """How many runs are under way at a time: enough to keep three workers busy, few enough to last."""
        return min(24, max(4, self.orders // 6))


async def storm(place: Place, weather: Weather, mode: Mode) -> Count:
    """Run one storm to its end and count."""
    count = Count()
    async with MortalServer(place) as server:
        client = await connect(address=server.address)
        await wait_until_ready(client)
        async with Crew(Job(place, weather.seed, mode, server.address)) as crew:
            orders = Orders(client, mode, lost_after=weather.lost_after)
            tormentor = Tormentor(place, crew, server, orders.second_start, lost_after=weather.lost_after)
            robot = Robot(client, place, weather.seed)
            await _blow(count, weather, orders, tormentor, robot)
            _count_processes(count, crew, orders, tormentor)
    count_world(count, place, weather.seed, weather.orders)
    if mode == "gate":
        count_ledgers(count, place, weather.orders)
        count.parks, count.decisions = dict(sorted(robot.parks.items())), dict(sorted(robot.counts.items()))
        count.refusals = dict(robot.refusals.most_common())
    return count


async def _blow(count: Count, weather: Weather, orders: Orders, tormentor: Tormentor, robot: Robot) -> None:
    began = time.monotonic()
    walking = asyncio.create_task(robot.walk())
    giving = asyncio.create_task(_give_out(weather, orders, tormentor))
    await tormentor.torment(weather.kills, weather.seed, weather.pause)
    count.torment_seconds = round(time.monotonic() - began, 1)
    robot.in_a_hurry = True
    await asyncio.wait([giving], timeout=weather.drain)
    giving.cancel()
    await orders.all_over(weather.drain)
    count.drain_seconds = round(time.monotonic() - began - count.torment_seconds, 1)
    walking.cancel()
    (ended,) = await asyncio.gather(walking, return_exceptions=True)
    count.problems += [] if isinstance(ended, asyncio.CancelledError) else [f"the robot broke down: {ended!r}"]
    count.failed = len(orders.failed)
    never_begun = weather.orders - orders.begun
    count.stuck = len(orders.going) + never_begun
    count.problems += [f"stuck: {name}" for name in orders.going] + orders.failed
    count.problems += [f"{never_begun} orders never begun"] * (never_begun > 0)


async def _give_out(weather: Weather, orders: Orders, tormentor: Tormentor) -> None:
    """Begin orders as fast as they are done, but not faster than the kills come: each order has its share."""
    for order in range(weather.orders):
        while True:
            if len(orders.going) < weather.at_once and _has_its_share(order, weather, tormentor):
                break
            await asyncio.sleep(_LOOK)
        orders.begin(order)


def _has_its_share(order: int, weather: Weather, tormentor: Tormentor) -> bool:
    return (order - weather.at_once) * weather.kills <= tormentor.kills.total() * weather.orders


def _count_processes(count: Count, crew: Crew, orders: Orders, tormentor: Tormentor) -> None:
    count.kills = dict(sorted(tormentor.kills.items()))
    count.workers_ended_by_themselves = len(crew.unasked)
    count.problems += crew.unasked
    count.torments = {
        "SIGSTOP and SIGCONT": crew.stops,
        "SIGTERM": crew.terminations,
        "second starts": orders.twins,
        "started again after abandon": orders.reopened,
    }
