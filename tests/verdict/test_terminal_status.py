"""Contract sections 2 and 6: how a run ended."""

import pytest

from tests.kit.builders import HIDDEN, Row, end, event, plan, say, user


def _status(*rows: Row) -> str | None:
    return plan(*rows).terminal_status


@pytest.mark.parametrize("status", ["completed", "failed", "aborted", "cancelled"])
def test_an_end_state_is_the_terminal_status(status: str) -> None:
    """Each of the four end states of a system event is the run's, with endInvocation or without."""
    assert _status(user(), end(status)) == _status(user(), event("system", "host", status=status)) == status


def test_end_invocation_alone_is_completed() -> None:
    """An event that only ends the invocation completes the run."""
    assert _status(user(), event("system", "system", actions={"endInvocation": True})) == "completed"


def test_streaming_is_no_end() -> None:
    """An event that is still streaming does not end a run; one that ends the invocation besides does."""
    assert _status(user(), event("system", "system", status="streaming")) is None
    assert _status(user(), end("streaming")) == "completed"


def test_end_invocation_false_is_no_end() -> None:
    """Only a true endInvocation ends."""
    assert _status(user(), event("system", "system", actions={"endInvocation": False})) is None


def test_a_run_without_a_terminal_event_has_no_status() -> None:
    """Null where the run did not end, or nothing is there."""
    assert _status() is _status(user(), say()) is None


@pytest.mark.parametrize("role", ["user", "model", "tool"])
def test_only_system_events_end_a_run(role: str) -> None:
    """A status of another role is that event's, not the run's."""
    assert _status(user(), event(role, "host", status="failed", actions={"endInvocation": True})) is None


def test_the_author_does_not_matter() -> None:
    """Any author may end a run in the system role."""
    assert _status(user(), event("system", "agent", status="failed")) == "failed"


def test_a_partial_event_ends_nothing() -> None:
    """A partial terminal event is skipped."""
    assert _status(user(), end("failed"), end("completed", partial=True)) == "failed"


def test_the_last_terminal_event_counts() -> None:
    """Of several ends the last is the run's."""
    assert _status(user(), end("failed"), end("aborted")) == "aborted"


def test_later_events_of_others_leave_it() -> None:
    """What a model, tool or host says after the end does not open the run again."""
    assert _status(user(), end("failed"), say(), event("tool", "tool"), event("system", "host")) == "failed"


def test_a_visible_user_event_opens_the_run_again() -> None:
    """A user who goes on has a run that has not ended."""
    assert _status(user(), end(), user()) is None


def test_a_hidden_user_event_does_not() -> None:
    """What the model does not see opens nothing."""
    assert _status(user(), end(), user(**HIDDEN)) == "completed"


def test_a_run_may_end_again() -> None:
    """After the user went on, the next end counts."""
    assert _status(user(), end(), user(), end("cancelled")) == "cancelled"


def test_a_hidden_terminal_event_counts() -> None:
    """That the model does not see the end does not undo it."""
    assert _status(user(), end("failed", **HIDDEN)) == "failed"


@pytest.mark.parametrize(
    ("status", "finished"), [("completed", True), ("aborted", True), ("cancelled", True), ("failed", False)]
)
def test_a_run_that_failed_may_be_driven_on(status: str, finished: bool) -> None:
    """Completed, aborted and cancelled runs are finished; a failed one, and one without end, are not."""
    assert plan(user(), end(status)).finished is finished
    assert not plan(user()).finished


def test_the_end_does_not_change_the_disposition() -> None:
    """Whether a run ended and whether it is safe are two questions."""
    assert plan(user(), end("failed")).safe
