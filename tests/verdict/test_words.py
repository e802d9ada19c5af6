"""Design, What it is for: the person on call reads what a finding means and what ends it."""

from typing import get_args

import pytest

from resume_gate.verdict.words import MEANING, NEXT_STEP, DiagnosticCode


@pytest.mark.parametrize("code", get_args(DiagnosticCode))
def test_every_code_has_a_meaning_and_a_next_step(code: DiagnosticCode) -> None:
    """Each diagnostic code is told in words, with what to do about it."""
    assert MEANING[code]
    assert NEXT_STEP[code]
