"""Contract section 9: what one drive pass is asked."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from resume_gate.contract import AgentRunRequest, HostPolicy
from resume_gate.drive import DriveOptions
from resume_gate.wire import RunRef

_FULL = {"operationId": "agent-run/s/r", "waitForRetry": True, "pollDeferred": True}


def _accepts(options: Any) -> bool:
    try:
        DriveOptions.model_validate_json(json.dumps(options))
    except ValidationError:
        return False
    return True


def test_the_options_are_these_three() -> None:
    """Nothing else is asked of a drive: no deadline, no pause flag, no time."""
    assert list(DriveOptions.model_fields) == ["operation_id", "wait_for_retry", "poll_deferred"]


def test_the_wire_has_camel_case_keys() -> None:
    """On the wire the three keys are the contract's."""
    assert json.loads(DriveOptions.model_validate(_FULL).model_dump_json()) == _FULL


def test_both_flags_are_false_by_default() -> None:
    """Only the operation id has to be given."""
    options = DriveOptions(operation_id="o")
    assert (options.wait_for_retry, options.poll_deferred) == (False, False)
    assert DriveOptions.model_validate_json('{"operationId":"o"}') == options


@pytest.mark.parametrize("key", ["deadline", "deadlineMs", "pause", "notBefore", "budget", "heartbeatTimeout", ""])
def test_an_extra_key_is_an_error(key: str) -> None:
    """An extra key is refused at run time, not ignored."""
    assert not _accepts({**_FULL, key: 1})


def test_a_deadline_is_refused_in_the_constructor_too() -> None:
    """Code that passes a deadline past the type checker fails as well."""
    with pytest.raises(ValidationError, match="deadline"):
        DriveOptions(operation_id="o", deadline=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("value", ["", None, 1, True, "x" * 513])
def test_the_operation_id_is_a_bounded_string(value: Any) -> None:
    """An operation id that is empty, too long or no string is refused."""
    assert not _accepts({"operationId": value})
    assert not _accepts({})


@pytest.mark.parametrize("key", ["waitForRetry", "pollDeferred"])
@pytest.mark.parametrize("value", [None, 0, 1, "true", []])
def test_a_flag_is_a_bool(key: str, value: Any) -> None:
    """What is only like a bool is refused."""
    assert not _accepts({"operationId": "o", key: value})


def test_the_operation_is_the_runs_own_by_default() -> None:
    """Where nobody names an operation it is the run's, the same for each of its attempts."""
    request = AgentRunRequest(run=RunRef("s", "r"), text="go", drive_activity="drive", drive_task_queue="q")
    assert request.drive_options == DriveOptions(operation_id="agent-run/s/r")
    given = DriveOptions(operation_id="mine", wait_for_retry=True)
    assert request.model_copy(update={"options": given}).drive_options == given


def test_the_hosts_settings_live_apart() -> None:
    """Heartbeats, time-outs and polling are host policy, and no option of a drive."""
    assert not HostPolicy.model_fields.keys() & DriveOptions.model_fields.keys()
    assert not _accepts({**_FULL, **json.loads(HostPolicy().model_dump_json())})


def test_options_are_frozen() -> None:
    """The same options hold over the whole drive."""
    options = DriveOptions(operation_id="o")
    with pytest.raises(ValidationError):
        options.operation_id = "p"  # type: ignore[misc]
