"""An answer is for a drive that asked: it reaches the ledger as words of a user."""

from resume_gate.contract import Hold
from resume_gate.events.event import Text
from tests.temporal import ledgers
from tests.temporal.support import Site, decide, decision, gate_shows, new_run, parked, refused, signal, start_gate

_ASKED = Hold(reason="action_required", detail={"question": "which order?"})


async def test_a_safe_run_is_held_until_it_is_answered(site: Site) -> None:
    """A hold parks even a safe plan; the answer ends it, and stands in the ledger as the user's text."""
    run = new_run()
    ledgers.safe(site.store, run)
    gate = await start_gate(site, run, hold=_ASKED)
    plan = await parked(gate)
    assert plan.safe
    await decide(gate, decision("answer", plan, payload="order 8"))
    assert (await gate.result()).kind == "cleared"
    answer, audit = site.store.read(run).events[-2:]
    assert isinstance(answer.content, Text)
    assert (answer.role, answer.content.text, audit.hidden) == ("user", "order 8", True)


async def test_an_answer_that_is_not_words_is_written_as_json(site: Site) -> None:
    """Any JSON may be the answer; the model reads it as JSON text."""
    run = new_run()
    ledgers.safe(site.store, run)
    gate = await start_gate(site, run, hold=_ASKED)
    await signal(gate, decision("answer", await parked(gate), payload={"order": [8, "\u00e9"]}))
    await gate.result()
    answer = site.store.read(run).events[-2]
    assert isinstance(answer.content, Text)
    assert answer.content.text == '{"order": [8, "\u00e9"]}'


async def test_a_release_does_not_answer(site: Site) -> None:
    """A run that is both dangling and asked for stays parked after its release, until it is answered."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run, hold=_ASKED)
    first = await parked(gate)
    await decide(gate, decision("release", first))
    status = await gate_shows(gate, lambda seen: seen.phase == "parked" and seen.plan != first)
    assert status.hold == _ASKED
    assert status.plan is not None
    await decide(gate, decision("answer", status.plan, payload=1))
    result = await gate.result()
    assert [taken.kind for taken in result.decisions] == ["release", "answer"]


async def test_nobody_answers_a_run_that_did_not_ask(site: Site) -> None:
    """Without a question there is nothing to answer, and the refusal says so."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    kind, why = await refused(gate, decision("answer", await parked(gate), payload="yes"))
    assert kind == "Refused"
    assert "no drive asked" in why
    await gate.terminate()
