"""``resume-gate check`` on what other agents left."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from resume_gate import Recorder, ResumePlan, RunRef, RuntimeEventStore
from resume_gate.cli.app import app
from resume_gate.ledger.files.paths import ledger_path

HEAD = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-11-01T10:00:00Z", "cwd": "/w"}


def _row(row: str, parent: str | None, message: dict[str, object]) -> dict[str, object]:
    return {"type": "message", "id": row, "parentId": parent, "timestamp": "2026-11-01T10:00:01Z", "message": message}


USER = _row("a1b2c3d4", None, {"role": "user", "content": "charge order 7"})
CALL = {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {"command": "./charge 7"}}
ASKS = _row("b2c3d4e5", "a1b2c3d4", {"role": "assistant", "content": [CALL], "stopReason": "toolUse"})
ANSWER = _row(
    "c3d4e5f6",
    "b2c3d4e5",
    {"role": "toolResult", "toolCallId": "call_1", "toolName": "bash", "content": [], "isError": False},
)


def _session(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in (HEAD, *rows)), encoding="utf-8")
    return path


def _check(*words: str) -> Result:
    return CliRunner().invoke(app, ["check", *words])


def test_a_session_is_recognised_and_judged(tmp_path: Path) -> None:
    """A session with an open call is blocked without any option, and the call is shown."""
    done = _check(str(_session(tmp_path / "x.jsonl", USER, ASKS)))
    assert done.exit_code == 3
    assert "pi session" in done.output
    assert "call event" in done.output.lower()


def test_a_settled_session_is_safe(tmp_path: Path) -> None:
    """A session of a format that writes ahead, every call with its result, is safe to go on."""
    assert _check(str(_session(tmp_path / "x.jsonl", USER, ASKS, ANSWER))).exit_code == 0


def test_the_plan_is_there_for_programs(tmp_path: Path) -> None:
    """``--json`` prints the plan, with the evidence that the format gives."""
    done = _check(str(_session(tmp_path / "x.jsonl", USER, ASKS)), "--json")
    plan = json.loads(done.output)
    assert plan["evidence"] == "write_ahead"
    assert plan["openOperations"][0]["toolCallId"] == "call_1"


def test_a_directory_is_one_table(tmp_path: Path) -> None:
    """Every session below a directory is a row; one that is blocked makes the exit code."""
    (tmp_path / "deep").mkdir()
    _session(tmp_path / "one.jsonl", USER, ASKS, ANSWER)
    _session(tmp_path / "deep" / "two.jsonl", USER, ASKS)
    (tmp_path / "notes.txt").write_text("not a session", encoding="utf-8")
    done = _check(str(tmp_path))
    assert done.exit_code == 3
    assert "1 of 2 sessions are safe to go on" in done.output


def test_a_row_of_many_names_its_file(tmp_path: Path) -> None:
    """As JSON it is a plan in its wire form, beside file, format and session; as text it is one line, however long."""
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    _session(deep / "two.jsonl", USER, ASKS)
    name = str((deep / "two.jsonl").relative_to(tmp_path))
    row = json.loads(_check(str(tmp_path), "--json").output)
    assert (row["file"], row["format"], row["session"]) == (name, "pi", "s1")
    assert not ResumePlan.model_validate(row).safe
    _session(tmp_path / "one.jsonl", USER, ASKS, ANSWER)
    (line,) = [line for line in _check(str(tmp_path)).output.splitlines() if name in line]
    assert "dangling_tool_state, 1 open" in line


def test_an_open_call_of_a_session_is_not_to_be_released(tmp_path: Path) -> None:
    """The next step is one that the person can take: nothing can be added to another agent's file."""
    said = _check(str(_session(tmp_path / "x.jsonl", USER, ASKS))).output
    assert "in its own session" in said
    assert "release" not in said


def test_a_word_that_changes_nothing_is_told(tmp_path: Path) -> None:
    """A declaration about a format that needs none is not passed over in silence."""
    done = _check(str(_session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)), "--declare-write-ahead")
    assert done.exit_code == 0
    assert "--declare-write-ahead changes nothing here" in done.output


def test_a_copied_ledger_is_a_ledger(tmp_path: Path) -> None:
    """Whatever its name, it is judged as the gate does, and never as another agent's session too."""
    run = RunRef("shop", "order-7")
    with RuntimeEventStore(tmp_path).open(run) as ledger:
        turn = Recorder(ledger, invocation_id="i", turn_id="t")
        turn.user("charge order 7")
        turn.end("completed")
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(ledger_path(tmp_path, run).read_bytes())
    plans = [_check("shop", "order-7", "--root", str(tmp_path), "--json"), _check(str(copy), "--json")]
    assert plans[0].exit_code == plans[1].exit_code == 0
    assert plans[0].output == plans[1].output
    assert _check(str(copy), "--expected", "9").exit_code == 3
    copy.write_bytes(copy.read_bytes() + b'{"id":')
    assert "resume-gate cut-back" in _check(str(copy)).output


def test_a_session_has_no_number_of_events_to_expect(tmp_path: Path) -> None:
    """An expectation that would not be looked at is refused, not passed over."""
    session = _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    for path in (session, tmp_path):
        for option in ("--expected", "--minimum"):
            assert _check(str(path), option, "3").exit_code == 2


def test_a_ledgers_place_that_is_no_file_is_a_row(tmp_path: Path) -> None:
    """What lies there nobody can tell, so that the folder is not all safe."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    (tmp_path / "run" / "runtime-events.jsonl").mkdir(parents=True)
    done = _check(str(tmp_path))
    assert (done.exit_code, "runtime_ledger_unavailable" in done.output) == (3, True)


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="only another user than root is kept out")
def test_a_folder_that_cannot_be_entered_is_a_row(tmp_path: Path) -> None:
    """A run whose directory is closed is not passed over."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    (tmp_path / "closed").mkdir(mode=0)
    done = _check(str(tmp_path))
    assert (done.exit_code, "closed" in done.output) == (3, True)


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes there")
@pytest.mark.parametrize("command", ["check", "replay"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, command: str) -> None:
    """What is no regular file holds no evidence that could be read twice."""
    os.mkfifo(tmp_path / "pipe")
    done = CliRunner().invoke(app, [command, str(tmp_path / "pipe")])
    assert (done.exit_code, "no regular file" in done.output) == (3, True)


def test_an_unknown_file_says_what_it_was_compared_with(tmp_path: Path) -> None:
    """A file of no known format is blocked, and each format says why it is not of it."""
    (tmp_path / "x").write_text('{"hello": 1}\n', encoding="utf-8")
    done = _check(str(tmp_path / "x"))
    assert done.exit_code == 3
    for name in ("claude-code", "codex", "gemini-cli", "pi", "langgraph", "google-adk", "runtime-events"):
        assert f"{name}: " in done.output


def test_a_format_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """``--format`` takes the names that there are, and tells them."""
    done = _check(str(_session(tmp_path / "x.jsonl", USER)), "--format", "word")
    assert done.exit_code == 2
    assert "claude-code" in done.output


@pytest.mark.parametrize("changed", ["one.jsonl"])
def test_judging_changes_nothing(tmp_path: Path, changed: str) -> None:
    """No byte and no file is added or changed by a look."""
    path = _session(tmp_path / changed, USER, ASKS)
    before = (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir()))
    _check(str(path))
    assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before


def test_a_history_before_the_first_answer_is_safe_where_it_is_declared(tmp_path: Path) -> None:
    """Saved after every node, it has every call before its tool runs, so that an empty one says: nothing ran."""
    path = tmp_path / "history.json"
    path.write_text("[]", encoding="utf-8")
    assert _check(str(path), "--declare-write-ahead").exit_code == 0
    alone = _check(str(path))
    assert alone.exit_code == 3
    assert "declare that the host saves after every node" in " ".join(alone.output.split())


def test_a_file_of_no_byte_is_no_evidence(tmp_path: Path) -> None:
    """A host that saves anything saves more than that."""
    (tmp_path / "x").touch()
    assert _check(str(tmp_path / "x"), "--declare-write-ahead").exit_code == 3
    assert _check(str(tmp_path / "x"), "--format", "pydantic-ai", "--declare-write-ahead").exit_code == 3


def test_a_damaged_ledger_in_a_folder_is_a_row(tmp_path: Path) -> None:
    """A ledger that is empty or torn in its first row is no session of a known format, and still never left out."""
    for name, data in (("a", b""), ("b", b'{"id":"e1'), ("c", None)):
        folder = tmp_path / name
        folder.mkdir()
        if data is None:
            _session(folder / "x.jsonl", USER, ASKS, ANSWER)
        else:
            (folder / "runtime-events.jsonl").write_bytes(data)
    done = _check(str(tmp_path), "--json")
    assert done.exit_code == 3
    assert [json.loads(row)["disposition"] for row in done.output.splitlines()] == ["blocked", "blocked", "safe_replay"]


def test_what_was_cut_off_is_no_session(tmp_path: Path) -> None:
    """The file that a cut leaves beside its ledger is not judged; one that is only named alike is."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    _session(tmp_path / "x.jsonl.torn-9-0a1b2c3d", USER, ASKS)
    assert _check(str(tmp_path)).exit_code == 0
    _session(tmp_path / "my.torn-jeans.jsonl", USER, ASKS)
    assert _check(str(tmp_path)).exit_code == 3


def test_a_file_that_cannot_be_read_is_a_row_among_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One unreadable file neither ends the walk nor is passed over."""
    _session(tmp_path / "x.jsonl", USER, ASKS, ANSWER)
    locked = _session(tmp_path / "y.jsonl", USER, ASKS, ANSWER)
    read = Path.open

    def refuse(path: Path, *words: Any, **options: Any) -> Any:
        if path == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *words, **options)

    monkeypatch.setattr(Path, "open", refuse)
    done = _check(str(tmp_path), "--json")
    assert done.exit_code == 3
    assert [json.loads(row)["disposition"] for row in done.output.splitlines()] == ["safe_replay", "blocked"]
    assert _check(str(locked)).exit_code == 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A name that is mistyped is judged as the gate would, missing evidence, and said to be missing."""
    done = _check(str(tmp_path / "typo.jsonl"))
    assert done.exit_code == 3
    assert "there is no file" in done.output
