"""Design, Core: what is always true of a bounded plan."""

from hypothesis import given, settings
from hypothesis import strategies as st

from resume_gate.events.event import RuntimeEvent
from resume_gate.verdict.bounds import MAX_PLAN_BYTES, bounded
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from tests.kit.builders import Row, call, numbered
from tests.kit.ledgers import ANY, events_of
from tests.kit.strategies import PROPERTY

_SIZES = st.sampled_from([0, 1, 299, 301, 1000, 20_000])
_CHARS = st.sampled_from(["x", "\x01", '"', "\u00e9", "\U0001f600"])


@st.composite
def _heavy(draw: st.DrawFn) -> list[Row]:
    """Draw open calls with names and arguments of any weight."""
    texts = [draw(_CHARS) * draw(_SIZES) for _ in range(3)]
    text = st.sampled_from(texts)
    return [call(f"{n}{draw(text)}", draw(text), {"a": draw(text)}) for n in range(draw(st.integers(0, 40)))]


def _check(found: ResumePlan) -> None:
    sent = bounded(found)
    assert len(sent.model_dump_json().encode()) < MAX_PLAN_BYTES
    assert ResumePlan.model_validate_json(sent.model_dump_json()) == sent
    for name in ("operations", "open_operations", "diagnostics"):
        assert len(getattr(sent, name)) + getattr(sent.omitted, name) == len(getattr(found, name))
    lists = {"operations", "open_operations", "diagnostics", "omitted"}
    assert sent.model_dump(exclude=lists) == found.model_dump(exclude=lists)


@given(ANY)
@PROPERTY
def test_any_plan_fits_and_survives_the_wire(events: list[RuntimeEvent]) -> None:
    """The plan of any ledger is sent in 64 KiB and read again alike; what decides is unchanged and all is counted."""
    _check(build_resume_plan(events))


@given(_heavy())
@settings(PROPERTY, max_examples=25)
def test_heavy_plans_fit_too(rows: list[Row]) -> None:
    """So is the plan of calls with names and arguments of any weight."""
    _check(build_resume_plan(events_of(numbered(rows))))
