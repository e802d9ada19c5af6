"""Rows of a small ledger are glued, repeated, dropped and put in every order."""

from __future__ import annotations

from itertools import permutations

from tests.damage.kit import is_honest, open_ledger, plan_of


def _rows() -> list[bytes]:
    return open_ledger().splitlines(keepends=True)


def test_glued_rows_are_damage() -> None:
    """Two rows on one line are no row."""
    rows = _rows()
    for index in range(len(rows) - 1):
        glued = b"".join(rows[:index]) + rows[index].rstrip(b"\n") + b"".join(rows[index + 1 :])
        assert plan_of(glued) is None


def test_repeated_rows_block() -> None:
    """A row that stands twice, wherever, is no second fact."""
    rows = _rows()
    for row in rows:
        for place in range(len(rows) + 1):
            plan = plan_of(b"".join([*rows[:place], row, *rows[place:]]))
            assert plan is None or not plan.safe


def test_dropped_rows_are_honest() -> None:
    """Without any one of its rows a ledger is blocked, or a legal shorter prefix."""
    rows = _rows()
    for index in range(len(rows)):
        assert is_honest(b"".join(rows[:index] + rows[index + 1 :]))


def test_every_other_order_blocks() -> None:
    """No order of the same rows settles the open call."""
    for order in permutations(_rows()):
        plan = plan_of(b"".join(order))
        assert plan is None or not plan.safe
