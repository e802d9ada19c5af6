"""Contract section 2: null is a wrong type, never "absent"."""

import pytest

from tests.kit.builders import call, decodes, response
from tests.kit.samples import SAMPLES, Path, keys, with_value

_MAY_BE_NULL = {"args", "result", "providerOutput"}
_KEYS = [(name, path) for name, row in SAMPLES.items() for path in keys(row) if path[-1] not in _MAY_BE_NULL]


@pytest.mark.parametrize(("name", "path"), _KEYS)
def test_null_is_refused(name: str, path: Path) -> None:
    """Null at any named key makes the row invalid."""
    assert not decodes(with_value(SAMPLES[name], path, None))


def test_args_may_hold_null() -> None:
    """A call's arguments may be null."""
    assert decodes(call(args=None))


def test_result_may_hold_null() -> None:
    """A response's result may be null."""
    assert decodes(response(result=None))


def test_provider_output_may_hold_null() -> None:
    """A response's provider output may be null."""
    assert decodes(with_value(response(), ("content", "providerOutput"), None))


def test_null_stays_apart_from_absent() -> None:
    """A call without arguments is not a call with null for arguments."""
    row = call(args=None)
    del row["content"]["args"]
    assert not decodes(row)
