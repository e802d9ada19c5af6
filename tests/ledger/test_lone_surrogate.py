"""Half of a surrogate pair, escaped, is data and not damage (contract section 2)."""

from pathlib import Path

import pytest

from resume_gate import RuntimeEvent
from resume_gate.events.event import Text
from tests.ledger.kit import RUN, call, event, path_of, row, store, write

HALF = "\ud83d"
EVENTS = {
    "text": event("b", content=Text(text=f"cut {HALF}")),
    "id": event(f"b{HALF}"),
    "call id": call("b", call_id=f"call{HALF}", args=b'{"a": 1, "b": "\\ud83d"}'),
}


@pytest.mark.parametrize("text", [b"\\ud83d", b"\\udc00", b"\\ud83d\\ud83d", b"\\ud83d \\ude00"])
def test_a_foreign_row_with_half_a_pair_is_read(tmp_path: Path, text: bytes) -> None:
    """A ledger with such a row is whole, and the half is still there."""
    write(tmp_path, row("a") + row("b").replace(b'"text":"b"', b'"text":"' + text + b'"'))
    found = store(tmp_path).read(RUN).events[1].content
    assert isinstance(found, Text)
    assert found.text == text.decode("ascii").encode().decode("unicode_escape")


@pytest.mark.parametrize("given", EVENTS.values(), ids=EVENTS.keys())
def test_an_event_with_half_a_pair_is_appended_once(tmp_path: Path, given: RuntimeEvent) -> None:
    """It is written, read back, and the equal event again writes nothing, also from a new writer."""
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(given)
        ledger.append(given)
    written = path_of(tmp_path).read_bytes()
    with store(tmp_path).open(RUN) as ledger:
        ledger.append(given)
        assert ledger.events[0].id == given.id
    assert path_of(tmp_path).read_bytes() == written
