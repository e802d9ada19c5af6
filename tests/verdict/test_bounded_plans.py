"""Design, Core: the plan as the gate sends it weighs under 64 KiB, whatever the ledger."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from resume_gate.events.codec import decode_event
from resume_gate.verdict.bounds import MAX_PLAN_BYTES, bounded
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from tests.kit.builders import HIDDEN, Row, call, plan, response, text_of, user

_LONG = "x" * 100_000


def _planned(rows: Iterable[Row]) -> ResumePlan:
    return build_resume_plan([decode_event(text_of({"id": f"e{n:05}", **row})) for n, row in enumerate(rows)])


def _size(found: ResumePlan) -> int:
    return len(found.model_dump_json().encode())


@pytest.fixture(scope="module")
def many() -> ResumePlan:
    """Plan 20,000 open calls, one of them with 1 MB of arguments."""
    return _planned([call("big", args="x" * 1_000_000), *(call(f"c{n}", args={"n": n}) for n in range(20_000))])


def test_a_huge_ledger_is_sent_in_64_kib(many: ResumePlan) -> None:
    """20,000 open calls, one with 1 MB of arguments, fit."""
    assert MAX_PLAN_BYTES == 64 * 1024
    assert _size(bounded(many)) < MAX_PLAN_BYTES


def test_what_decides_stays(many: ResumePlan) -> None:
    """Everything but the three lists and their counts is the plan's own."""
    lists = {"operations", "open_operations", "diagnostics", "omitted"}
    assert bounded(many).model_dump(exclude=lists) == many.model_dump(exclude=lists)


def test_omitted_counts_what_was_left_out(many: ResumePlan) -> None:
    """What is there and what was left out is together all that was there."""
    found = bounded(many)
    assert len(found.operations) + found.omitted.operations == len(many.operations)
    assert len(found.open_operations) + found.omitted.open_operations == len(many.open_operations)
    assert len(found.diagnostics) + found.omitted.diagnostics == len(many.diagnostics)
    assert min(found.omitted.operations, found.omitted.open_operations, found.omitted.diagnostics) > 0


def test_what_is_kept_is_the_beginning(many: ResumePlan) -> None:
    """The lists are cut at their end, so their order and their first entries stay."""
    kept = [operation.tool_call_id for operation in bounded(many).open_operations]
    assert kept == [operation.tool_call_id for operation in many.open_operations[: len(kept)]]
    assert kept[0] == "big"


def test_open_operations_are_kept_first() -> None:
    """Settled calls do not crowd out what a person has to settle."""
    rows = [row for n in range(2000) for row in (call(f"s{n}"), response(f"s{n}"))]
    found = bounded(_planned([*rows, *(call(f"o{n}", args={"n": n}) for n in range(50))]))
    assert found.omitted.open_operations == 0
    assert found.omitted.operations > 0
    assert [operation.args for operation in found.open_operations] == [{"n": n} for n in range(50)]


def test_a_small_plan_is_sent_as_it_is() -> None:
    """What fits is left alone, and nothing is counted as left out."""
    found = plan(user(), call("a"), response("a"), call("b"), call("c", **HIDDEN))
    assert bounded(found) == found


def test_an_empty_plan_is_sent_as_it_is() -> None:
    """A plan without any entry fits."""
    assert bounded(plan()) == plan()


def test_bounding_is_repeatable(many: ResumePlan) -> None:
    """The same plan is cut alike every time."""
    assert bounded(many) == bounded(many)


@pytest.mark.parametrize("args", [_LONG, [1] * 50_000, {"a": {"b": _LONG}}, "\u00e9" * 50_000, "\x01" * 20_000])
def test_arguments_that_do_not_fit_become_a_preview(args: Any) -> None:
    """Arguments that are too large are null, beside the beginning of their text."""
    (operation,) = bounded(plan(user(), call(args=args))).open_operations
    assert operation.args is None
    assert operation.args_preview is not None
    text = json.dumps(args, ensure_ascii=False, separators=(",", ":"))
    assert text.startswith(operation.args_preview.removesuffix("…"))
    assert 100 < len(operation.args_preview) < 1000


def test_arguments_that_fit_have_no_preview() -> None:
    """A preview is there only where the arguments are not."""
    (operation,) = bounded(plan(user(), call(args={"a": [1, None]}))).open_operations
    assert (operation.args, operation.args_preview) == ({"a": [1, None]}, None)


@pytest.mark.parametrize("args", [None, False, 0, "", [], {}])
def test_empty_arguments_are_arguments(args: Any) -> None:
    """Arguments that are null, false or empty are neither cut nor previewed."""
    (operation,) = bounded(plan(user(), call(args=args))).open_operations
    assert (operation.args, operation.args_preview) == (args, None)


@pytest.mark.parametrize("depth", [50, 150, 300, 490])
def test_deeply_nested_arguments_are_sent(depth: int) -> None:
    """Arguments nested too deep for the encoder are previewed; the plan is sent all the same."""
    row = text_of({"id": "e1", **call(args="@")}).replace(
        b'"@"', b'[{"a":' * (depth // 2) + b"1" + b"}]" * (depth // 2)
    )
    found = bounded(build_resume_plan([decode_event(row)]))
    assert _size(found) < MAX_PLAN_BYTES
    (operation,) = found.open_operations
    assert operation.args_preview is None or operation.args_preview.startswith('[{"a":[{"a":')
    assert ResumePlan.model_validate_json(found.model_dump_json()) == found


@pytest.mark.parametrize("char", ["x", "\x01", '"', "\u00e9", "\u2028", "\U0001f600", "\ud83d"])
def test_very_long_names_are_cut(char: str) -> None:
    """Ids and names of any length and any characters still leave every open call in the plan."""
    long = char * 30_000
    found = bounded(plan(user(), call(long, long, id=long, invocationId=long), call("b", id=long + "b")))
    assert _size(found) < MAX_PLAN_BYTES
    assert [operation.status for operation in found.open_operations] == ["indeterminate"] * 2
    assert found.omitted.open_operations == 0


def test_very_long_names_of_many_calls_fit() -> None:
    """Many calls with very long names are cut and counted."""
    found = bounded(_planned([call(f"{n}" + "\U0001f600" * 1000, "\x01" * 1000) for n in range(300)]))
    assert _size(found) < MAX_PLAN_BYTES
    assert len(found.open_operations) + found.omitted.open_operations == 300
    assert found.open_operations


def test_many_findings_fit() -> None:
    """A ledger with thousands of findings and no open call is cut and counted."""
    found = bounded(_planned([response(f"c{n}", "n" * 500) for n in range(5000)]))
    assert _size(found) < MAX_PLAN_BYTES
    assert len(found.diagnostics) + found.omitted.diagnostics == 10_000
    assert len(found.diagnostics) > 50


def test_a_very_long_run_name_fits() -> None:
    """Bare events may name a run of any length."""
    assert _size(bounded(plan(user(sessionId=_LONG)))) < MAX_PLAN_BYTES
