"""A release accepts the outcome of every open call as unknown, in each form it can be sent in."""

from resume_gate.contract import RELEASE
from resume_gate.events.event import FunctionResponse
from tests.temporal import ledgers
from tests.temporal.support import Handle, Site, decide, decision, new_run, parked, signal, start_gate


async def _blocked(site: Site, *, calls: int = 1) -> tuple[Handle, str]:
    run = new_run()
    ledgers.dangling(site.store, run, calls=calls)
    gate = await start_gate(site, run)
    return gate, (await parked(gate)).plan_digest


async def test_a_release_as_an_update_answers_what_it_did(site: Site) -> None:
    """The update is answered with what was added to the ledger, and the gate clears the run by reading it again."""
    gate, digest = await _blocked(site)
    answer = await decide(gate, decision("release", digest))
    assert (answer.kind, answer.events_added) == ("release", 2)
    result = await gate.result()
    assert (result.kind, result.plan.safe) == ("cleared", True)


async def test_a_release_as_a_signal_clears(site: Site) -> None:
    """The signal ``decision`` does the same without an answer."""
    gate, digest = await _blocked(site)
    await signal(gate, decision("release", digest))
    assert (await gate.result()).kind == "cleared"


async def test_the_short_form_clears(site: Site) -> None:
    """The signal ``release`` needs only operator, reason and plan digest; its decision id is made of the digest."""
    gate, digest = await _blocked(site)
    await gate.signal(RELEASE, {"operator": "bob", "reason": "looked", "planDigest": digest})
    result = await gate.result()
    assert [(taken.decision_id, taken.operator) for taken in result.decisions] == [(f"release:{digest}", "bob")]


async def test_every_open_call_gets_an_unknown_outcome(site: Site) -> None:
    """Each open call gets an error response that says its outcome is unknown and must not be repeated."""
    run = new_run()
    ledgers.dangling(site.store, run, calls=3)
    gate = await start_gate(site, run)
    await decide(gate, decision("release", await parked(gate)))
    result = await gate.result()
    assert [operation.status for operation in result.plan.operations] == ["failed"] * 3
    contents = [event.content for event in site.store.read(run).events]
    told = [bytes(content.result) for content in contents if isinstance(content, FunctionResponse)]
    assert all(b'"outcome": "unknown"' in text and b"Do not repeat it" in text for text in told)
    assert len(told) == 3


async def test_a_release_leaves_an_audit_event(site: Site) -> None:
    """The last event of a decision is hidden from the model and says who decided what, why, and on which plan."""
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    plan = await parked(gate)
    await decide(gate, decision("release", plan, decision_id="d-1"))
    await gate.result()
    audit = site.store.read(run).events[-1]
    assert (audit.id, audit.hidden, audit.author) == ("decision:d-1:2", True, "host")
    noted = bytes(audit.actions.state_delta["resumeGate"]).decode()  # type: ignore[union-attr, index]
    assert all(word in noted for word in ("d-1", "release", "alice", "looked", plan.plan_digest))
