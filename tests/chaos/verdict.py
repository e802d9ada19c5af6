"""What a careful person would decide about a parked run: look at the world, and say what is there."""

from __future__ import annotations

from random import Random
from typing import Any

from pydantic import JsonValue

from resume_gate import ResumePlan
from resume_gate.contract import GateStatus
from resume_gate.decisions import CallOutcome, Decision
from resume_gate.events.canonical import digest
from resume_gate.ledger.files.paths import ledger_path
from resume_gate.ledger.files.repair import cut_back
from resume_gate.verdict.plan import OpenOperation
from tests.chaos.memory import LOOK_TOOL
from tests.chaos.place import Place, effects, order_of

_RELEASED = 0.2


def why_parked(status: GateStatus) -> str:
    """Say in a word why a run is parked."""
    plan = status.plan
    reasons = plan.rejection_reasons if plan is not None else ()
    return ", ".join([*reasons, *([status.hold.reason] if status.hold is not None else [])])


def decide(place: Place, status: GateStatus, choice: Random) -> Decision | None:
    """Return the decision for what a gate shows; ``None`` where there is nothing a person could do now."""
    plan = status.plan
    if plan is None or status.phase != "parked":
        return None
    codes = {diagnostic.code for diagnostic in plan.diagnostics}
    if "runtime_ledger_empty" in codes:  # its first row was torn, so nothing was begun: give it up, start again
        return _decision(plan, "abandon")
    if "runtime_offset_mismatch" in codes:
        return _decision(plan, "recheck", accept_high_water=plan.source_high_water)
    if plan.open_operations and choice.random() < _RELEASED:
        return _decision(plan, "release")
    if plan.open_operations:
        return _decision(plan, "settle", calls=_found(place, plan))
    return _decision(plan, "recheck")


def _decision(plan: ResumePlan, kind: str, **parts: Any) -> Decision:
    # The id follows from the plan, so that a person who is not sure of having been heard says the same again.
    return Decision.model_validate(
        {
            "kind": kind,
            "operator": "robot",
            "reason": "looked at the world",
            "decision_id": f"robot:{plan.plan_digest.removeprefix('sha256:')[:24]}",
            "plan_digest": plan.plan_digest,
            **parts,
        }
    )


def _found(place: Place, plan: ResumePlan) -> list[dict[str, JsonValue]]:
    assert plan.run is not None
    order, world = order_of(plan.run), set(effects(place.world))
    return [_outcome(call, (order, str(call.args["step"])) in world) for call in plan.open_operations]


def _outcome(call: OpenOperation, there: bool) -> dict[str, JsonValue]:
    # What the plan calls not dispatched is believed without a look, as the plan says it may be.
    if there and call.tool_name != LOOK_TOOL and call.status != "not_dispatched":
        said = CallOutcome(call_event_id=call.call_event_id, outcome="succeeded", result={"found": "in the world"})
    else:
        said = CallOutcome(call_event_id=call.call_event_id, outcome="not_executed")
    return said.model_dump()


def outdated(decision: Decision) -> Decision:
    """Return the decision as somebody would send it who looked at an older plan."""
    old = digest(decision.plan_digest.encode())
    return decision.model_copy(update={"plan_digest": old, "decision_id": decision.decision_id + ":outdated"})


def repair(place: Place, plan: ResumePlan) -> bool:
    """Cut a torn ledger back, as ``resume-gate cut-back`` does; whether it was still torn."""
    torn = any("cut the file back" in item.message for item in plan.diagnostics)
    return torn and plan.run is not None and cut_back(ledger_path(place.ledgers, plan.run)) is not None
