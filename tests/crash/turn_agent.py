"""An agent that runs a real turn and dies at a given failpoint: ROOT FAILPOINT."""

import os
import signal
import sys
from pathlib import Path

from resume_gate import DriveOptions, Recorder, RunRef, RuntimeEventStore
from resume_gate.agent.driving import driving
from resume_gate.agent.recorder import now_ms
from resume_gate.contract import DriveRequest
from resume_gate.decisions import Decision, DecisionRecord
from resume_gate.failpoints import FailpointCallback, FailpointId
from resume_gate.gate import judge
from resume_gate.operators.record import record_decision
from resume_gate.verdict.plan import ResumePlan

RUN = RunRef("session_1", "run_1")


def gate(store: RuntimeEventStore) -> ResumePlan:
    """Judge the run as the gate does."""
    return judge(RUN, lambda: store.read(RUN))


def decide(store: RuntimeEventStore, failpoint: FailpointCallback) -> None:
    """Record a person's answer."""
    plan, prefix = gate(store), store.read(RUN)
    decision = Decision(
        kind="answer",
        operator="ada",
        reason="it asked",
        decision_id="decision_1",
        plan_digest=plan.plan_digest,
        payload="go on",
    )
    reference = prefix.reference.model_dump(by_alias=False)
    record_decision(store, DecisionRecord(run=RUN, decision=decision, ts=now_ms(), **reference), failpoint=failpoint)


def drive_again(store: RuntimeEventStore, failpoint: FailpointCallback) -> None:
    """Begin the next drive."""
    request = DriveRequest(
        run=RUN,
        options=DriveOptions(operation_id="agent-run"),
        attempt=2,
        invocation_id="invocation_2",
        turn_id="turn_2",
        replay=store.read(RUN).reference,
    )
    with driving(store, request, failpoint=failpoint) as recorder:
        recorder.say("going on")


def turn(store: RuntimeEventStore, effects: Path, failpoint: FailpointCallback) -> None:
    """Record a whole turn with one effect."""
    with store.open(RUN) as ledger:
        recorder = Recorder(ledger, invocation_id="invocation_1", turn_id="turn_1", failpoint=failpoint)
        recorder.user("charge order 7")
        with recorder.tool("call_1", "charge", {"order": 7}) as call:
            recorder.failpoint("P3")
            with effects.open("a") as file:
                file.write("charged\n")
            call.result = "charged"
        recorder.say("done")
        recorder.end()


def agent(directory: Path, at: str) -> None:
    """Do everything that passes failpoints, and die at the given one."""

    def die(passed: FailpointId) -> None:
        if passed == at:
            (directory / "died-at").write_text(passed)
            os._exit(9) if os.name == "nt" else os.kill(os.getpid(), signal.SIGKILL)

    store = RuntimeEventStore(directory)
    turn(store, directory / "effects", die)
    if at == "P10":
        decide(store, die)
    drive_again(store, die)


if __name__ == "__main__":
    agent(Path(sys.argv[1]), sys.argv[2])
