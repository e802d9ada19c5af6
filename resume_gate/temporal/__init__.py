"""The engine: the one room of the core, beside the page and the online commands, that knows Temporal."""

from resume_gate.temporal.beating import heartbeats
from resume_gate.temporal.connecting import NoServerError, connect, wait_until_ready
from resume_gate.temporal.passing import pass_gate
from resume_gate.temporal.plugin import ResumeGatePlugin

__all__ = ["NoServerError", "ResumeGatePlugin", "connect", "heartbeats", "pass_gate", "wait_until_ready"]
