"""Contract section 2: the refs of an event."""

from typing import Any

import pytest

from tests.kit.builders import decodes, event
from tests.kit.samples import REFS

_STRINGS = sorted(REFS.keys() - {"sourceMessageDigest", "sourceRuntimeEventHighWater"})


def _refers(key: str, value: Any) -> bool:
    return decodes(event("system", "host", refs={key: value}))


@pytest.mark.parametrize("key", _STRINGS)
@pytest.mark.parametrize("value", ["", "x"])
def test_a_ref_is_any_string(key: str, value: str) -> None:
    """Each ref takes any string, the empty one too."""
    assert _refers(key, value)


@pytest.mark.parametrize("key", sorted(REFS.keys() - {"sourceRuntimeEventHighWater"}))
@pytest.mark.parametrize("value", [1, True, [], {}])
def test_a_ref_is_nothing_but_a_string(key: str, value: Any) -> None:
    """A ref that is not a string makes the row invalid."""
    assert not _refers(key, value)


@pytest.mark.parametrize("value", [0, 1, 2**53])
def test_a_source_high_water_counts_events(value: int) -> None:
    """A source high-water is an integer from 0 on."""
    assert _refers("sourceRuntimeEventHighWater", value)


@pytest.mark.parametrize("value", [-1, 1.5, "1", True, []])
def test_a_source_high_water_is_nothing_else(value: Any) -> None:
    """A negative, broken or textual source high-water makes the row invalid."""
    assert not _refers("sourceRuntimeEventHighWater", value)
