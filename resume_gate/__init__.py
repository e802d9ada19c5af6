"""The resume gate's core: decides from committed facts whether a run may be dispatched again."""

from resume_gate.codec import decode_event, encode_event
from resume_gate.drive import DriveOptions, DriveOutcome
from resume_gate.errors import (
    BusyLedger,
    ContractMisuse,
    CorruptLedger,
    InvalidEvent,
    ResumeGateError,
    StalePlan,
)
from resume_gate.events import RuntimeEvent
from resume_gate.failpoints import FAILPOINTS
from resume_gate.ledger import LedgerWriter, RuntimeEventStore
from resume_gate.plan import ResumePlan, build_resume_plan
from resume_gate.prefix import CommittedPrefix, ReplayReference
from resume_gate.recorder import Recorder
from resume_gate.recovery import Recovery, recover
from resume_gate.replay import replay_events
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
