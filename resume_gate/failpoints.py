"""The twelve places where a process may die, as data (contract section 8); the ids never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

FailpointId = Literal["P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11"]
Prefix = Literal["before_function_call", "after_function_call", "after_function_response", "after_terminal_event"]
FailpointCallback = Callable[[FailpointId], None]
"""What a call site calls with its id; a harness makes it kill the process, everyone else leaves it out."""


class Failpoint(NamedTuple):
    """One place, and the committed prefix that a death there leaves."""

    id: FailpointId
    where: str
    prefix: Prefix


FAILPOINTS: tuple[Failpoint, ...] = (
    Failpoint("P0", "before tool preparation (T1)", "before_function_call"),
    Failpoint("P1", "call committed, prepared journal not", "after_function_call"),
    Failpoint("P2", "prepared journal committed, tool not started", "after_function_call"),
    Failpoint("P3", "tool running", "after_function_call"),
    Failpoint("P4", "effect done, outcome (T2) not committed", "after_function_call"),
    Failpoint("P5", "response committed, outcome journal not", "after_function_response"),
    Failpoint("P6", "outcome committed, result not yet with the model", "after_function_response"),
    Failpoint("P7", "result delivered, next model step not started", "after_function_response"),
    Failpoint("P8", "at the terminal event's commit", "after_function_response"),
    Failpoint("P9", "at the terminal run-header commit", "after_terminal_event"),
    Failpoint("P10", "at the recovery-decision commit", "after_terminal_event"),
    Failpoint("P11", "at the creation of the continuation run", "after_terminal_event"),
)


def pass_by(_failpoint: FailpointId) -> None:
    """Do nothing: the callback of everyone who is not a harness."""
