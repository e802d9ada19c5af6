"""Contract section 6: what is always true of a plan."""

from collections import Counter

from hypothesis import given

from resume_gate.events.event import FunctionCall, FunctionResponse, RuntimeEvent
from resume_gate.verdict.plan import build_resume_plan
from resume_gate.verdict.recovery import recover
from resume_gate.verdict.replay import replay_events
from tests.kit.ledgers import ANY, LEGAL
from tests.kit.strategies import PROPERTY

Events = list[RuntimeEvent]


@given(ANY)
@PROPERTY
def test_the_same_prefix_gives_the_same_plan(events: Events) -> None:
    """Planning again, from a list or one by one, gives an equal plan and the same bytes."""
    one, other = build_resume_plan(events), build_resume_plan(iter(events))
    assert one == other
    assert one.model_dump_json() == other.model_dump_json()


@given(LEGAL)
@PROPERTY
def test_what_correct_writers_leave_has_no_issue(events: Events) -> None:
    """Whatever way its calls went, and in whatever order, a correct ledger is not corrupt."""
    recovery = recover(events)
    assert recovery.issues == []
    assert not recovery.has_corruption


@given(ANY)
@PROPERTY
def test_a_plan_says_safe_or_why_not(events: Events) -> None:
    """A plan is safe, or blocked with at least one reason; never both, never neither."""
    found = build_resume_plan(events)
    assert found.safe is (found.rejection_reasons == ())
    assert (found.rejection_reasons == ()) is (found.diagnostics == ())


@given(ANY)
@PROPERTY
def test_an_unknown_outcome_requires_verification(events: Events) -> None:
    """Verification is required, with the directive, exactly where an operation is indeterminate."""
    found = build_resume_plan(events)
    unknown = any(decision.status == "indeterminate" for decision in recover(events).decisions)
    assert found.requires_verification is unknown
    assert (found.directive is not None) is unknown


@given(ANY)
@PROPERTY
def test_no_operation_of_a_safe_plan_is_in_doubt(events: Events) -> None:
    """A safe plan has nothing indeterminate, parked, corrupt or waiting, and nothing open."""
    found = build_resume_plan(events)
    if found.safe:
        assert {operation.status for operation in found.operations} <= {"succeeded", "failed"}
        assert found.open_operations == ()
        assert not recover(events).has_corruption


@given(ANY)
@PROPERTY
def test_a_safe_plan_replays_every_visible_call_once_before_its_one_response(events: Events) -> None:
    """safe_replay means that the next model sees each visible call once, and then its one response."""
    if not build_resume_plan(events).safe:
        return
    seen = list(replay_events(events))
    calls = [event for event in events if isinstance(event.content, FunctionCall) and event.visible]
    halves = Counter(_half(event) for event in seen)
    for call in calls:
        response = ("response", *_half(call)[1:])
        assert halves[_half(call)] == halves[response] == 1
        assert [_half(event) for event in seen].index(_half(call)) < [_half(event) for event in seen].index(response)


def _half(event: RuntimeEvent) -> tuple[str, ...]:
    match event.content:
        case FunctionCall(id=call_id, name=name):
            return ("call", event.invocation_id, call_id, name)
        case FunctionResponse(id=call_id, name=name):
            return ("response", event.invocation_id, call_id, name)
        case _:
            return ("other",)


@given(ANY)
@PROPERTY
def test_diagnostics_are_sorted(events: Events) -> None:
    """Findings are sorted by code, event id, call id."""
    keys = [
        (found.code, found.event_id or "", found.tool_call_id or "") for found in build_resume_plan(events).diagnostics
    ]
    assert keys == sorted(keys)


@given(ANY)
@PROPERTY
def test_an_issue_once_found_stays(events: Events) -> None:
    """The issues of every shorter prefix are issues of the whole, in the same order."""
    whole = recover(events)
    half = recover(events[: len(events) // 2])
    markers = "protocol_marker_invalid"
    for kept in (True, False):
        earlier, later = (
            [issue for issue in found.issues if (issue.code == markers) is kept] for found in (half, whole)
        )
        assert later[: len(earlier)] == earlier
