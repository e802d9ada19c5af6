"""The tormentor: what it does, to whom and when is drawn from the seed, before anything happens."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Literal, NamedTuple, get_args

from tests.chaos.crew import SIZE, Crew
from tests.chaos.deaths import Spot, arm, disarm
from tests.chaos.place import Place, draws
from tests.chaos.server import MortalServer

Kind = Literal["kill", "spot", "all", "stop", "term", "server", "twin"]
_WEIGHTS: dict[Kind, int] = {"kill": 26, "spot": 48, "all": 2, "stop": 7, "term": 7, "server": 5, "twin": 5}
SPOTS: tuple[Spot, ...] = (
    *("P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11"),
    *("P10", "decision recorded", "decision recorded", "between rows", "between rows"),  # passed by few
    *("torn row", "torn row"),
)
_SPOT_PATIENCE = 8.0
_TERM_PATIENCE = 5.0
Twin = Callable[[float], Awaitable[None]]


class Blow(NamedTuple):
    """One act of torment; ``share`` (0 to 1) is for whatever else has to be chosen."""

    pause: float
    kind: Kind
    worker: int
    spot: Spot
    share: float


def blows(seed: int, pause: float) -> Iterator[Blow]:
    """Yield what happens, without end; ``pause`` is the mean time between two blows, in seconds."""
    choice = draws(seed, "torment")
    while True:
        yield Blow(
            pause=min(choice.expovariate(1 / pause), 4 * pause),
            kind=choice.choices(get_args(Kind), [_WEIGHTS[kind] for kind in get_args(Kind)])[0],
            worker=choice.randrange(SIZE),
            spot=choice.choice(SPOTS),
            share=choice.random(),
        )


class Tormentor:
    """Deals blows until enough processes have been killed."""

    def __init__(self, place: Place, crew: Crew, server: MortalServer, twin: Twin, *, lost_after: float) -> None:
        self._place = place
        self._crew = crew
        self._server = server
        self._twin = twin
        self._lost_after = lost_after

    @property
    def kills(self) -> Counter[str]:
        """Processes that died of SIGKILL, by cause."""
        return self._crew.kills + Counter({"server": self._server.kills})

    async def torment(self, kills: int, seed: int, pause: float) -> None:
        """Deal blows until so many processes have been killed, and wait for the last one's end."""
        async with asyncio.TaskGroup() as under_way:
            for blow in blows(seed, pause):
                await asyncio.sleep(blow.pause)
                if self.kills.total() >= kills:
                    break
                under_way.create_task(self._deal(blow))

    async def _deal(self, blow: Blow) -> None:
        match blow.kind:
            case "kill":
                self._crew.kill(blow.worker)
            case "all":
                for worker in range(SIZE):
                    self._crew.kill(worker, "SIGKILL of all three")
            case "spot":
                await self._kill_at(blow)
            case "stop":
                await self._crew.stop(blow.worker, self._lost_after * (1.2 + blow.share))
            case "term":
                await self._crew.terminate(blow.worker, _TERM_PATIENCE)
            case "server":
                await self._server.crash(2 * blow.share)
            case "twin":
                await self._twin(blow.share)

    async def _kill_at(self, blow: Blow) -> None:
        arm(self._place, blow.spot)
        await asyncio.sleep(_SPOT_PATIENCE)
        if disarm(self._place, blow.spot):  # nobody passed there: the blow falls all the same
            self._crew.kill(blow.worker)
