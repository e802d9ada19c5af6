"""What an operator sets, from the environment: ``RESUME_GATE_ROOT`` and so on."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from resume_gate.contract import TASK_QUEUE
from resume_gate.errors import ContractMisuse
from resume_gate.wire import explain


class Settings(BaseSettings):
    """The control worker's settings; each is the environment variable ``RESUME_GATE_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="RESUME_GATE_", frozen=True, extra="forbid")

    root: Path = Field(description="the directory that holds the ledgers; it must exist")
    task_queue: str = Field(default=TASK_QUEUE, description="one queue per ledger root, on the host that has it")
    durability: Literal["sync", "process"] = Field(default="sync", description="'process' leaves out the disk sync")
    database: Path | None = Field(default=None, description="the embedded server's file; default <root>/temporal.db")
    port: int = Field(default=7233, description="the embedded server's port")
    io_attempts: Annotated[int, Field(ge=1)] = Field(
        default=8, description="how often a disk that does not answer is tried, over some minutes"
    )
    sessions: Path | None = Field(default=None, description="the root of other agents' sessions that may be judged")
    declared_formats: str = Field(
        default="", description="formats, with commas, that this host is known to store before a tool runs"
    )
    shutdown_grace: timedelta = Field(
        default=timedelta(seconds=10), description="for activities, on SIGTERM; in ISO 8601, as PT10S"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", description="of the worker's log")

    @property
    def server_file(self) -> Path:
        """Where the embedded server keeps its state."""
        return self.database or self.root / "temporal.db"


def load_settings() -> Settings:
    """Read the settings; ``ContractMisuse`` names the variable that is missing or wrong."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [str(found["loc"][0]) for found in error.errors()]
        meant = "; ".join(f"{name}: {Settings.model_fields[name].description}" for name in dict.fromkeys(wrong))
        variables = {name: f"RESUME_GATE_{name}".upper() for name in wrong}
        raise ContractMisuse(f"set {explain(error, named=variables)} ({meant})") from error
