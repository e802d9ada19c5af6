"""Any earlier prefix of an open ledger can be named (design, record_decision)."""

from pathlib import Path

from resume_gate.events.canonical import digest
from tests.ledger.kit import RUN, event, path_of, row, store

NAMES = ["a", "b", "c"]


def test_each_earlier_prefix_is_named_as_it_was(tmp_path: Path) -> None:
    """The reference at a high-water is the one that the ledger had then, read or appended."""
    with store(tmp_path).open(RUN) as ledger:
        then = [ledger.reference]
        for name in NAMES:
            ledger.append(event(name))
            then.append(ledger.reference)
        assert [ledger.reference_at(high_water) for high_water in range(4)] == then
    with store(tmp_path).open(RUN) as ledger:
        assert [ledger.reference_at(high_water) for high_water in range(4)] == then
    assert store(tmp_path).read(RUN).reference == then[-1]


def test_the_digest_is_of_the_files_first_bytes(tmp_path: Path) -> None:
    """It names bytes, so that any reader can check it."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append_all(map(event, NAMES))
        assert ledger.reference_at(2).prefix_digest == digest(row("a") + row("b"))
        assert ledger.reference.prefix_digest == digest(path_of(tmp_path).read_bytes())


def test_beyond_the_end_it_is_the_whole(tmp_path: Path) -> None:
    """A high-water that was not reached gives the reference of what is there."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        assert ledger.reference_at(7) == ledger.reference
