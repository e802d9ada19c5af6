"""The README's table of settings is the worker's."""

from __future__ import annotations

import re

from resume_gate.settings import Settings
from tests.docs.readme import README


def test_the_table_names_every_setting_and_no_other() -> None:
    """Each field of ``Settings`` is a row of the README, and each row a field."""
    rows = re.findall(r"^\| `RESUME_GATE_(\w+)` \|", README, re.MULTILINE)
    assert rows == [name.upper() for name in Settings.model_fields]
