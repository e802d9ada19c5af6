"""Whatever an agent does with the recorder, its ledger is legal and tells the truth (contract sections 1 and 4)."""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from resume_gate import InvalidEvent, Recorder, RuntimeEventStore, recover
from resume_gate.agent.recorder import ToolCall
from tests.agent.kit import RUN, turn

Ending = Literal["return", "fail", "cancel", "interrupt", "exit"]


class Say(NamedTuple):
    """The agent commits a step that is no tool."""

    how: str


class Use(NamedTuple):
    """The agent uses a tool, in which it does ``inside``, one after the other or all at once."""

    call_id: str
    args: Any
    ending: Ending
    hidden: bool
    at_once: bool
    inside: tuple[Any, ...]


@dataclass
class Truth:
    """What really happened, kept apart from the ledger."""

    finished: dict[str, bool] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    refused: int = 0

    @property
    def interrupted(self) -> set[str]:
        """The tools that began and have no outcome."""
        return self.started - set(self.finished)


JSON = st.recursive(
    st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
SAYINGS = st.builds(Say, st.sampled_from(["user", "say", "think", "end"]))


def uses(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw steps that hold the given ones; few call ids, so that some are used twice."""
    return st.builds(
        Use,
        call_id=st.sampled_from("abcdefgh"),
        args=JSON,
        ending=st.sampled_from(["return", "return", "fail", "cancel", "interrupt", "exit"]),
        hidden=st.booleans(),
        at_once=st.booleans(),
        inside=st.lists(inside, max_size=3).map(tuple),
    )


PROGRAMS = st.lists(st.recursive(SAYINGS, uses, max_leaves=6) | uses(SAYINGS), max_size=6)


async def end(how: Ending) -> None:
    """Leave a tool's block in the given way; ``exit`` unwinds every block around it too."""
    match how:
        case "fail":
            raise ValueError("the tool failed")
        case "cancel":
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
        case "interrupt":
            raise KeyboardInterrupt
        case "exit":
            raise SystemExit


async def use(recorder: Recorder, step: Use, truth: Truth, parent: ToolCall | None) -> None:
    """Run one tool, noting what happened to it."""
    async with recorder.tool(step.call_id, "tool", step.args, hidden=step.hidden, parent=parent) as call:
        truth.started.add(step.call_id)
        await run(recorder, step.inside, truth, call, at_once=step.at_once)
        if step.ending in ("return", "fail"):
            truth.finished[step.call_id] = step.ending == "fail"
        await end(step.ending)
        call.result = step.args


async def survive(recorder: Recorder, step: Use, truth: Truth, parent: ToolCall | None) -> None:
    """Run one tool as an agent that goes on after all but its own exit."""
    try:
        await use(recorder, step, truth, parent)
    except InvalidEvent:
        truth.refused += 1
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and not task.cancelling():
            raise
        if task is not None:
            task.uncancel()
    except KeyboardInterrupt:
        pass


async def do(recorder: Recorder, step: Say | Use, truth: Truth, parent: ToolCall | None) -> None:
    """Do one step."""
    if isinstance(step, Use):
        await survive(recorder, step, truth, parent)
    elif step.how == "end":
        recorder.end()
    else:
        getattr(recorder, step.how)("words")


async def run(
    recorder: Recorder, steps: Any, truth: Truth, parent: ToolCall | None = None, *, at_once: bool = False
) -> None:
    """Do steps one after the other, or all at once."""
    if not at_once:
        for step in steps:
            await do(recorder, step, truth, parent)
        return
    outcomes = await asyncio.gather(*(quietly(recorder, step, truth, parent) for step in steps))
    if any(outcomes):
        raise SystemExit


async def quietly(recorder: Recorder, step: Say | Use, truth: Truth, parent: ToolCall | None) -> bool:
    """Do one step in a task of its own, where an exit must not end the event loop; tell whether it wanted to."""
    try:
        await do(recorder, step, truth, parent)
    except SystemExit:
        return True
    return False


async def whole(root: Path, program: list[Say | Use]) -> Truth:
    """Run a program with a recorder of its own; return what really happened."""
    truth = Truth()
    with turn(root, user=None) as recorder, suppress(SystemExit):
        await run(recorder, program, truth)
    return truth


@settings(max_examples=120, deadline=None)
@given(program=PROGRAMS)
def test_the_ledger_is_legal_and_tells_what_happened(program: list[Say | Use]) -> None:
    """No issue; every finished call is settled with its kind of outcome, every other started one is indeterminate."""
    with tempfile.TemporaryDirectory() as name:
        with asyncio.Runner() as runner:
            truth = runner.run(whole(Path(name), program))
        found = recover(RuntimeEventStore(name).read(RUN).events)
    assert found.issues == []
    settled = {made.tool_call_id: made.is_error for made in found.decisions if made.status == "completed"}
    assert settled == truth.finished
    assert {made.tool_call_id for made in found.decisions if made.status == "indeterminate"} == truth.interrupted
    assert len(found.decisions) == len(truth.started)
