"""Contract section 2: canonical JSON, as ECMAScript would write it."""

from typing import Any

import pytest

from resume_gate.events.canonical import canonical_json, loads


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("1e3", "1000"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e+21"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("9007199254740991", "9007199254740991"),
        ("9007199254740993", "9007199254740992"),
        ("-9007199254740993", "-9007199254740992"),
        ("18446744073709551615", "18446744073709552000"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("0.1", "0.1"),
        ("333333333.33333329", "333333333.3333333"),
    ],
)
def test_a_number_has_its_ecmascript_form(text: str, canonical: str) -> None:
    """A number is written as the double that an ECMAScript reader makes of it."""
    assert canonical_json(loads(text)).decode() == canonical


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ("", '""'),
        ('"\\/', '"\\"\\\\/"'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\x00\x1f", '"\\u0000\\u001f"'),
        ("\x7f\x80", '"\x7f\x80"'),
        ("\u00e9\u2028\u2029", '"\u00e9\u2028\u2029"'),
        ("\U0001f600", '"\U0001f600"'),
        ("<>&'", '"<>&\'"'),
    ],
)
def test_a_string_has_its_ecmascript_form(value: str, canonical: str) -> None:
    """A string is escaped only where JSON.stringify escapes it."""
    assert canonical_json(value).decode() == canonical


@pytest.mark.parametrize(("value", "canonical"), [(None, "null"), (True, "true"), (False, "false"), ([], "[]")])
def test_a_literal_is_itself(value: Any, canonical: str) -> None:
    """Null, true, false and an empty list are written as they are."""
    assert canonical_json(value).decode() == canonical


def test_there_is_no_white_space() -> None:
    """Nothing stands between the parts of a canonical text."""
    assert canonical_json(loads('{ "a" : [ 1 , { } ] }')) == b'{"a":[1,{}]}'


def test_keys_are_sorted_by_utf16_code_units() -> None:
    """A character beyond the basic plane sorts by its surrogates, before U+FFxx, and digits sort as text."""
    value = {"\uff61": 1, "\U0001f600": 2, "b": 3, "a": 4, "10": 5, "9": 6, "": 7, "B": 8}
    assert canonical_json(value).decode() == (
        '{"":7,"10":5,"9":6,"B":8,"a":4,"b":3,"\U0001f600":2,"\uff61":1}'  # the order that ECMAScript's sort gives
    )


def test_keys_are_sorted_at_every_depth() -> None:
    """Objects inside lists and objects are sorted too."""
    assert canonical_json({"z": [{"b": 1, "a": 2}], "y": {"d": 1, "c": 2}}) == (
        b'{"y":{"c":2,"d":1},"z":[{"a":2,"b":1}]}'
    )


@pytest.mark.parametrize("value", [{"__proto__": 1}, {"__proto__": {"a": 1}}])
def test_a_key_named_proto_is_left_out(value: Any) -> None:
    """A key named __proto__ is left out with its value, wherever it is."""
    assert canonical_json(value) == b"{}"
    assert canonical_json([{"a": value}]) == b'[{"a":{}}]'


def test_a_value_named_proto_stays() -> None:
    """The text __proto__ is left out as a key only."""
    assert canonical_json(["__proto__", {"proto": "__proto__"}]) == b'["__proto__",{"proto":"__proto__"}]'


@pytest.mark.parametrize("key", ["required", "enum"])
def test_the_items_of_required_and_enum_are_sorted(key: str) -> None:
    """The items of such an array are sorted by their canonical JSON text, not by value."""
    value = {key: ["b", 10, 9, "a", None, {"b": 1, "a": 2}, [2, 1]]}
    assert canonical_json(value).decode() == f'{{"{key}":["a","b",10,9,[2,1],null,{{"a":2,"b":1}}]}}'


def test_the_items_are_sorted_by_utf16_code_units() -> None:
    """Items of required are compared as keys are."""
    assert canonical_json({"required": ["\uff61", "\U0001f600"]}).decode() == '{"required":["\U0001f600","\uff61"]}'


@pytest.mark.parametrize("value", [{"other": [2, 1]}, [[2, 1]], {"required": {"a": [2, 1]}}, {"Enum": [2, 1]}])
def test_other_arrays_keep_their_order(value: Any) -> None:
    """Only an array that is itself the value of required or enum is sorted."""
    assert b"[2,1]" in canonical_json(value)


def test_an_array_inside_a_sorted_one_keeps_its_order() -> None:
    """Sorting required does not reach into its items."""
    assert canonical_json({"required": [[2, 1], [1, 2]]}) == b'{"required":[[1,2],[2,1]]}'


def test_required_that_is_no_array_is_itself() -> None:
    """A required or enum of another type is written like any value."""
    assert canonical_json({"required": True, "enum": "ba"}) == b'{"enum":"ba","required":true}'


def test_a_double_that_overflows_has_no_text() -> None:
    """An infinite number is an error, not null."""
    with pytest.raises(ValueError, match="overflows"):
        canonical_json(loads("1e400"))


def test_what_is_not_json_has_no_text() -> None:
    """Python values that JSON does not know are an error."""
    with pytest.raises(TypeError):
        canonical_json({1, 2})
