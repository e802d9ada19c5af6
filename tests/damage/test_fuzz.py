"""Random bytes, and random mixtures of ledger rows, never crash a reader or make it hoard memory."""

from __future__ import annotations

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from resume_gate import CorruptLedger, InvalidEvent, decode_event
from resume_gate.ledger.prefix import read_prefix
from tests.damage.kit import RUN, open_ledger

_PIECES = st.sampled_from(
    [b"{", b"}", b"[", b"]", b'"', b"\\", b"\\ud83d", b":", b",", b"1e999", b"null", b"\n", b"\0"]
)
_CHUNKS = st.one_of(st.binary(max_size=40), _PIECES, st.sampled_from(open_ledger().splitlines(keepends=True)))
_DATA = st.lists(_CHUNKS, max_size=30).map(b"".join)
_MULTIPLE, _FLOOR = 40, 2_000_000


@given(_DATA)
@settings(deadline=None, max_examples=150)
def test_a_row_is_an_event_or_refused(data: bytes) -> None:
    """``decode_event`` has no third way to end."""
    try:
        decode_event(data)
    except InvalidEvent:
        return


@given(_DATA)
@settings(deadline=None, max_examples=150)
def test_a_file_is_a_prefix_or_damaged(data: bytes) -> None:
    """``read_prefix`` has no third way to end."""
    try:
        read_prefix(RUN, data)
    except CorruptLedger:
        return


@given(st.sampled_from([b"[" * 9, b'{"a":', b'"\\ud83d",', b"9" * 50, b"\n", b"\xff"]), st.integers(1000, 20_000))
@settings(deadline=None, max_examples=20)
def test_memory_is_a_small_multiple_of_the_input(piece: bytes, times: int) -> None:
    """However a row repeats itself, reading it costs a bounded multiple of its size."""
    data = piece * times
    tracemalloc.start()
    try:
        test_a_row_is_an_event_or_refused.hypothesis.inner_test(data)  # type: ignore[attr-defined]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < _FLOOR + _MULTIPLE * len(data)
