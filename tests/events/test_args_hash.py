"""Contract section 2: canonicalArgsHash."""

import hashlib
import json
import re

import pytest

from resume_gate.events.canonical import canonical_args_hash


def _sha256(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_the_hash_is_of_arguments_and_tool_name() -> None:
    """The hash is SHA-256 of the canonical JSON of arguments and tool name."""
    assert canonical_args_hash("Bash", b'{"command":"ls"}') == _sha256('{"args":{"command":"ls"},"toolName":"Bash"}')


def test_the_hash_is_written_as_a_digest() -> None:
    """The hash is sha256: and 64 lower-case hex digits."""
    assert re.fullmatch("sha256:[0-9a-f]{64}", canonical_args_hash("Bash", b"{}") or "")


def test_the_name_counts() -> None:
    """The same arguments of another tool have another hash."""
    assert canonical_args_hash("Bash", b"{}") != canonical_args_hash("Shell", b"{}")


def test_an_empty_name_has_a_hash() -> None:
    """A tool without a name is hashed like any other."""
    assert canonical_args_hash("", b"null") == _sha256('{"args":null,"toolName":""}')


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a":1,"b":2}', '{ "b" : 2,\t"a" : 1 }'),
        ('{"a":1}', '{"a":1.0}'),
        ("[10]", "[1e1]"),
        ("0", "-0"),
        ('"a"', '"\\u0061"'),
        ('"/"', '"\\/"'),
        ('"\u00e9"', '"\\u00e9"'),
        ('"\u00e9"', '"\\u00E9"'),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551616", "1.8446744073709552e19"),
        ('{"__proto__":1,"a":1}', '{"a":1}'),
        ('{"\\u005f_proto__":1,"a":1}', '{"a":1}'),
        ('{"required":["b","a"]}', '{"required":["a","b"]}'),
        ('{"requi\\u0072ed":["b","a"]}', '{"required":["a","b"]}'),
        ('{"enum":[2,1]}', '{"enum":[1,2]}'),
        ('{"a":1,"a":2}', '{"a":2}'),
    ],
)
def test_texts_of_one_value_have_one_hash(one: str, other: str) -> None:
    """However the same arguments are written, their hash is one."""
    assert canonical_args_hash("n", one.encode()) == canonical_args_hash("n", other.encode())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", '"1"'),
        ("[1,2]", "[2,1]"),
        ('{"a":null}', "{}"),
        ('{"proto":1}', "{}"),
        ('{"properties":["b","a"]}', '{"properties":["a","b"]}'),
        ("9007199254740991", "9007199254740992"),
        ("0.1", "0.10000000000000002"),
        ('"a"', '"A"'),
        ('"\u00e9"', '"e\u0301"'),
        ("true", "1"),
    ],
)
def test_different_values_have_different_hashes(one: str, other: str) -> None:
    """Values that ECMAScript tells apart have different hashes."""
    assert canonical_args_hash("n", one.encode()) != canonical_args_hash("n", other.encode())


@pytest.mark.parametrize("args", ["1e400", "-1e400", '{"a":[1e309]}', "1" + "0" * 400])
def test_a_double_that_overflows_has_no_hash(args: str) -> None:
    """Arguments with a number that no double holds cannot be hashed."""
    assert canonical_args_hash("n", args.encode()) is None


def test_an_overflow_under_proto_is_left_out_with_it() -> None:
    """What is left out of the canonical text cannot keep it from being hashed."""
    assert canonical_args_hash("n", b'{"__proto__":1e400}') == canonical_args_hash("n", b"{}")


@pytest.mark.parametrize("name", ['"', "\\", "\n", "\x00", "\x7f", "\u00e9", "\U0001f600", "__proto__", "1" * 16])
def test_any_name_can_be_hashed(name: str) -> None:
    """A tool name with any character in it is hashed as its JSON text."""
    text = json.dumps(name, ensure_ascii=False)
    assert canonical_args_hash(name, b"{}") == _sha256('{"args":{},"toolName":' + text + "}")
