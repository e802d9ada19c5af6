"""Opening the ledger that was planned for, and no other (design, Core)."""

from pathlib import Path

import pytest

from resume_gate import ReplayReference, StalePlan
from resume_gate.events.event import Text
from tests.ledger.kit import RUN, event, path_of, row, store, write


def test_the_planned_prefix_is_opened(tmp_path: Path) -> None:
    """A ledger that did not move since it was read is opened."""
    write(tmp_path, row("a"))
    planned = store(tmp_path).read(RUN).reference
    with store(tmp_path).open(RUN, expect=planned) as ledger:
        assert ledger.reference == planned


@pytest.mark.parametrize(
    "now",
    [b"", row("a") + row("b"), row(event("a", content=Text(text="other"))), row("a").replace(b'"ts":', b'"ts": ')],
    ids=["shorter", "longer", "other event", "other bytes of the same event"],
)
def test_another_prefix_is_stale(tmp_path: Path, now: bytes) -> None:
    """Another high-water, or the same with other bytes, is refused, changes nothing and leaves the lock free."""
    path = write(tmp_path, row("a"))
    planned = store(tmp_path).read(RUN).reference
    path.write_bytes(now)
    for _ in range(2):
        with pytest.raises(StalePlan):
            store(tmp_path).open(RUN, expect=planned)
    assert path.read_bytes() == now


def test_both_halves_of_the_reference_count(tmp_path: Path) -> None:
    """A digest with another high-water names no prefix."""
    write(tmp_path, row("a"))
    planned = store(tmp_path).read(RUN).reference
    wrong = ReplayReference(high_water=2, prefix_digest=planned.prefix_digest)
    with pytest.raises(StalePlan):
        store(tmp_path).open(RUN, expect=wrong)


def test_a_ledger_that_is_gone_is_stale(tmp_path: Path) -> None:
    """It is not made anew."""
    write(tmp_path, row("a"))
    planned = store(tmp_path).read(RUN).reference
    path_of(tmp_path).unlink()
    with pytest.raises(StalePlan, match="gone"):
        store(tmp_path).open(RUN, expect=planned)
    assert not path_of(tmp_path).exists()
