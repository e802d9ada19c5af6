"""The resume gate's core: decides from committed facts whether a run may be dispatched again."""

from resume_gate.agent.recorder import Recorder
from resume_gate.drive import DriveOptions, DriveOutcome
from resume_gate.errors import (
    BusyLedger,
    ContractMisuse,
    CorruptLedger,
    InvalidEvent,
    ResumeGateError,
    StalePlan,
)
from resume_gate.events.codec import decode_event, encode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.failpoints import FAILPOINTS
from resume_gate.ledger.files.store import LedgerWriter, RuntimeEventStore
from resume_gate.ledger.prefix import CommittedPrefix, ReplayReference
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.verdict.recovery import Recovery, recover
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef

__all__ = [
    "FAILPOINTS",
    "BusyLedger",
    "CommittedPrefix",
    "ContractMisuse",
    "CorruptLedger",
    "DriveOptions",
    "DriveOutcome",
    "InvalidEvent",
    "LedgerWriter",
    "Recorder",
    "Recovery",
    "ReplayReference",
    "ResumeGateError",
    "ResumePlan",
    "RunRef",
    "RuntimeEvent",
    "RuntimeEventStore",
    "StalePlan",
    "build_resume_plan",
    "decode_event",
    "encode_event",
    "recover",
    "replay_events",
]
