"""Contract section 4, rule 3: content, actions and refs of T1 and of recovery facts."""

from typing import Any

import pytest

from tests.kit.builders import Row, call, issues, reconciled, recovery_decision, refs, say, t1, user

_FACTS: dict[str, Row] = {"t1": t1(), "reconciled": reconciled(), "decision": recovery_decision(["e1"])}
_PARENTS = {"parentToolCallId": "p", "parentOperationId": "op-p"}


def _conflicts(row: Row) -> bool:
    return ("semantic_lane_conflict", "e3") in issues(user(), call(), row)


@pytest.mark.parametrize("name", _FACTS)
def test_a_fact_has_no_content(name: str) -> None:
    """T1 and recovery facts hold no content."""
    assert _conflicts({**_FACTS[name], "content": say()["content"]})


@pytest.mark.parametrize("name", _FACTS)
@pytest.mark.parametrize("other", [{"stateDelta": {}}, {"endInvocation": False}, {"tokenUsage": {"a": 1}}], ids=str)
def test_a_fact_has_only_its_action(name: str, other: Any) -> None:
    """Beside the action that makes it a fact there is no other."""
    assert _conflicts({**_FACTS[name], "actions": {**_FACTS[name]["actions"], **other}})


@pytest.mark.parametrize("name", _FACTS)
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"operationId": "op-a"},
        {"toolCallId": "a"},
        {"operationId": "op-a", "stepId": "s"},
        {"toolCallId": "a", "stepId": "s"},
        {**refs(), "stepId": "s"},
        {**refs(), "parentToolCallId": "p"},
        {**refs(), "parentOperationId": "op-p"},
        {**refs(), "parentToolCallId": "p", "stepId": "s"},
        {**refs(), "parentOperationId": "op-p", "stepId": "s"},
        {**refs(), **_PARENTS, "stepId": "s"},
        _PARENTS,
    ],
    ids=str,
)
def test_a_fact_has_exactly_its_refs(name: str, given: Any) -> None:
    """Refs with less or more than operation and call, or half of the parents, do not fit a fact."""
    assert _conflicts({**_FACTS[name], "refs": given})


@pytest.mark.parametrize("name", _FACTS)
def test_a_fact_without_refs_is_a_conflict(name: str) -> None:
    """A fact has to say which operation it is about."""
    assert _conflicts({key: value for key, value in _FACTS[name].items() if key != "refs"})


def test_a_dispatch_may_name_its_parents() -> None:
    """T1 of a nested call names call and operation of its parent too."""
    assert issues(user(), call(), t1(refs={**refs(), **_PARENTS})) == []


@pytest.mark.parametrize("name", ["reconciled", "decision"])
def test_a_recovery_fact_names_no_parents(name: str) -> None:
    """Recovery facts name their operation and call alone."""
    assert _conflicts({**_FACTS[name], "refs": {**refs(), **_PARENTS}})
