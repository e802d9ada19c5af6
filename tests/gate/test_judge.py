"""Contract section 7: the gate answers with a plan even where it cannot plan."""

import pytest

from resume_gate.errors import BusyLedger, ContractMisuse, CorruptLedger
from resume_gate.gate import judge
from resume_gate.ledger.prefix import CommittedPrefix, read_prefix
from resume_gate.verdict.bounds import bounded
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.wire import RunRef
from tests.kit.builders import Row, call, file_of, user

_RUN = RunRef("ses-1", "run-1")


def _judged(*rows: Row) -> ResumePlan:
    return judge(_RUN, lambda: read_prefix(_RUN, file_of(*rows)))


def _judged_where(error: Exception) -> ResumePlan:
    def read() -> CommittedPrefix:
        raise error

    return judge(_RUN, read)


def test_a_readable_ledger_is_planned() -> None:
    """Where there is evidence the answer is its bounded plan, with run and prefix digest."""
    prefix = read_prefix(_RUN, file_of(user(), call()))
    assert _judged(user(), call()) == bounded(build_resume_plan(prefix.events, run=_RUN, prefix_digest=prefix.digest))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BusyLedger("held by another"), "ledger_writer_active"),
        (CorruptLedger("a torn row", row=3, byte=70), "runtime_ledger_unreadable"),
    ],
)
def test_a_ledger_that_cannot_be_read_is_blocked_for_that_alone(error: Exception, reason: str) -> None:
    """A held lock or a damaged file is the only reason, and the only finding."""
    found = _judged_where(error)
    assert (found.disposition, found.rejection_reasons) == ("blocked", (reason,))
    assert [diagnostic.code for diagnostic in found.diagnostics] == [reason]
    assert (found.operations, found.open_operations, found.requires_verification) == ((), (), False)


def test_the_finding_says_where_the_damage_is() -> None:
    """A person reads row, byte and cause of the damage."""
    (found,) = _judged_where(CorruptLedger("a torn row", row=3, byte=70)).diagnostics
    assert "row 3, byte 70: a torn row" in found.message


def test_no_event_is_missing_evidence() -> None:
    """A ledger without any event is blocked, not safe: evidence was expected."""
    found = _judged()
    assert (found.disposition, found.rejection_reasons) == ("blocked", ("runtime_ledger_empty",))


def test_plans_without_evidence_are_told_apart() -> None:
    """Each of them has a digest of its own, so a decision on one is none on another."""
    plans = [_judged(), _judged(user()), _judged_where(BusyLedger("x")), _judged_where(CorruptLedger("x"))]
    assert len({found.plan_digest for found in plans}) == 4


@pytest.mark.parametrize("error", [OSError("no disk"), PermissionError("no"), ContractMisuse("no name")])
def test_what_is_not_evidence_passes_through(error: Exception) -> None:
    """A disk that does not answer is retried and a misuse is a bug: neither is a plan."""
    with pytest.raises(type(error)):
        _judged_where(error)


@pytest.mark.parametrize(
    ("exact", "minimum", "safe"), [(1, None, True), (2, None, False), (None, 1, True), (None, 2, False)]
)
def test_what_was_expected_is_passed_on(exact: int | None, minimum: int | None, safe: bool) -> None:
    """The expected and the minimum high-water block as they do in a plan."""
    found = judge(
        _RUN, lambda: read_prefix(_RUN, file_of(user())), expected_high_water=exact, minimum_high_water=minimum
    )
    assert found.safe is safe
    assert found.rejection_reasons == (() if safe else ("runtime_offset_mismatch",))
