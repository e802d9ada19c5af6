"""A writer that is killed at any moment has lost nothing that it acknowledged (contract section 3)."""

import random
import time
from pathlib import Path

import pytest

from resume_gate import CorruptLedger, RuntimeEventStore, decode_event
from resume_gate.crash.harness import await_report, start_child
from resume_gate.ledger.files.paths import ledger_path
from tests.crash.endless_writer import DURABILITIES, RUN

WRITER = str(Path(__file__).with_name("endless_writer.py"))


def kill_at_random(root: Path, seed: int) -> set[str]:
    """Kill a writer at a moment that the seed chooses; return the ids that it had acknowledged."""
    moments = random.Random(seed)  # noqa: S311 - no secret
    with start_child(WRITER, str(root), moments.choice(list(DURABILITIES))) as writer:
        acknowledged = {await_report(writer) for _ in range(moments.randint(1, 12))}
        time.sleep(moments.uniform(0, 0.004))
        writer.kill()
        assert writer.stdout is not None
        acknowledged |= {line[:-1] for line in writer.stdout if line.endswith("\n")}
    assert "" not in acknowledged
    return acknowledged


@pytest.mark.parametrize("seed", range(15))
def test_no_acknowledged_event_is_missing(tmp_path: Path, seed: int) -> None:
    """The ledger is whole and holds them all, or says where it is torn and holds them all before that place."""
    acknowledged = kill_at_random(tmp_path, seed)
    path = ledger_path(tmp_path, RUN)
    whole_rows = path.read_bytes().rpartition(b"\n")[0].splitlines()
    found = [decode_event(row).id for row in whole_rows]
    if path.read_bytes().endswith(b"\n"):
        assert [committed.id for committed in RuntimeEventStore(tmp_path).read(RUN).events] == found
    else:
        with pytest.raises(CorruptLedger, match=f"row {len(found) + 1}, byte .*torn row"):
            RuntimeEventStore(tmp_path).read(RUN)
    assert acknowledged <= set(found)
    assert found == [f"event_{number}" for number in range(len(found))]
