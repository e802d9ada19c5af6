"""Contract section 2: the payload of T1."""

from typing import Any

import pytest

from tests.kit.builders import Row, decodes, t1
from tests.kit.samples import with_value

_PATH = ("actions", "toolDispatch")
_MODES = ["replay_safe", "idempotent", "reconcile", "reattach", "outcome_unknown", "never_auto_retry"]
_KEYS = sorted(t1()["actions"]["toolDispatch"])


@pytest.mark.parametrize("key", _KEYS)
def test_a_dispatch_needs_every_key(key: str) -> None:
    """A T1 without one of its six keys is invalid."""
    dispatch: Row = t1()["actions"]["toolDispatch"]
    del dispatch[key]
    assert not decodes(t1(actions={"toolDispatch": dispatch}))


@pytest.mark.parametrize("key", _KEYS)
@pytest.mark.parametrize("value", [1, True, [], {}])
def test_a_dispatch_holds_strings(key: str, value: Any) -> None:
    """What is not a string in a T1 makes the row invalid."""
    assert not decodes(with_value(t1(), (*_PATH, key), value))


@pytest.mark.parametrize("mode", _MODES)
def test_a_recovery_mode_of_the_set_is_known(mode: str) -> None:
    """Each recovery mode that the contract names is accepted."""
    assert decodes(t1(mode=mode))


@pytest.mark.parametrize("mode", ["", "retry", "Reconcile", "auto"])
def test_another_recovery_mode_is_refused(mode: str) -> None:
    """A recovery mode outside the set makes the row invalid."""
    assert not decodes(t1(mode=mode))


@pytest.mark.parametrize("protocol", ["", "t1", "t1_after_preflight_v2"])
def test_another_protocol_is_refused(protocol: str) -> None:
    """A T1 under another protocol makes the row invalid."""
    assert not decodes(with_value(t1(), (*_PATH, "protocol"), protocol))


def test_a_dispatch_hash_is_any_string_until_it_is_compared() -> None:
    """A string that is no digest is a row all the same: that it is wrong is the scan's to say."""
    assert decodes(t1(args_hash="zzz"))


@pytest.mark.parametrize("value", [[], "x", 1, {}])
def test_a_dispatch_is_an_object(value: Any) -> None:
    """A T1 that is not an object makes the row invalid."""
    assert not decodes(t1(actions={"toolDispatch": value}))
