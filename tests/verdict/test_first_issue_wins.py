"""Contract section 5: of several issues on one operation, the first of the list is its reason."""

from itertools import pairwise

import pytest

from tests.kit.builders import Row, call, recovered, refs, response, t1, t2, user

_OTHER = (call("b"), t1("b"))


def _reason(*rows: Row) -> str:
    """Return the reason of call ``a``."""
    (found,) = [decision for decision in recovered(user(), *rows).decisions if decision.tool_call_id == "a"]
    return found.reason


_BOTH: dict[tuple[str, str], tuple[Row, ...]] = {
    ("duplicate_call", "duplicate_operation"): (*_OTHER, call(), t1(op="op-b"), call()),
    ("duplicate_operation", "duplicate_dispatch"): (call(), t1(), t1(), call("b"), t1("b", op="op-a")),
    ("duplicate_dispatch", "duplicate_response"): (call(), t1(), t2(), t2(), t1()),
    ("duplicate_response", "orphan_response"): (response(), response(), call()),
    ("orphan_response", "canonical_args_hash_conflict"): (response(), call(), t1(args={})),
    ("canonical_args_hash_conflict", "identity_conflict"): (call(), t1(name="Other")),
    ("identity_conflict", "event_order_conflict"): (call(), t2(), t1(refs=refs("a", "op-b"))),
}


def test_the_list_is_the_contracts() -> None:
    """The cases below go through the whole list, each code against the next."""
    assert all(first[1] == second[0] for first, second in pairwise(_BOTH))


@pytest.mark.parametrize("pair", _BOTH)
def test_the_earlier_of_two_codes_is_the_reason(pair: tuple[str, str]) -> None:
    """An operation with both issues has the one that stands earlier in the list for its reason."""
    codes = {issue.code for issue in recovered(user(), *_BOTH[pair]).issues}
    assert set(pair) <= codes
    assert _reason(*_BOTH[pair]) == pair[0]


def test_the_order_in_the_file_does_not_matter() -> None:
    """The list decides, not which issue was found first."""
    assert _reason(call(), t1(name="Other"), call()) == "duplicate_call"
    assert _reason(call(), call(), t1(name="Other")) == "duplicate_call"


def test_no_call_comes_before_any_issue() -> None:
    """An operation without a call is an orphan, whatever issues it has."""
    assert _reason(t1(refs=refs("a", "op-x")), t1()) == "orphan_dispatch"
    assert _reason(response(), response()) == "orphan_response"
