"""A caller may name a run; it may never name a path (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import ContractMisuse, RunRef
from tests.ledger.kit import store

UNSAFE = (
    *(
        "",
        ".",
        "..",
        "../../etc",
        "/etc",
        "a/b",
        "a\\b",
        "..\\x",
        "C:",
        "a:b",
        "~",
        "a b",
        "a\n",
        "\n",
        "a\0",
        "ä",
        "%2e",
    ),
    *("-rf", "_x", ".hidden", "run.", "run..", "a" * 129),
    *("CON", "con", "nul", "NUL.txt", "aux.", "prn", "COM1", "com0.log", "lpt9", "Lpt1.tar.gz"),
)
SAFE = ("a", "0", "a" * 128, "Run-1.2_3", "console", "com", "com10", "nullable", "x.con", "a..b")


@pytest.mark.parametrize("name", UNSAFE, ids=repr)
def test_a_name_that_could_be_a_path_is_refused(tmp_path: Path, name: str) -> None:
    """It is refused as a session and as a run, for reading and for writing, and nothing is made for it."""
    for run in (RunRef(name, "run_1"), RunRef("session_1", name)):
        for attempt in (store(tmp_path).read, store(tmp_path).open):
            with pytest.raises(ContractMisuse):
                attempt(run)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", SAFE, ids=repr)
def test_a_plain_name_is_taken(tmp_path: Path, name: str) -> None:
    """It names one directory below the root."""
    store(tmp_path).open(RunRef(name, name)).close()
    assert (tmp_path / "sessions" / name / "runs" / name / "runtime-events.jsonl").is_file()
