"""The gate over foreign sessions: what the operator's root allows, under a run's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from resume_gate import ContractMisuse, RunRef
from resume_gate.contract import SessionRef
from resume_gate.operators.refusals import cannot_settle
from resume_gate.sessions.gate import SessionGate
from tests.cli.test_check_sessions import ANSWER, ASKS, USER, _session

RUN = RunRef("shop", "order-7")


def _named(locator: str, **parts: str) -> SessionRef:
    return SessionRef(format="pi", locator=locator, **parts)


def test_a_session_is_judged_under_the_runs_name(tmp_path: Path) -> None:
    """The plan is the session's, and names the run that the workflow asked for."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    plan = SessionGate(tmp_path, frozenset()).judge(RUN, _named("x.jsonl"))
    assert plan.safe
    assert plan.run == RUN


def test_nothing_is_settled_in_another_agents_file(tmp_path: Path) -> None:
    """A blocked foreign session is not written to: the refusal says where to settle it."""
    _session(tmp_path / "x.jsonl", USER, ASKS)
    plan = SessionGate(tmp_path, frozenset()).judge(RUN, _named("x.jsonl"))
    assert "settle it there" in (cannot_settle(plan) or "")


@pytest.mark.parametrize("locator", ["../x.jsonl", "/etc/passwd", "a//b", "", ".", "a/../x.jsonl", "C:\\x"])
def test_a_locator_is_no_free_path(tmp_path: Path, locator: str) -> None:
    """Only a plain relative path below the root is one."""
    with pytest.raises((ContractMisuse, ValueError)):
        SessionGate(tmp_path, frozenset()).judge(RUN, _named(locator))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link below the root leads nowhere."""
    outside = _session(tmp_path / "outside.jsonl", USER)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "x.jsonl").symlink_to(outside)
    with pytest.raises(ContractMisuse, match="link"):
        SessionGate(tmp_path / "root", frozenset()).judge(RUN, _named("x.jsonl"))


def test_a_missing_session_is_missing_evidence(tmp_path: Path) -> None:
    """Where no file is, the plan is blocked, as for a ledger that is not there."""
    plan = SessionGate(tmp_path, frozenset()).judge(RUN, _named("x.jsonl"))
    assert plan.rejection_reasons == ("runtime_ledger_empty",)


def test_a_file_without_a_session_of_the_format_is_said_to_have_none(tmp_path: Path) -> None:
    """The request names the wrong file, or the wrong format."""
    _session(tmp_path / "x.jsonl", USER)
    with pytest.raises(ContractMisuse, match="no session of the format langgraph"):
        SessionGate(tmp_path, frozenset()).judge(RUN, SessionRef(format="langgraph", locator="x.jsonl"))


def test_an_unknown_format_is_no_setting() -> None:
    """A declared format that does not exist is refused when the worker starts."""
    with pytest.raises(ContractMisuse, match="is no format"):
        SessionGate(Path(), frozenset({"word"}))
