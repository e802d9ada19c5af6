"""What is no decision is refused in words, and holds nothing up."""

from typing import Any

import pytest
from temporalio.client import WorkflowUpdateFailedError

from resume_gate.contract import DECIDE, DECISION, RELEASE
from tests.temporal import ledgers
from tests.temporal.support import Handle, Site, decide, decision, gate_shows, new_run, parked, start_gate

_DIGEST = "sha256:" + "0" * 64
_GOOD = {"operator": "al", "reason": "r", "decisionId": "d", "planDigest": _DIGEST}
_MALFORMED: list[tuple[list[Any], str]] = [
    ([], "got nothing"),
    ([None], "got binary/null"),
    (["release"], "not a Decision: payload"),
    ([{"kind": "approve", **_GOOD}], "kind: "),
    ([{"kind": "release", **_GOOD, "force": True}], "force: Extra inputs"),
    ([{"kind": "release", **_GOOD, "operator": ""}], "operator: "),
    ([{"kind": "release", **_GOOD, "reason": " \t"}], "reason: Value error, blank"),
    ([{"kind": "release", **_GOOD, "decisionId": "a b"}], "decisionId: "),
    ([{"kind": "release", **_GOOD, "planDigest": "latest"}], "planDigest: "),
    ([{"kind": "settle", **_GOOD}], "calls goes with settle"),
    ([{"kind": "answer", **_GOOD}], "payload goes with answer"),
    ([{"kind": "answer", **_GOOD, "payload": "x" * 70_000}], "65536 are allowed"),
    ([{"kind": "release", **_GOOD}, 2, 3], "got 3 arguments"),
]


async def _parked_gate(site: Site) -> Handle:
    run = new_run()
    ledgers.dangling(site.store, run)
    gate = await start_gate(site, run)
    await parked(gate)
    return gate


async def test_malformed_signals_are_shown_and_nothing_is_stuck(site: Site) -> None:
    """Each bad signal shows in ``status.refused`` with its reason, and a good decision is still taken."""
    gate = await _parked_gate(site)
    for arguments, _ in _MALFORMED:
        await gate.signal(DECISION, args=arguments)
    status = await gate_shows(gate, lambda seen: len(seen.refused) >= len(_MALFORMED))
    assert [why for _, why in _MALFORMED if not any(why in item.why for item in status.refused)] == []
    await decide(gate, decision("release", await parked(gate)))
    assert (await gate.result()).kind == "cleared"


async def test_a_signal_that_does_not_exist_is_shown(site: Site) -> None:
    """Its sender was told that it succeeded: the gate says which signals there are, however many arguments it had."""
    gate = await _parked_gate(site)
    await gate.signal("abandon", {"operator": "al", "reason": "r", "planDigest": _DIGEST})
    await gate.signal("settle", args=[1, 2])
    await gate.signal("recheck")
    status = await gate_shows(gate, lambda seen: len(seen.refused) == 3)
    told = [item.why.partition(":")[0] for item in status.refused]
    assert told == ["there is no signal 'abandon'", "there is no signal 'settle'", "there is no signal 'recheck'"]
    await gate.terminate()


async def test_a_malformed_short_form_is_shown(site: Site) -> None:
    """The signal ``release`` is as strict as ``decision``."""
    gate = await _parked_gate(site)
    await gate.signal(RELEASE, {"operator": "al"})
    await gate.signal(RELEASE, args=[1, 2])
    status = await gate_shows(gate, lambda seen: len(seen.refused) == 2)
    assert ["not a ReleaseSignal" in status.refused[0].why, "2 arguments" in status.refused[1].why] == [True, True]
    await gate.terminate()


async def test_malformed_updates_are_refused_to_their_sender(site: Site) -> None:
    """Each bad update is answered with its reason and leaves no trace in the gate."""
    gate = await _parked_gate(site)
    for arguments, why in _MALFORMED:
        with pytest.raises(WorkflowUpdateFailedError) as caught:
            await gate.execute_update(DECIDE, args=arguments)
        assert getattr(caught.value.cause, "type", None) == "ContractMisuse"
        assert why in str(caught.value.cause)
    status = await gate_shows(gate, lambda seen: seen.phase == "parked")
    assert status.refused == ()
    await gate.terminate()


async def test_a_very_long_reason_is_cut(site: Site) -> None:
    """What is shown of a bad signal stays short, however long its keys are."""
    gate = await _parked_gate(site)
    await gate.signal(DECISION, {"x" * 60_000: 1})
    status = await gate_shows(gate, lambda seen: bool(seen.refused))
    assert len(status.refused[0].why) < 3000
    await gate.terminate()
