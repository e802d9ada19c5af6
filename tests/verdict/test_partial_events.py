"""Contract section 4, rule 4: partial events, and what an operation is known by."""

from tests.kit.builders import OTHER_TURN, call, issues, plan, recovered, replay, response, say, user


def test_a_partial_event_outside_the_lanes_is_skipped() -> None:
    """A streamed piece of text has no part in the plan, and no issue."""
    rows = (user(), say("par", partial=True), say("partial"))
    assert issues(*rows) == []
    assert plan(*rows).safe


def test_a_partial_event_is_not_replayed() -> None:
    """The next model does not see streamed pieces."""
    assert replay(user(), say("par", partial=True), say("partial")) == ["e1", "e3"]


def test_an_operation_is_known_by_invocation_and_call_id() -> None:
    """The same call id in another invocation is another operation."""
    found = recovered(user(), call(), call(**OTHER_TURN), response(**OTHER_TURN))
    assert found.issues == []
    assert [(decision.call_event_id, decision.response_event_id) for decision in found.decisions] == [
        ("e2", None),
        ("e3", "e4"),
    ]


def test_call_ids_of_one_invocation_are_operations_of_their_own() -> None:
    """Two calls of one invocation are two operations, in the order they were opened."""
    found = recovered(user(), call("b"), call("a"), response("a"), response("b"))
    assert [(decision.tool_call_id, decision.response_event_id) for decision in found.decisions] == [
        ("b", "e5"),
        ("a", "e4"),
    ]
