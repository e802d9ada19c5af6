"""Contract section 2: the keys that every row has."""

from typing import Any

import pytest

from tests.kit.builders import Row, decodes, event, text_of

_BARE: Row = {"id": "e1", **event("system", "system")}


def test_the_required_keys_are_enough() -> None:
    """A row with nothing but the required keys is valid."""
    assert decodes(_BARE)


@pytest.mark.parametrize("key", sorted(_BARE))
def test_a_missing_required_key_makes_the_row_invalid(key: str) -> None:
    """Without any one of the required keys the row is invalid."""
    assert not decodes(text_of({name: value for name, value in _BARE.items() if name != key}))


@pytest.mark.parametrize("key", ["id", "invocationId", "runId", "sessionId", "turnId"])
@pytest.mark.parametrize("value", ["", 1, True, ["e1"], {}])
def test_an_id_is_a_string_that_is_not_empty(key: str, value: Any) -> None:
    """An empty or non-string id makes the row invalid."""
    assert not decodes({**_BARE, key: value})


@pytest.mark.parametrize("value", [0, -1, 1.5, 1_700_000_000_000, 2**53 + 1, 2**70, 1e300])
def test_ts_is_any_finite_number(value: float) -> None:
    """Any finite number is a time."""
    assert decodes({**_BARE, "ts": value})


@pytest.mark.parametrize("text", [b"1e400", b"-1e400", b"1" + b"0" * 400, b'"1"', b"true", b"[]", b"NaN"])
def test_ts_is_nothing_else(text: bytes) -> None:
    """A number that overflows a double, and anything that is not a number, is not a time."""
    row = b'{"id":"e1","invocationId":"i","runId":"r","sessionId":"s","turnId":"t","partial":false,"role":"user",'
    assert decodes(row + b'"author":"user","ts":1}')
    assert not decodes(row + b'"author":"user","ts":' + text + b"}")


@pytest.mark.parametrize("value", [0, 1, "false", [], {}])
def test_partial_is_a_bool(value: Any) -> None:
    """What is only like a bool does not say whether an event is partial."""
    assert not decodes({**_BARE, "partial": value})


@pytest.mark.parametrize("role", ["user", "model", "tool", "system"])
@pytest.mark.parametrize("author", ["user", "host", "agent", "tool", "system"])
def test_roles_and_authors_go_in_any_pair(role: str, author: str) -> None:
    """Outside the lanes every role goes with every author."""
    assert decodes(event(role, author))


@pytest.mark.parametrize(("role", "author"), [("host", "host"), ("agent", "agent"), ("", "user"), ("User", "user")])
def test_a_role_outside_its_set_is_refused(role: str, author: str) -> None:
    """A role that the contract does not name makes the row invalid."""
    assert not decodes(event(role, author))


@pytest.mark.parametrize("author", ["model", "", "Agent", "assistant"])
def test_an_author_outside_its_set_is_refused(author: str) -> None:
    """An author that the contract does not name makes the row invalid."""
    assert not decodes(event("model", author))


@pytest.mark.parametrize("row", [b"{}", b"[]", b"null", b"1", b'"x"', b"true"])
def test_a_row_is_an_object_with_the_required_keys(row: bytes) -> None:
    """Other JSON than an event's object is no row."""
    assert not decodes(row)
