"""An event that is there already: the same bytes succeed and write nothing, others are refused (contract section 3)."""

from pathlib import Path

import pytest

from resume_gate import InvalidEvent
from resume_gate.events.event import Text
from tests.ledger.kit import RUN, event, path_of, row, store

OTHER = event("a", content=Text(text="something else"))


def test_the_same_event_again_writes_nothing(tmp_path: Path) -> None:
    """Appending it again succeeds at once and after reopening, and the file stays as it was."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append_all([event("a"), event("b")])
        ledger.append(event("a"))
        assert ledger.high_water == 2
    with store(tmp_path).open(RUN) as ledger:
        ledger.append_all([event("b"), event("a")])
        assert ledger.high_water == 2
    assert path_of(tmp_path).read_bytes() == row("a") + row("b")


def test_the_same_id_with_other_content_is_refused(tmp_path: Path) -> None:
    """It is an error, writes nothing, and the writer goes on working."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a"))
        with pytest.raises(InvalidEvent, match="other content"):
            ledger.append(OTHER)
        ledger.append(event("b"))
    assert path_of(tmp_path).read_bytes() == row("a") + row("b")


def test_one_append_may_hold_an_event_twice(tmp_path: Path) -> None:
    """Within one append the same event counts once, and the same id with other content is refused."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append_all([event("a"), event("a"), event("b")])
        with pytest.raises(InvalidEvent, match="other content"):
            ledger.append_all([event("c"), event("c", content=Text(text="other"))])
    assert path_of(tmp_path).read_bytes() == row("a") + row("b")


def test_a_time_beyond_64_bits_is_the_same_event_again(tmp_path: Path) -> None:
    """An event is compared as its readers have it, so that a number they round does not make it another."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(event("a", ts=2**70))
        ledger.append(event("a", ts=2**70))
        assert ledger.high_water == 1


def test_two_events_with_one_id_in_the_file_cannot_be_written_to(tmp_path: Path) -> None:
    """A file that a foreign hand wrote the same row to twice reads as two rows, and the gate decides about them."""
    path = path_of(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(row("a") * 2)
    assert store(tmp_path).read(RUN).high_water == 2
