"""Contract section 2: an unknown key makes the row invalid, wherever the contract names the keys."""

import pytest

from tests.kit.builders import decodes
from tests.kit.samples import SAMPLES, Path, objects, with_value

_OBJECTS = [(name, path) for name, row in SAMPLES.items() for path in objects(row)]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_named_key_is_known(name: str) -> None:
    """A row with every key that the contract names for its shape is valid."""
    assert decodes(SAMPLES[name])


@pytest.mark.parametrize(("name", "path"), _OBJECTS)
@pytest.mark.parametrize("unknown", ["other", "__proto__", "kInd", "provider_options", ""])
def test_an_unknown_key_is_refused(name: str, path: Path, unknown: str) -> None:
    """A key that the contract does not name is refused in the event and in each object of it."""
    assert not decodes(with_value(SAMPLES[name], (*path, unknown), "x"))


@pytest.mark.parametrize("key", ["tool_dispatch", "invocation_id", "is_error"])
def test_only_camel_case_is_known(key: str) -> None:
    """The snake_case names of the code are not names of the wire."""
    assert not decodes(with_value(SAMPLES["text"], (key,), "x"))
