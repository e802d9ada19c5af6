"""What an author's drive and host may write; the type checker accepts all of it."""

from typing import assert_never

from resume_gate.drive import ActionRequired, DriveOptions, DriveOutcome, Settled, WaitingDeferred, WaitingRetry


def options() -> DriveOptions:
    return DriveOptions(operation_id="agent-run/s/r", wait_for_retry=True, poll_deferred=False)


def defaults() -> DriveOptions:
    return DriveOptions(operation_id="agent-run/s/r")


def settled() -> DriveOutcome:
    return DriveOutcome(Settled(operation_id="agent-run/s/r", outcome={"text": "done"}))


def told(outcome: DriveOutcome) -> str:
    match outcome.root:
        case Settled():
            return "settled"
        case WaitingRetry(not_before=not_before):
            return f"not before {not_before}"
        case WaitingDeferred(deferred=deferred):
            return f"waiting for {deferred}"
        case ActionRequired(action=action):
            return f"a person has to {action}"
        case never:
            assert_never(never)
