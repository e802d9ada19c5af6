"""The lock dies with its process (contract section 3)."""

from pathlib import Path

from tests.ledger.kit import RUN, event, holder, ids, store


def test_a_killed_writer_leaves_the_lock_free(tmp_path: Path) -> None:
    """Once the killed process is gone the next writer gets the ledger, with everything in it."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
    with holder(tmp_path) as other:
        other.kill()
        other.wait()
        with store(tmp_path).open(RUN) as ledger:
            ledger.append(event("b"))
    assert ids(tmp_path) == ["a", "b"]
