"""Contract sections 6 and 7: the high-water, and the one that was expected."""

import pytest

from resume_gate.verdict.plan import build_resume_plan
from tests.kit.builders import call, ledger, plan, say, user

_EVENTS = ledger(user(), say(partial=True), say())


def test_the_high_water_counts_every_event() -> None:
    """Partial and repeated events count as well."""
    assert plan().source_high_water == 0
    assert plan(user(), say(partial=True), user(id="e1")).source_high_water == 3


@pytest.mark.parametrize("expected", [None, 3])
def test_the_expected_high_water_is_no_finding(expected: int | None) -> None:
    """Nothing expected, or exactly what is there, is no mismatch."""
    assert build_resume_plan(_EVENTS, expected_high_water=expected).safe


@pytest.mark.parametrize("expected", [0, 2, 4])
def test_another_high_water_is_a_mismatch(expected: int) -> None:
    """More events than expected are a mismatch as fewer are."""
    found = build_resume_plan(_EVENTS, expected_high_water=expected)
    assert [diagnostic.code for diagnostic in found.diagnostics] == ["runtime_offset_mismatch"]
    assert (found.disposition, found.rejection_reasons) == ("blocked", ("runtime_offset_mismatch",))


@pytest.mark.parametrize("minimum", [0, 1, 3])
def test_a_longer_prefix_than_the_minimum_is_no_finding(minimum: int) -> None:
    """A ledger may have grown since its high-water was seen."""
    assert build_resume_plan(_EVENTS, minimum_high_water=minimum).safe


def test_a_shorter_prefix_than_the_minimum_is_a_mismatch() -> None:
    """A ledger that lost events is a mismatch."""
    assert build_resume_plan(_EVENTS, minimum_high_water=4).rejection_reasons == ("runtime_offset_mismatch",)


def test_exact_and_minimum_are_one_finding() -> None:
    """Where both are missed the plan says so once."""
    found = build_resume_plan(_EVENTS, expected_high_water=5, minimum_high_water=4)
    assert [diagnostic.code for diagnostic in found.diagnostics] == ["runtime_offset_mismatch"]


def test_the_message_says_both_numbers() -> None:
    """A person reads how many events were expected and how many are there."""
    (found,) = build_resume_plan(_EVENTS, expected_high_water=5).diagnostics
    assert "5" in found.message
    assert "3" in found.message


def test_the_mismatch_comes_before_the_dangling_state() -> None:
    """Both reasons are given, the mismatch first."""
    found = build_resume_plan(ledger(user(), call()), expected_high_water=1)
    assert found.rejection_reasons == ("runtime_offset_mismatch", "dangling_tool_state")


def test_an_empty_ledger_may_be_expected() -> None:
    """Nothing there where nothing was expected is a safe plan."""
    assert build_resume_plan([], expected_high_water=0).safe
    assert not build_resume_plan([], expected_high_water=1).safe
