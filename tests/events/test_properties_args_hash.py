"""The quick way and the careful way to a hash are one."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from resume_gate.events.canonical import canonical_args_hash, canonical_json, digest, loads
from tests.kit.builders import text_of
from tests.kit.strategies import JSON, PROPERTY, TEXTS, json_texts


@given(TEXTS, json_texts())
@PROPERTY
def test_the_hash_is_the_digest_of_the_canonical_text(name: str, args: bytes) -> None:
    """Whatever way the code takes, the hash is the digest of the canonical JSON."""
    assert canonical_args_hash(name, args) == digest(canonical_json({"args": loads(args), "toolName": name}))


@given(st.text(st.characters(max_codepoint=127), max_size=8), st.dictionaries(st.text(max_size=2), st.integers()))
@PROPERTY
def test_plain_arguments_are_hashed_alike(name: str, args: dict[str, int]) -> None:
    """Arguments of the commonest shape, flat and mostly ASCII, have the same hash both ways."""
    text = text_of(args)
    assert canonical_args_hash(name, text) == digest(canonical_json({"args": loads(text), "toolName": name}))


@given(JSON)
@PROPERTY
def test_canonical_text_is_its_own_canonical_text(value: Any) -> None:
    """Reading a canonical text and writing it again changes nothing."""
    text = canonical_json(value)
    assert canonical_json(loads(text)) == text
