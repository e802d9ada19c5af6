"""Design, Core: the plan on the wire."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from resume_gate.verdict.plan import ResumePlan, blocked_plan, build_resume_plan
from resume_gate.wire import RunRef
from tests.kit.builders import HIDDEN, Row, call, end, ledger, opened, plan, response, t1, user

_ROWS: list[Row] = [
    opened(),
    call("a"),
    t1("a"),
    call("b"),
    call("c", **HIDDEN),
    t1("c"),
    call("d"),
    response("d"),
    end(),
]
_PLAN = build_resume_plan(ledger(*_ROWS), expected_high_water=1, prefix_digest="sha256:" + "0" * 64)
_OPERATION = {"toolCallId", "toolName", "args", "argsPreview", "status", "callEventId", "responseEventId", "isError"}
_KEYS = {
    "run": {"sessionId", "runId"},
    "operations": _OPERATION,
    "openOperations": _OPERATION | {"invocationId", "operationId", "reason", "hidden", "since"},
    "diagnostics": {"code", "message", "eventId", "toolCallId"},
    "omitted": {"operations", "openOperations", "diagnostics"},
}


def _wire() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_PLAN.model_dump_json())
    return found


def test_a_plan_survives_the_wire() -> None:
    """A plan that is written and read again is the same plan."""
    assert ResumePlan.model_validate_json(_PLAN.model_dump_json()) == _PLAN


@pytest.mark.parametrize("rows", [[], [user()], [user(), call(), response(is_error=True)], [user(), response()]])
def test_every_kind_of_plan_survives_the_wire(rows: list[Row]) -> None:
    """Empty, safe and corrupt plans too."""
    found = plan(*rows)
    assert ResumePlan.model_validate_json(found.model_dump_json()) == found


@pytest.mark.parametrize("ts", [1, 2**63 - 1])
def test_the_time_of_an_open_call_survives_the_wire(ts: int) -> None:
    """Whole milliseconds are written the same by whoever made the plan and by whoever read it."""
    text = plan(call(ts=ts)).model_dump_json()
    assert ResumePlan.model_validate_json(text).model_dump_json() == text


def test_a_plan_without_evidence_survives_the_wire() -> None:
    """The plan for a ledger that could not be planned too."""
    found = blocked_plan(RunRef("s", "r"), "runtime_ledger_unreadable", "row 1, byte 0: \ud83d")
    assert ResumePlan.model_validate_json(found.model_dump_json()) == found


def test_a_plan_is_read_in_either_form() -> None:
    """An operation's keys may be in snake_case too, as every key of a plan."""
    (wire, *_), (held, *_) = _wire()["openOperations"], _PLAN.open_operations
    snake = {name: wire[key] for name, key in zip(held.__struct_fields__, held.__struct_encode_fields__, strict=True)}
    given = ResumePlan.model_validate({"disposition": "blocked", "open_operations": [snake]})
    assert given.open_operations == (held,)


@pytest.mark.parametrize("bad", [{}, 5, {"toolCallId": 5}, None])
def test_an_operation_that_is_none_is_refused(bad: object) -> None:
    """What lacks an operation's keys is the plan's validation error."""
    with pytest.raises(ValidationError, match="operations"):
        ResumePlan.model_validate({"disposition": "blocked", "operations": [bad]})


def test_the_plans_json_schema_tells_its_operations_keys() -> None:
    """Callers in other languages can generate their types from it."""
    operation = ResumePlan.model_json_schema()["properties"]["operations"]["items"]
    assert operation["properties"].keys() == _OPERATION
    assert set(operation["required"]) == {"toolCallId", "toolName", "status", "callEventId"}


def test_the_plan_has_the_designs_keys_in_camel_case() -> None:
    """A plan's keys on the wire are the design's, and no event is among them."""
    assert _wire().keys() == {
        *("run", "disposition", "operations", "openOperations", "diagnostics", "rejectionReasons"),
        *("requiresVerification", "directive", "sourceHighWater", "prefixDigest", "terminalStatus", "omitted"),
        *("planDigest", "evidence"),
    }


@pytest.mark.parametrize("part", _KEYS)
def test_the_parts_have_the_designs_keys_in_camel_case(part: str) -> None:
    """So are the keys of its parts."""
    value = _wire()[part]
    for entry in value if isinstance(value, list) else [value]:
        assert entry.keys() == _KEYS[part]


def test_a_plan_is_read_with_snake_case_keys_too() -> None:
    """Python's names are understood as well."""
    found = ResumePlan.model_validate({"disposition": "safe_replay", "source_high_water": 3})
    assert found.source_high_water == 3


def test_all_but_the_disposition_has_a_default() -> None:
    """A worker that leaves keys out that it does not know can still be read."""
    found = ResumePlan.model_validate_json('{"disposition":"blocked"}')
    assert (found.operations, found.rejection_reasons, found.omitted.operations) == ((), (), 0)


def test_an_unknown_key_of_a_plan_is_ignored() -> None:
    """A worker of a later version may say more."""
    assert ResumePlan.model_validate({**_wire(), "later": {"a": 1}}) == _PLAN


@pytest.mark.parametrize("part", _KEYS)
def test_an_unknown_key_of_a_part_is_ignored(part: str) -> None:
    """So may it in any part of a plan."""
    wire = _wire()
    value = wire[part]
    (value[0] if isinstance(value, list) else value)["later"] = 1
    assert ResumePlan.model_validate_json(json.dumps(wire)) == _PLAN


@pytest.mark.parametrize("key", ["rejectionReasons", "diagnostics"])
def test_a_code_of_a_later_version_is_read(key: str) -> None:
    """A reader meets codes that it does not know unharmed: the disposition decides."""
    wire = _wire()
    wire[key] = ["later"] if key == "rejectionReasons" else [{"code": "later"}]
    found = ResumePlan.model_validate_json(json.dumps(wire))
    assert not found.safe


def test_a_plan_is_frozen() -> None:
    """A plan is not changed after it was made."""
    with pytest.raises(ValueError, match="frozen"):
        _PLAN.disposition = "safe_replay"  # type: ignore[misc]
