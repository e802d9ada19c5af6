"""Contract section 5: the status and reason of each operation, by the facts there are."""

import pytest

from tests.kit.builders import HIDDEN, Row, call, decided, opened, recovered, response, t1, t2, user, verdict

_TABLE: dict[str, tuple[list[Row], tuple[str, str]]] = {
    "a dispatch, no call": ([t1()], ("corruption", "orphan_dispatch")),
    "a dispatch and a response, no call": ([t1(), t2()], ("corruption", "orphan_dispatch")),
    "a response, no call": ([response()], ("corruption", "orphan_response")),
    "a response before its call": ([response(), call()], ("corruption", "orphan_response")),
    "a dispatch before its call": ([t1(), call()], ("corruption", "event_order_conflict")),
    "call and response": ([call(), response()], ("completed", "matching_response")),
    "call, dispatch and response": ([call(), t1(), t2()], ("completed", "matching_response")),
    "call and error": ([call(), response(is_error=True)], ("completed", "matching_response")),
    "call and dispatch": ([call(), t1()], ("indeterminate", "dispatch_without_response")),
    "a second call": ([call(), call()], ("corruption", "duplicate_call")),
    "a second dispatch": ([call(), t1(), t1()], ("corruption", "duplicate_dispatch")),
    "a second response": ([call(), response(), response()], ("corruption", "duplicate_response")),
    "a wrong hash": ([call(), t1(args={"other": 1})], ("corruption", "canonical_args_hash_conflict")),
    "another name": ([call(), response(name="Other")], ("corruption", "identity_conflict")),
    "a dispatch after the response": ([call(), t2(), t1()], ("corruption", "event_order_conflict")),
}


@pytest.mark.parametrize("name", _TABLE)
@pytest.mark.parametrize("first", [user(), opened()], ids=["no marker", "marker"])
def test_the_facts_decide_the_status(name: str, first: Row) -> None:
    """Each set of facts has one status and one reason, with the protocol marker or without."""
    rows, expected = _TABLE[name]
    assert verdict(first, *rows) == expected


def test_a_call_alone_never_ran_where_the_marker_says_so() -> None:
    """With the marker, a call without T1 was definitely not dispatched."""
    assert verdict(opened(), call()) == ("definitely_not_dispatched", "new_protocol_before_dispatch")


def test_a_call_alone_is_unknown_without_the_marker() -> None:
    """Without the marker, nobody knows whether a lone call ran."""
    assert verdict(user(), call()) == ("indeterminate", "legacy_dispatch_unknown")


def test_a_late_marker_proves_nothing() -> None:
    """A marker on a later event does not turn a lone call into one that never ran."""
    assert verdict(user(), opened(), call()) == ("indeterminate", "legacy_dispatch_unknown")


def test_hidden_calls_are_decided_alike() -> None:
    """Whether the model saw a call does not change what the facts prove of it."""
    assert verdict(user(), call(**HIDDEN)) == ("indeterminate", "legacy_dispatch_unknown")
    assert verdict(opened(), call(**HIDDEN)) == ("definitely_not_dispatched", "new_protocol_before_dispatch")
    assert verdict(user(), call(**HIDDEN), t1()) == ("indeterminate", "dispatch_without_response")


def test_an_issue_elsewhere_leaves_the_operation_as_it_is() -> None:
    """An issue of the ledger, or of another operation, does not change this one's status."""
    found = recovered(user(), call("a"), response("a"), call("b"), call("b"), user(id="e1"))
    assert [decision.status for decision in found.decisions] == ["completed", "corruption"]


@pytest.mark.parametrize("rows", [[], [user()], [user(), call(), response()]])
def test_a_ledger_without_issue_is_not_corrupt(rows: list[Row]) -> None:
    """No issue and no corrupt operation is no corruption."""
    assert not recovered(*rows).has_corruption


def test_a_response_says_whether_it_is_an_error() -> None:
    """Error means isError is true; false and absent are both no error, and no response is neither."""
    assert decided(user(), call(), response(is_error=True)).is_error is True
    assert decided(user(), call(), response(is_error=False)).is_error is False
    assert decided(user(), call(), response()).is_error is False
    assert decided(user(), call()).is_error is None
