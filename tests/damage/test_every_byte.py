"""Every byte of a small ledger is cut, flipped, deleted, and inserted before."""

from __future__ import annotations

import pytest

from tests.damage.kit import is_honest, open_ledger


def test_cut_anywhere() -> None:
    """A ledger cut at any byte is a legal shorter prefix or damaged."""
    data = open_ledger()
    assert [place for place in range(len(data)) if not is_honest(data[:place])] == []


@pytest.mark.parametrize("bit", [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80])
def test_flip_anywhere(bit: int) -> None:
    """No flipped bit makes the open call a settled one, or makes it vanish."""
    data = open_ledger()
    flipped = (data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :] for place in range(len(data)))
    assert [place for place, one in enumerate(flipped) if not is_honest(one)] == []


def test_delete_anywhere() -> None:
    """No deleted byte does."""
    data = open_ledger()
    assert [place for place in range(len(data)) if not is_honest(data[:place] + data[place + 1 :])] == []


@pytest.mark.parametrize("extra", [b"\n", b"\0", b" ", b'"', b"}", b"{}", b"\\", b"1", b"\xff", b"null\n"])
def test_insert_anywhere(extra: bytes) -> None:
    """No inserted byte does."""
    data = open_ledger()
    assert [place for place in range(len(data) + 1) if not is_honest(data[:place] + extra + data[place:])] == []
