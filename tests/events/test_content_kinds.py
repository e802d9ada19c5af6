"""Contract section 2: what each kind of content needs and may hold."""

from typing import Any

import pytest

from tests.kit.builders import Row, decodes, event
from tests.kit.samples import SAMPLES, with_value

_REQUIRED = {
    "text": ["text"],
    "thinking": ["text"],
    "call": ["id", "name", "args"],
    "response": ["id", "name", "result"],
    "error": ["message"],
}
_OPTIONAL = {name: sorted(SAMPLES[name]["content"].keys() - {"kind", *keys}) for name, keys in _REQUIRED.items()}
_WRONG: dict[str, list[Any]] = {
    "text": [1, ["x"], {}],
    "displayText": [1],
    "attachments": [{}, "x", 1],
    "quotes": [{}, "x"],
    "inlineReferences": [{}, "x"],
    "origin": [1],
    "steering": [False, 1, "true"],
    "providerOptions": [[], "x", 1],
    "signature": [1],
    "id": [1],
    "name": [1],
    "providerExecuted": [0, "true"],
    "isError": [0, "false"],
    "message": [1],
    "code": [1],
    "reason": [1],
    "details": ["x", 1, ["a", 1], [["a"]]],
}


def _without(row: Row, key: str) -> Row:
    return {**row, "content": {name: value for name, value in row["content"].items() if name != key}}


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in _REQUIRED.items() for key in ["kind", *keys]])
def test_content_needs_its_keys(name: str, key: str) -> None:
    """Content without its kind or one of the keys that its kind requires is invalid."""
    assert not decodes(_without(SAMPLES[name], key))


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in _OPTIONAL.items() for key in keys])
def test_content_may_lack_its_optional_keys(name: str, key: str) -> None:
    """Content without one of the optional keys of its kind is valid."""
    assert decodes(_without(SAMPLES[name], key))


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [(name, key, value) for name in _REQUIRED for key in SAMPLES[name]["content"] for value in _WRONG.get(key, [])],
)
def test_a_wrong_type_in_content_is_refused(name: str, key: str, value: Any) -> None:
    """A key of content with a value of another type makes the row invalid."""
    assert not decodes(with_value(SAMPLES[name], ("content", key), value))


@pytest.mark.parametrize("kind", ["image", "", "Text", "function-call", 1, ["text"]])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    """Content of a kind that the contract does not name is invalid."""
    assert not decodes(event("user", "user", content={"kind": kind, "text": "x"}))


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "x", [], [None], {}, {"a": [{"b": 1}]}])
@pytest.mark.parametrize(("name", "key"), [("call", "args"), ("response", "result"), ("response", "providerOutput")])
def test_args_result_and_provider_output_are_any_json(name: str, key: str, value: Any) -> None:
    """Arguments, result and provider output hold any JSON."""
    assert decodes(with_value(SAMPLES[name], ("content", key), value))


def test_details_may_be_an_object() -> None:
    """An error's details are a list of strings, or an object of anything."""
    assert decodes(with_value(SAMPLES["error"], ("content", "details"), {"a": None, "b": [1]}))


def test_empty_strings_are_strings() -> None:
    """Only the ids of the event itself may not be empty: text, call id and tool name may."""
    assert decodes(event("user", "user", content={"kind": "text", "text": ""}))
    assert decodes(event("model", "agent", content={"kind": "function_call", "id": "", "name": "", "args": {}}))
