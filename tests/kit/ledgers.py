"""Hypothesis strategies of ledgers, legal and not.

A legal ledger is what correct writers leave: any number of invocations, which may use the same call ids, with calls
that went any part of their way, interleaved in any order. Any ledger is one that was then shuffled, cut or changed, and
whose rows are valid all the same.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from resume_gate.events.codec import decode_event
from resume_gate.events.event import RuntimeEvent
from tests.kit.builders import (
    HIDDEN,
    MARKER,
    Row,
    call,
    end,
    numbered,
    reconciled,
    recovery_decision,
    refs,
    response,
    say,
    t1,
    t2,
    text_of,
    user,
)

_TURNS: list[Row] = [{"invocationId": f"inv-{n}", "turnId": f"turn-{n}"} for n in (1, 2, 3)]
_ARGS: list[Any] = [{}, None, {"path": "a"}, [1.5, 2**60], {"\u00e9": "\U0001f600"}, {"required": ["b", "a"]}]
_PARKED = {
    "matches_prior_state": "reconcile_matches_prior_state",
    "diverged": "reconcile_diverged",
    "unreadable": "reconcile_unreadable",
}
_WAYS = ["call", "call t1", "call answer", "call t1 t2", "call t1 look t2 completed", "call t1 look parked"]


@st.composite
def _ways(draw: st.DrawFn, key: str, call_id: str) -> list[Row]:
    """Draw the rows of one call, as far as it went."""
    name, args = draw(st.sampled_from(["Bash", "Write"])), draw(st.sampled_from(_ARGS))
    operation, is_error = f"op-{key}", draw(st.booleans())
    way = draw(st.sampled_from(_WAYS))
    found = draw(st.sampled_from(sorted(_PARKED)))
    named = refs(call_id, operation)
    evidence = [f"{key}.{part}" for part in ("call", "t1", "look")]
    rows: dict[str, Row] = {
        "call": call(call_id, name, args),
        "t1": t1(call_id, name, args, op=operation),
        "answer": response(call_id, name, is_error=is_error),
        "t2": t2(call_id, name, refs=named, is_error=is_error and "look" not in way),
        "look": _about(operation, reconciled(found if "parked" in way else "matches_expected_state", refs=named)),
        "parked": _about(operation, recovery_decision(evidence, refs=named, reason=_PARKED[found])),
        "completed": _about(operation, recovery_decision([*evidence, f"{key}.t2"], refs=named, outcome=f"{key}.t2")),
    }
    keys: Row = draw(st.sampled_from([{}, {}, HIDDEN]))
    return [{**rows[part], **keys, "id": f"{key}.{part}"} for part in way.split()]


def _about(operation_id: str, fact: Row) -> Row:
    fact["actions"]["toolRecovery"]["payload"]["operationId"] = operation_id
    return fact


@st.composite
def _turns(draw: st.DrawFn, turn: Row) -> list[list[Row]]:
    """Draw the strands of one invocation: its calls, and what else happens in it."""
    calls = draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3))
    strands = [draw(_ways(f"{turn['invocationId']}-{call_id}", call_id)) for call_id in calls]
    others = st.sampled_from(
        [user(), say(), say(partial=True), say(**HIDDEN), user(partial=True), end(), end("failed")]
    )
    strands.append([user(), *draw(st.lists(others, max_size=2))])
    return [[{**row, **turn} for row in strand] for strand in strands]


@st.composite
def legal_rows(draw: st.DrawFn) -> list[Row]:
    """Draw the rows of a ledger without an issue."""
    strands = [strand for turn in _TURNS[: draw(st.integers(1, 3))] for strand in draw(_turns(turn))]
    turns = [place for place, strand in enumerate(strands) for _ in strand]
    if draw(st.booleans()):
        turns = draw(st.permutations(turns))
    rows = [strands[place].pop(0) for place in turns]
    if draw(st.booleans()):
        rows.insert(0, {**user(actions=MARKER), **_TURNS[0]})
    return numbered(rows)


_CHANGES: list[Row] = [
    {"partial": True},
    {"status": "failed"},
    {"branch": "b"},
    {"modelVisibility": "hidden"},
    {"modelVisibility": "visible"},
    {"turnId": "turn-1"},
    {"invocationId": "inv-1"},
    {"runId": "run-2"},
    {"refs": {}},
    {"refs": refs("a", "op-inv-1-a")},
    {"role": "system", "author": "system"},
    {"actions": MARKER},
    {"content": call("a")["content"]},
    {"content": response("a")["content"]},
    {"content": response("b", "Write")["content"]},
    t1("a", op="op-inv-1-a"),
    t1("b", args_hash="sha256:" + "0" * 64),
    reconciled(),
    recovery_decision(["e1"]),
]


def _hidden_response(row: Row) -> Row:
    return {**row, **HIDDEN} if row["role"] == "tool" else row


def _wrong_hash(row: Row) -> Row:
    dispatch = row.get("actions", {}).get("toolDispatch")
    wrong = {"toolDispatch": {**(dispatch or {}), "canonicalArgsHash": "sha256:" + "0" * 64}}
    return {**row, "actions": wrong} if dispatch else row


_Mangle = Callable[[list[Row], int, int], list[Row]]
_MANGLES: list[_Mangle] = [
    lambda rows, i, _: rows[:i] + rows[i + 1 :],
    lambda rows, i, j: [*rows[:i], rows[j], *rows[i:]],
    lambda rows, i, j: [*rows[:i], {**rows[j], "id": f"copy-{i}-{j}"}, *rows[i:]],
    lambda rows, i, j: rows[min(i, j) :] + rows[: min(i, j)],
    lambda rows, i, j: [*rows[:i], {**rows[i], "id": rows[j]["id"]}, *rows[i + 1 :]],
    lambda rows, i, _: rows[:i][::-1] + rows[i:],
    lambda rows, i, _: [*rows[:i], *(_hidden_response(row) for row in rows[i:])],
    lambda rows, i, _: [*rows[:i], *(_wrong_hash(row) for row in rows[i:])],
]


@st.composite
def mangled_rows(draw: st.DrawFn) -> list[Row]:
    """Draw the rows of a ledger that somebody changed; each is a valid row all the same."""
    rows = draw(legal_rows())
    for _ in range(draw(st.integers(1, 4))):
        if not rows:
            break
        places = st.integers(0, len(rows) - 1)
        i, j = draw(places), draw(places)
        if draw(st.booleans()):
            rows[i] = {**rows[i], **draw(st.sampled_from(_CHANGES))}
        else:
            mangle = draw(st.sampled_from(_MANGLES))
            rows = mangle(rows, i, j)
    return rows


def events_of(rows: list[Row]) -> list[RuntimeEvent]:
    """Decode rows that have ids."""
    return [decode_event(text_of(row)) for row in rows]


def file_bytes(rows: list[Row]) -> bytes:
    """Write rows that have ids as a ledger file's bytes."""
    return b"".join(text_of(row) + b"\n" for row in rows)


LEGAL = legal_rows().map(events_of)
ANY = (legal_rows() | mangled_rows()).map(events_of)
