"""Contract section 2: the actions whose payloads are not interpreted, and the protocol marker."""

from typing import Any

import pytest

from resume_gate.events.codec import decode_event, encode_event
from tests.kit.builders import decodes, event, text_of
from tests.kit.samples import OBJECT_ACTIONS


def _acts(key: str, value: Any) -> bool:
    return decodes(event("system", "host", actions={key: value}))


@pytest.mark.parametrize("key", OBJECT_ACTIONS)
@pytest.mark.parametrize("value", [{}, {"a": None}, {"": [1, {"b": "c"}]}], ids=str)
def test_a_payload_that_is_not_interpreted_is_any_object(key: str, value: Any) -> None:
    """Any object is a payload of an action that the contract does not interpret."""
    assert _acts(key, value)


@pytest.mark.parametrize("key", OBJECT_ACTIONS)
@pytest.mark.parametrize("value", [[], "x", 1, True])
def test_a_payload_that_is_not_interpreted_is_nothing_but_an_object(key: str, value: Any) -> None:
    """What is not an object is no payload."""
    assert not _acts(key, value)


@pytest.mark.parametrize("value", [{}, {"a": "x"}, {"a": 1}, {"a": 1.5}, {"a": True}, {"a": "", "b": False}], ids=str)
def test_an_artifact_delta_holds_strings_numbers_and_bools(value: Any) -> None:
    """An artifact delta maps names to strings, numbers and bools."""
    assert _acts("artifactDelta", value)


@pytest.mark.parametrize("value", [{"a": None}, {"a": []}, {"a": {}}, [], "x"], ids=str)
def test_an_artifact_delta_holds_nothing_else(value: Any) -> None:
    """A null, a list or an object in an artifact delta makes the row invalid."""
    assert not _acts("artifactDelta", value)


@pytest.mark.parametrize("number", [b"1e400", b"-1e400"])
def test_a_number_that_overflows_is_refused_or_kept(number: bytes) -> None:
    """A number in an artifact delta that no double holds is never turned into something else by writing it again."""
    row = text_of({"id": "e1", **event("system", "host", actions={"artifactDelta": {"a": "@"}})})
    row = row.replace(b'"@"', number)
    if decodes(row):
        found = decode_event(row)
        assert decode_event(encode_event(found)) == found


@pytest.mark.parametrize("value", [1, True, [], {}])
def test_transfer_to_agent_is_a_string(value: Any) -> None:
    """The agent that is transferred to is named by a string."""
    assert _acts("transferToAgent", "other")
    assert not _acts("transferToAgent", value)


@pytest.mark.parametrize("value", [1, "true", [], {}])
def test_end_invocation_is_a_bool(value: Any) -> None:
    """The end of an invocation is said by a bool, either of them."""
    assert all(decodes(event("system", "host", actions={"endInvocation": end})) for end in (True, False))
    assert not _acts("endInvocation", value)


@pytest.mark.parametrize(
    "value",
    [{}, {"toolBoundary": "t2"}, {"toolBoundary": ""}, {"toolBoundary": 1}, "t1_after_preflight_v1", []],
    ids=str,
)
def test_the_marker_is_exactly_the_one_tool_boundary(value: Any) -> None:
    """The protocol marker names the one tool boundary there is, and nothing else."""
    assert _acts("runtimeProtocol", {"toolBoundary": "t1_after_preflight_v1"})
    assert not _acts("runtimeProtocol", value)
