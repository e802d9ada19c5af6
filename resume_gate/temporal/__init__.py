"""The engine: the one room of the core, beside the page and the online commands, that knows Temporal."""

from resume_gate.temporal.passing import (
    NoServerError,
    ResumeGatePlugin,
    connect,
    heartbeats,
    pass_gate,
    wait_until_ready,
)

__all__ = ["NoServerError", "ResumeGatePlugin", "connect", "heartbeats", "pass_gate", "wait_until_ready"]
