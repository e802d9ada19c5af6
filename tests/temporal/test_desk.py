"""The desk where decisions come in holds few, and short reasons: it travels whole when its gate continues as new."""

from resume_gate.decisions import Decision
from tests.temporal.support import decision
from workflows.desk import Desk

_NEVER = "sha256:" + "0" * 64


def _decision(number: int) -> Decision:
    return decision("release", _NEVER, decision_id=f"d-{number}")


def test_only_so_many_decisions_wait() -> None:
    """The eleventh decision that waits for its plan is refused, and the ten before it are kept."""
    desk = Desk()
    for number in range(11):
        desk.offer(_decision(number))
    assert [found.decision_id for found in desk.refused] == ["d-10"]
    assert len(desk.state().waiting) == 10


def test_a_refused_decision_may_be_offered_again() -> None:
    """A refusal is no verdict for ever: the same decision is looked at anew."""
    desk = Desk()
    desk.offer(_decision(1))
    desk.refuse("not now", _decision(1))
    assert desk.outcome("d-1") is not None
    desk.offer(_decision(1))
    assert (desk.outcome("d-1"), len(desk.state().waiting)) == (None, 1)


def test_a_closed_desk_takes_nothing() -> None:
    """What waits when the gate ends is refused, and so is whatever comes after."""
    desk = Desk()
    desk.offer(_decision(1))
    desk.close("the gate ended")
    desk.offer(_decision(2))
    assert [found.why for found in desk.refused] == ["the gate ended", "the gate ended"]
    assert desk.state().waiting == ()


def test_only_so_many_refusals_are_kept() -> None:
    """A flood of bad payloads leaves the last fifty, each cut short."""
    desk = Desk()
    for number in range(60):
        desk.refuse(f"{number} " + "x" * 10_000)
    refused = desk.state().refused
    assert (len(refused), refused[0].why[:3], max(len(found.why) for found in refused)) == (50, "10 ", 2001)


def test_what_was_offered_before_a_restore_comes_after() -> None:
    """A decision that came in while the new run began stands behind those that the old run kept."""
    old, new = Desk(), Desk()
    old.offer(_decision(1))
    new.offer(_decision(2))
    new.restore(old.state())
    assert [waiting.decision_id for waiting in new.state().waiting] == ["d-1", "d-2"]
