"""Contract section 4, rule 8: recovery facts and the operation they attach to."""

import pytest

from tests.kit.builders import OTHER_TURN, Row, call, issues, reconciled, recovered, recovery_decision, t1, user

_FACTS = {"reconciled": reconciled(), "decision": recovery_decision(["e1"])}


@pytest.mark.parametrize("name", _FACTS)
def test_a_fact_attaches_to_the_operation_of_its_id(name: str) -> None:
    """A fact whose operation id is bound is no issue, and changes the operation's status."""
    rows = (user(), call(), t1(), _FACTS[name])
    assert issues(*rows) == []
    assert [decision.reason for decision in recovered(*rows).decisions] == ["recovery_fact_corruption"]


@pytest.mark.parametrize("name", _FACTS)
def test_a_fact_with_no_operation_is_out_of_order(name: str) -> None:
    """A fact whose operation id nothing has bound is event_order_conflict."""
    assert issues(user(), _FACTS[name]) == [("event_order_conflict", "e2")]


@pytest.mark.parametrize("name", _FACTS)
def test_a_call_alone_binds_nothing(name: str) -> None:
    """Without T1 there is no operation id to attach to; the call itself stays as it is."""
    rows: tuple[Row, ...] = (user(), call(), _FACTS[name])
    assert issues(*rows) == [("event_order_conflict", "e3")]
    assert [decision.reason for decision in recovered(*rows).decisions] == ["legacy_dispatch_unknown"]


def test_a_fact_attaches_by_operation_id_alone() -> None:
    """A fact of another invocation finds its operation; that it does not fit is the bundle's to say."""
    rows = (user(), call(), t1(), user(**OTHER_TURN), reconciled(**OTHER_TURN))
    assert issues(*rows) == []
    assert [decision.reason for decision in recovered(*rows).decisions] == ["recovery_fact_corruption"]


def test_the_issue_belongs_to_no_operation() -> None:
    """A fact before its T1 is an issue of the ledger, not of the operation that is bound later."""
    found = recovered(user(), call(), reconciled(), t1())
    assert [tuple(issue) for issue in found.issues] == [("event_order_conflict", "e3")]
    assert [decision.reason for decision in found.decisions] == ["dispatch_without_response"]
