"""A drive that needs a person: the run parks until it is answered."""

from resume_gate.agent.driving import driving
from resume_gate.contract import DriveRequest
from resume_gate.events.event import Text
from tests.temporal.agents import agent_parked, start_agent
from tests.temporal.support import Site, decide, decision, gate_of, gate_shows, new_run

_ASKS = {"kind": "action_required", "action": {"question": "which order?"}}


async def test_an_answer_reaches_the_next_drives_ledger(site: Site) -> None:
    """The question is shown as the gate's hold, and the answer is in the ledger that the next drive opens."""
    run = new_run()
    heard: list[str] = []

    async def listens(request: DriveRequest) -> object:
        with driving(site.store, request) as turn:
            heard.extend(event.content.text for event in turn.ledger.events if isinstance(event.content, Text))
        return {"kind": "settled", "operationId": request.options.operation_id, "outcome": None}

    site.drives.script(run, site.drives.answers(_ASKS), listens)
    agent = await start_agent(site, run)
    status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "parked")
    assert status.hold is not None
    assert (status.hold.reason, status.hold.detail) == ("action_required", {"question": "which order?"})
    assert "which order?" in status.text
    await decide(gate_of(site, run), decision("answer", await agent_parked(site, run), payload="order 8"))
    assert (await agent.result()).kind == "settled"
    assert heard == ["charge order 7", "order 8"]


async def test_a_question_is_asked_once(site: Site) -> None:
    """After the answer the next drive is given out; only a drive that asks again parks again."""
    run = new_run()
    site.drives.script(run, site.drives.answers(_ASKS), site.drives.answers(_ASKS), site.drives.settles())
    agent = await start_agent(site, run)
    first = await agent_parked(site, run)
    await decide(gate_of(site, run), decision("answer", first, payload=1))
    status = await gate_shows(gate_of(site, run), lambda seen: seen.phase == "parked" and seen.plan != first)
    assert status.plan is not None
    assert len(site.drives.requests[run]) == 2
    await decide(gate_of(site, run), decision("answer", status.plan, payload=2))
    assert (await agent.result()).kind == "settled"


async def test_a_person_may_abandon_instead(site: Site) -> None:
    """Nobody has to answer: abandoning ends the run."""
    run = new_run()
    site.drives.script(run, site.drives.answers(_ASKS))
    agent = await start_agent(site, run)
    await decide(gate_of(site, run), decision("abandon", await agent_parked(site, run)))
    assert (await agent.result()).kind == "abandoned"
