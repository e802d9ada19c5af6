"""One real server, one control worker and one worker for scripted drives, for the whole session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from temporalio.client import Client
from temporalio.worker import Worker

from resume_gate import RuntimeEventStore
from resume_gate.settings import Settings
from resume_gate.temporal import connect
from resume_gate.temporal.devserver import DevServer, start_server
from tests.temporal.drives import DRIVES, Drives
from tests.temporal.shortserver import short_server
from tests.temporal.support import Site, serving


@pytest.fixture(scope="session")
def server() -> Iterator[DevServer]:
    """Start the server that most tests share, on a free port and in memory."""
    with start_server() as running:
        yield running


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return the control worker's settings: roots of its own, and a disk that is tried once."""
    return Settings(root=tmp_path_factory.mktemp("root"), sessions=tmp_path_factory.mktemp("sessions"), io_attempts=1)


@pytest_asyncio.fixture(scope="session")
async def author(server: DevServer) -> Client:
    """Connect as an author of drives and workflows does: with the plugin, without the control worker's parts."""
    return await connect(address=server.address)


@pytest_asyncio.fixture(scope="session")
async def site(server: DevServer, settings: Settings, author: Client) -> AsyncIterator[Site]:
    """Serve the root, and scripted drives beside it."""
    store = RuntimeEventStore(settings.root)
    drives = Drives(store)
    async with (
        serving(server.address, settings) as client,
        Worker(author, task_queue=DRIVES, activities=[drives.drive]),
    ):
        yield Site(client=client, settings=settings, store=store, drives=drives)


@pytest_asyncio.fixture(scope="session")
async def short_site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """Serve another root on a server that suggests to continue as new after 25 events."""
    settings = Settings(root=tmp_path_factory.mktemp("short-root"), io_attempts=1)
    store = RuntimeEventStore(settings.root)
    drives = Drives(store)
    with short_server(tmp_path_factory.mktemp("short-server"), events=25) as running:
        others = await connect(address=running.address)
        async with (
            serving(running.address, settings) as client,
            Worker(others, task_queue=DRIVES, activities=[drives.drive]),
        ):
            yield Site(client=client, settings=settings, store=store, drives=drives)
