"""Contract section 4, rule 5: calls."""

from tests.kit.builders import call, decided, issues, response, t1, t2, user, verdict


def test_a_call_opens_an_operation() -> None:
    """The first call of an id is an operation, without an issue."""
    assert issues(user(), call()) == []
    assert (decided(user(), call()).tool_name, decided(user(), call()).call_event_id) == ("Bash", "e2")


def test_a_call_is_attached_to_what_a_dispatch_opened() -> None:
    """A call after its T1 joins the operation that the T1 opened."""
    found = decided(user(), t1(), call())
    assert (found.dispatch_event_id, found.call_event_id) == ("e2", "e3")


def test_a_call_is_attached_to_what_a_response_opened() -> None:
    """A call after its response joins the operation that the response opened."""
    found = decided(user(), response(), call())
    assert (found.response_event_id, found.call_event_id) == ("e2", "e3")


def test_a_late_call_of_another_name_is_an_identity_conflict() -> None:
    """A call that names another tool than the T1 or response before it is identity_conflict."""
    assert issues(user(), t1(name="Other"), call()) == [("event_order_conflict", "e2"), ("identity_conflict", "e3")]
    assert issues(user(), response(name="Other"), call()) == [("orphan_response", "e2"), ("identity_conflict", "e3")]


def test_a_late_call_of_the_same_name_is_no_further_issue() -> None:
    """The order was named where the operation was opened; the call itself is in no conflict."""
    assert issues(user(), t1(), call()) == [("event_order_conflict", "e2")]
    assert issues(user(), response(), call()) == [("orphan_response", "e2")]


def test_a_second_call_is_an_issue() -> None:
    """A second call of an operation is duplicate_call."""
    assert issues(user(), call(), call()) == [("duplicate_call", "e3")]


def test_a_second_call_after_the_response_is_an_issue_too() -> None:
    """That the first call is settled does not free its id."""
    assert issues(user(), call(), response(), call()) == [("duplicate_call", "e4")]


def test_a_second_call_changes_nothing() -> None:
    """The first call stays the operation's."""
    found = decided(user(), call(), call(name="Other", turnId="turn-1"))
    assert (found.call_event_id, found.tool_name) == ("e2", "Bash")


def test_a_second_call_of_another_name_is_a_duplicate_alone() -> None:
    """A second call is not compared with the first."""
    assert issues(user(), call(), call(name="Other")) == [("duplicate_call", "e3")]


def test_a_duplicate_call_corrupts_its_operation() -> None:
    """An operation of two calls is corrupt, settled or not."""
    assert verdict(user(), call(), t1(), t2(), call()) == ("corruption", "duplicate_call")
