"""A script of Codex's code mode is over when every command that it can have started is seen to be."""

import pytest

from resume_gate.sessions.formats.codex import session as codex
from tests.sessions.codex_rows import SCRIPT_DONE, Rollout
from tests.sessions.verdicts import statuses

ENDED = [SCRIPT_DONE, '{"exit_code":0,"output":""}']


@pytest.mark.parametrize(
    "script",
    [
        "for (const n of [7, 8]) { r = await tools.exec_command({cmd: `./charge ${n}`}); } text(JSON.stringify(r));",
        "await Promise.all([7, 8].map(n => tools.exec_command({cmd: `./charge ${n}`})));",
        "const run = tools.exec_command; await run({cmd: 'a'}); await run({cmd: 'b'});",
        "await tools['exec_command']({cmd: './charge 7'});",
        "const name = 'exec_' + 'command'; await tools[name]({cmd: './charge 7'});",
        "async function run(c) { return await tools.exec_command({cmd: c}); } await run('a'); await run('b');",
        "tools.mcp__shop__charge({order: 7}); text('on its way');",
    ],
)
def test_a_script_whose_calls_cannot_be_counted_has_no_outcome(script: str) -> None:
    """One end proves one start, and nobody knows how many there were."""
    assert statuses(codex, Rollout().asks().script("a", script, ENDED).data()) == {"a": "indeterminate"}


@pytest.mark.parametrize(
    "script",
    [
        "const r = await tools.exec_command({cmd: './charge 7'}); text(JSON.stringify(r));",
        "const r = await tools.exec_command({cmd: 'ls'}); text(r.output.split('x').map(s => s.trim()).join());",
        "await tools.mcp__shop__charge({order: 7}); const r = await tools.exec_command({cmd: 'ls'}); text(r);",
        "await Promise.all([tools.mcp__shop__charge({order: 7}), tools.exec_command({cmd: 'ls'})]);",
    ],
)
def test_a_script_whose_calls_can_be_counted_has_its_outcome(script: str) -> None:
    """It waits for each, and each has its end."""
    assert statuses(codex, Rollout().asks().script("a", script, ENDED).data()) == {"a": "succeeded"}
