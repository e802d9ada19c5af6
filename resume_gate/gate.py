"""The gate's judgement of one run: a plan, even where there is nothing to plan (contract section 7)."""

from __future__ import annotations

from collections.abc import Callable

from resume_gate.errors import BusyLedger, CorruptLedger
from resume_gate.ledger.prefix import CommittedPrefix
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import ResumePlan, blocked_plan, build_resume_plan
from resume_gate.wire import RunRef


def judge(
    run: RunRef | None,
    read: Callable[[], CommittedPrefix],
    *,
    expected_high_water: int | None = None,
    minimum_high_water: int | None = None,
) -> ResumePlan:
    """Read a committed prefix and plan it, bounded; bad evidence is a blocked plan, never an error.

    ``run`` is ``None`` for a bare file, whose run only its events tell. What is not evidence passes through:
    ``OSError`` and ``ContractMisuse``.
    """
    try:
        prefix = read()
    except BusyLedger as error:
        return blocked_plan(run, "ledger_writer_active", str(error))
    except CorruptLedger as error:
        return blocked_plan(run, "runtime_ledger_unreadable", str(error))
    except RecursionError:
        return blocked_plan(run, "runtime_ledger_unreadable", "a row nests deeper than this process can follow")
    if not prefix.events:
        return blocked_plan(run, "runtime_ledger_empty", f"{run or 'the file'} has no committed event")
    return bounded(
        build_resume_plan(
            prefix.events,
            expected_high_water=expected_high_water,
            minimum_high_water=minimum_high_water,
            run=prefix.run,
            prefix_digest=prefix.digest,
        )
    )
