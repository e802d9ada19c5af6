"""A row as deep as is legal is read, planned and written like any other, from deep in a program too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

import pytest

from resume_gate import build_resume_plan, decode_event, encode_event
from resume_gate.events.canonical import canonical_args_hash

Result = TypeVar("Result")


def _row(depth: int, leaf: str) -> bytes:
    args = "[" * depth + leaf + "]" * depth
    head = {"id": "e1", "invocationId": "i", "runId": "r", "sessionId": "s", "turnId": "t", "ts": 1, "partial": False}
    call = '"role":"model","author":"agent","content":{"kind":"function_call","id":"c","name":"n","args":' + args + "}}"
    return (json.dumps(head)[:-1] + "," + call).encode()


def _from_below(frames: int, work: Callable[[], Result]) -> Result:
    return work() if frames == 0 else _from_below(frames - 1, work)


@pytest.mark.parametrize("leaf", ["1", '"\\ud83d"', "1e999", '{"required":["b","a"]}'])
@pytest.mark.parametrize("depth", [1, 150, 330, 490])
def test_every_legal_depth_is_read_and_written(depth: int, leaf: str) -> None:
    """Reading, hashing, planning and writing a deep row need no depth of their own."""
    event = _from_below(150, lambda: decode_event(_row(depth, leaf)))
    assert decode_event(encode_event(event)) == event
    plan = _from_below(150, lambda: build_resume_plan([event]))
    assert plan.rejection_reasons == ("dangling_tool_state",)
    args = ("[" * depth + leaf + "]" * depth).encode()
    hashed = _from_below(150, lambda: canonical_args_hash("n", args))
    assert (hashed is None) == (leaf == "1e999")
