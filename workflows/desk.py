"""The desk that decisions come in at: each is taken once, refused with a reason, or kept for the plan it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import Field

from resume_gate.contract import DecisionAnswer, DecisionSummary, GateRequest, Hold, Refusal
from resume_gate.decisions import Decision
from resume_gate.operators.refusals import refusal, stale, summary
from resume_gate.verdict.plan import ResumePlan
from resume_gate.wire import Answer

_MOST_KEPT = 50
_MOST_WAITING = 10
_LONGEST_WHY = 2000


class DeskState(Answer):
    """What a desk must not forget when its workflow continues as new."""

    waiting: tuple[Decision, ...] = ()
    taken: tuple[DecisionSummary, ...] = ()
    refused: tuple[Refusal, ...] = ()
    seen: dict[str, str] = Field(default_factory=dict)


class ContinuedGate(Answer):
    """What a gate hands to its next run."""

    request: GateRequest
    desk: DeskState


class Refused(NamedTuple):
    """Why a decision was not taken; ``kind`` is the type of the error that its sender gets."""

    why: str
    kind: str


class Desk:
    """Decisions of one gate, in the order they came."""

    def __init__(self) -> None:
        self.taken: list[DecisionSummary] = []
        self.refused: list[Refusal] = []
        self._waiting: list[Decision] = []
        self._outcomes: dict[str, DecisionAnswer | Refused] = {}
        self._seen: dict[str, str] = {}
        self._closed: str | None = None

    def restore(self, state: DeskState) -> None:
        """Take over from the run before; what came in since comes after."""
        self.taken = [*state.taken, *self.taken]
        self.refused = [*state.refused, *self.refused]
        self._waiting = [*state.waiting, *self._waiting]
        self._seen = {**state.seen, **self._seen}

    def state(self) -> DeskState:
        """Return what the next run takes over."""
        return DeskState(
            waiting=tuple(self._waiting),
            taken=tuple(self.taken),
            refused=tuple(self.refused[-_MOST_KEPT:]),
            seen=dict(list(self._seen.items())[-_MOST_KEPT:]),
        )

    def offer(self, decision: Decision) -> None:
        """Keep a decision for the plan it names; one whose id is known already is the same decision."""
        known = {item.decision_id for item in self.taken} | {item.decision_id for item in self._waiting}
        if decision.decision_id in known:
            return
        if self._closed is not None:
            self.refuse(self._closed, decision)
        elif len(self._waiting) >= _MOST_WAITING:
            self.refuse(f"{_MOST_WAITING} decisions wait already: look again, then decide", decision)
        else:
            self._outcomes.pop(decision.decision_id, None)
            self._waiting.append(decision)

    def close(self, why: str) -> None:
        """Refuse what still waits, and whatever comes from now on."""
        self._closed = why
        for decision in list(self._waiting):
            self.refuse(why, decision)

    def outcome(self, decision_id: str) -> DecisionAnswer | Refused | None:
        """Return what became of a decision; ``None`` while it waits."""
        if decision_id in self._outcomes:
            return self._outcomes[decision_id]
        taken = [item for item in self.taken if item.decision_id == decision_id]
        return _answer(taken[0], "taken before; one decision is taken once", 0) if taken else None

    def refuse(self, why: str, decision: Decision | None = None, *, kind: str = "Refused") -> None:
        """Drop a decision, or a payload that was none, and show why."""
        why = why if len(why) <= _LONGEST_WHY else why[:_LONGEST_WHY] + "…"
        refused = Refusal(decision_id=decision.decision_id if decision else None, why=why)
        self.refused = [*self.refused, refused][-_MOST_KEPT:]
        if decision is not None:
            self._waiting = [item for item in self._waiting if item.decision_id != decision.decision_id]
            self._outcomes[decision.decision_id] = Refused(why, kind)

    def take(self, decision: Decision, text: str, events_added: int) -> None:
        """Count a decision as taken."""
        taken = DecisionSummary(decision_id=decision.decision_id, kind=decision.kind, operator=decision.operator)
        self.taken.append(taken)
        self._waiting = [item for item in self._waiting if item.decision_id != decision.decision_id]
        self._outcomes[decision.decision_id] = _answer(taken, text, events_added)

    def show(self, plan: ResumePlan) -> None:
        """Note the plan that people see now."""
        self._seen[plan.plan_digest] = summary(plan)

    def why_stale(self, decision: Decision, plan: ResumePlan) -> str | None:
        """Say what changed since a decision's plan, if anything did."""
        return stale(decision, plan, self._seen)

    def choose(self, plan: ResumePlan, hold: Hold | None, *, settled: bool) -> Decision | None:
        """Return the first decision that this plan allows, refusing those that it does not.

        ``settled`` is false while the plan is bound to change by itself: then a decision for another plan is kept.
        """
        for decision in list(self._waiting):
            why = self.why_stale(decision, plan)
            if why is not None:
                if settled:
                    self.refuse(why, decision, kind="StalePlan")
                continue
            why = refusal(decision, plan, hold)
            if why is None:
                return decision
            self.refuse(why, decision)
        return None

    def waiting_for(self, plan: ResumePlan, *, settled: bool) -> Iterator[Decision]:
        """Yield the decisions that ``choose`` would look at."""
        return (item for item in self._waiting if settled or item.plan_digest == plan.plan_digest)


def _answer(taken: DecisionSummary, text: str, events_added: int) -> DecisionAnswer:
    return DecisionAnswer(decision_id=taken.decision_id, kind=taken.kind, text=text, events_added=events_added)
