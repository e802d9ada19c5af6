"""Contract section 6: what is always true of a file that is cut, changed or only read."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from resume_gate.errors import CorruptLedger, InvalidEvent
from resume_gate.events.canonical import digest
from resume_gate.events.codec import decode_event
from resume_gate.events.event import RuntimeEvent
from resume_gate.gate import judge
from resume_gate.ledger.files.store import RuntimeEventStore
from resume_gate.ledger.prefix import CommittedPrefix, read_prefix
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.verdict.replay import replay_events
from resume_gate.wire import RunRef
from tests.kit.builders import Row, call, file_of, response, say, user
from tests.kit.ledgers import file_bytes, legal_rows
from tests.kit.strategies import PROPERTY

_RUN = RunRef("ses-1", "run-1")
_FILES = legal_rows().map(file_bytes)


def _read(data: bytes) -> CommittedPrefix | None:
    try:
        return read_prefix(_RUN, data)
    except CorruptLedger:
        return None


def _planned(prefix: CommittedPrefix) -> ResumePlan:
    return build_resume_plan(prefix.events, run=_RUN, prefix_digest=prefix.digest)


@given(_FILES, st.data())
@PROPERTY
def test_a_cut_gives_a_shorter_prefix_or_an_error(data: bytes, draw: st.DataObject) -> None:
    """A file cut at any byte is the plan of a shorter prefix, or corrupt, and never anything else."""
    cut = data[: draw.draw(st.integers(0, len(data)))]
    prefix = _read(cut)
    if cut and not cut.endswith(b"\n"):
        assert prefix is None
    else:
        events = [decode_event(row) for row in data.split(b"\n")[: cut.count(b"\n")]]
        assert prefix is not None
        assert _planned(prefix) == build_resume_plan(events, run=_RUN, prefix_digest=digest(cut))


def test_every_cut_of_one_ledger_gives_a_shorter_prefix_or_an_error() -> None:
    """The same at each single byte of a ledger with text beyond ASCII in it."""
    data = file_of(user("go \u00e9\u2028\U0001f600"), call(args={"\u00e9": [1.5]}), response(), say())
    whole = read_prefix(_RUN, data).events
    for cut in range(len(data) + 1):
        prefix = _read(data[:cut])
        rows = data[:cut].count(b"\n")
        legal = cut == 0 or data[cut - 1 : cut] == b"\n"
        assert (None if prefix is None else prefix.events) == (whole[:rows] if legal else None)


def _each_row_by_itself(data: bytes) -> list[RuntimeEvent] | None:
    *rows, tail = data.split(b"\n")
    try:
        events = [decode_event(row) for row in rows]
    except InvalidEvent:
        return None
    return None if tail or any((event.session_id, event.run_id) != ("ses-1", "run-1") for event in events) else events


_EDITS: list[Callable[[bytes, int, int], bytes]] = [
    lambda data, i, _: data[:i] + b"\n" + data[i:],
    lambda data, i, _: data[:i] + b"\n\n" + data[i:],
    lambda data, i, j: data[: min(i, j)] + data[max(i, j) :],
    lambda data, i, _: data[:i] + data[i:].replace(b"\n", b"", 1),
    lambda data, i, _: data[:i] + data[i:].replace(b"\n", b"\r", 1) + b"\n",
    lambda data, i, _: data[:i] + data[i:].replace(b"}\n{", b"\n}{", 1),
    lambda data, i, _: data[:i] + data[i + 1 :],
    lambda data, i, j: data[:i] + data[j : j + 1] + data[i:],
    lambda data, i, _: data[:i] + b"\xff" + data[i:],
]


@given(_FILES, st.lists(st.tuples(st.sampled_from(_EDITS), st.integers(0), st.integers(0)), min_size=1, max_size=3))
@PROPERTY
def test_a_file_is_read_as_its_rows_are_each_by_itself(
    data: bytes, edits: list[tuple[Callable[[bytes, int, int], bytes], int, int]]
) -> None:
    """Wherever bytes or newlines come or go, the file is as good as its single rows."""
    for edit, i, j in edits:
        data = edit(data, i % (len(data) + 1), j % (len(data) + 1))
    prefix = _read(data)
    assert (None if prefix is None else list(prefix.events)) == _each_row_by_itself(data)


@given(legal_rows())
@PROPERTY
def test_planning_changes_no_byte(rows: list[Row]) -> None:
    """Reading, planning, judging and replaying leave the ledger's bytes as they were."""
    with TemporaryDirectory() as place:
        path = Path(place, "sessions", "ses-1", "runs", "run-1", "runtime-events.jsonl")
        path.parent.mkdir(parents=True)
        path.write_bytes(file_bytes(rows))
        store = RuntimeEventStore(place)
        plans = {judge(_RUN, lambda: store.read(_RUN)).model_dump_json() for _ in range(2)}
        list(replay_events(store.read(_RUN).events))
        assert len(plans) == 1
        assert path.read_bytes() == file_bytes(rows)
