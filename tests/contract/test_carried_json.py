"""JSON that is carried on inside other JSON is refused where it could not be."""

from __future__ import annotations

from typing import Any

import pytest

from resume_gate.drive import DriveOptions, accept_outcome
from resume_gate.errors import ContractMisuse

OPTIONS = DriveOptions(operation_id="o")


def _asked(action: str) -> Any:
    return accept_outcome(f'{{"kind":"action_required","operationId":"o","action":{action}}}'.encode(), OPTIONS)


@pytest.mark.parametrize("action", ["[" * 101 + "]" * 101, "[1e999]", "NaN"])
def test_too_deep_or_not_finite_is_no_outcome(action: str) -> None:
    """An action that a later parser would choke on, or change, is a bad outcome at once."""
    with pytest.raises(ContractMisuse):
        _asked(action)


def test_a_hundred_levels_are_carried() -> None:
    """What fits every parser on its way is taken as it is."""
    action = "[" * 99 + "1" + "]" * 99
    assert _asked(action).action is not None
