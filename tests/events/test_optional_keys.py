"""Contract section 2: the keys that a row may have."""

from typing import Any

import pytest

from tests.kit.builders import Row, decodes, event, ledger, say

_SETS: dict[str, list[str]] = {
    "origin": ["provider", "code_mode"],
    "modelVisibility": ["visible", "hidden"],
    "status": ["streaming", "completed", "failed", "aborted", "cancelled"],
}
_LEGAL: list[Row] = [{key: value} for key, values in _SETS.items() for value in values] + [
    {"branch": ""},
    {"branch": "main"},
    {"actions": {}},
    {"refs": {}},
    {"content": {"kind": "text", "text": "x"}},
]


@pytest.mark.parametrize("keys", _LEGAL, ids=str)
def test_an_optional_key_may_be_there(keys: Row) -> None:
    """Each optional key, with each value of its set, is accepted."""
    assert decodes(event("system", "system", **keys))


@pytest.mark.parametrize("key", [*_SETS, "content", "actions", "refs"])
@pytest.mark.parametrize("value", ["other", "", 1, True, []])
def test_a_value_outside_the_set_is_refused(key: str, value: Any) -> None:
    """An optional key with a wrong type or a value outside its set makes the row invalid."""
    assert not decodes(event("system", "system", **{key: value}))


@pytest.mark.parametrize("value", [1, True, [], {}])
def test_a_branch_is_a_string(value: Any) -> None:
    """A branch of another type makes the row invalid."""
    assert not decodes(event("system", "system", branch=value))


def test_absent_visibility_is_visible() -> None:
    """An event that says nothing of its visibility is seen by the model."""
    bare, visible, hidden = ledger(say(), say(modelVisibility="visible"), say(modelVisibility="hidden"))
    assert (bare.visible, visible.visible, hidden.visible) == (True, True, False)
