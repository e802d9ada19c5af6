"""A database is read as it was at one moment, all of it, and what cannot be read of it is damage."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from resume_gate.cli.app import app
from resume_gate.errors import ContractMisuse, CorruptLedger
from resume_gate.sessions import source
from resume_gate.sessions.formats.google_adk import session as google_adk
from resume_gate.sessions.formats.langgraph import session as langgraph
from resume_gate.sessions.judging import judge_file
from resume_gate.sessions.source import open_source
from tests.sessions import adk_rows, langgraph_rows, openai_rows
from tests.sessions.stores import statuses_of, store, text, verdict_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a database goes."""
    return tmp_path / "store.db"


def test_a_transaction_that_was_cut_off_is_rolled_back(path: Path) -> None:
    """The journal beside the database says that the response in it was never stored; the agent will not see it."""
    alive = store(path.with_name("alive.db"), adk_rows.Session().asks().calls("a").fill())
    connection = sqlite3.connect(alive)
    connection.execute("PRAGMA cache_size = 1")
    answer = text(adk_rows.clean().events[2])
    connection.execute("INSERT INTO events VALUES ('r', 'app', 'u', 's1', 'i', 1, ?)", (answer,))
    connection.execute("CREATE TABLE filler (x)")  # so much that the pages before it are written already
    connection.executemany("INSERT INTO filler VALUES (zeroblob(?))", [(1000,)] * 400)
    for suffix in ("", "-journal"):
        shutil.copyfile(f"{alive}{suffix}", f"{path}{suffix}")
    connection.close()
    assert statuses_of(google_adk, path) == [("a", "indeterminate")]


def test_a_locked_database_is_judged_by_what_is_stored(path: Path) -> None:
    """A writer's lock keeps nobody from looking, and what it has not stored yet does not count."""
    store(path, adk_rows.Session().asks().calls("a").fill())
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    answer = text(adk_rows.clean().events[2])
    connection.execute("INSERT INTO events VALUES ('r', 'app', 'u', 's1', 'i', 1, ?)", (answer,))
    assert statuses_of(google_adk, path) == [("a", "indeterminate")]
    connection.close()


def test_a_wal_without_a_row_shows_that_nobody_closed_it(path: Path) -> None:
    """An agent that was killed before it stored anything leaves one; what it did meanwhile has no trace."""
    store(path, langgraph_rows.clean().fill())
    assert verdict_of(langgraph, path) == "safe_replay"
    path.with_name("store.db-wal").touch()
    assert verdict_of(langgraph, path) == "blocked"
    assert verdict_of(langgraph, path, declared=True) == "safe_replay"


def test_a_database_that_does_not_hold_still_is_not_judged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy of a file from before and a WAL from after could lack a call."""
    store(path, adk_rows.clean().fill())
    ticks = iter(range(100))
    monkeypatch.setattr(source, "_stamps", lambda _: {"": (next(ticks), 0, 0)})
    (found,) = judge_file(path)
    assert found.plan.rejection_reasons == ("runtime_ledger_unreadable",)
    assert "is being written" in str(found.plan.diagnostics[0].message)


@pytest.mark.parametrize("damage", [b"\xff", b"\x00"])
def test_a_schema_that_cannot_be_read_is_damage(path: Path, damage: bytes) -> None:
    """It is no database of a format that is not known."""
    store(path, adk_rows.clean().fill())
    data = path.read_bytes()
    path.write_bytes(data.replace(b"events", damage * 6))
    with pytest.raises(CorruptLedger, match="damaged"), open_source(path):
        pass
    done = CliRunner().invoke(app, ["check", str(path)])
    assert (done.exit_code, "damaged" in done.output) == (3, True)


def test_a_damaged_database_is_a_row_of_its_directory(path: Path) -> None:
    """Whether it held sessions nobody can tell, so nobody may overlook it."""
    store(path, adk_rows.clean().fill())
    path.write_bytes(path.read_bytes().replace(b"events", b"\xff" * 6))
    done = CliRunner().invoke(app, ["check", str(path.parent)])
    assert (done.exit_code, "damaged" in done.output) == (3, True)


def test_a_database_of_two_frameworks_is_judged_as_both(path: Path) -> None:
    """Half of it is not the whole of it; a format that is named is judged alone."""
    store(path, openai_rows.clean().fill("s1"), adk_rows.Session().asks().calls("a").fill("s2"))
    found = {(one.format, one.session): one.plan.disposition for one in judge_file(path)}
    assert found == {("openai-agents", "s1"): "safe_replay", ("google-adk", "s2"): "blocked"}
    (only,) = judge_file(path, named="google-adk")
    assert only.session == "s2"


def test_a_session_is_found_whichever_framework_wrote_it(path: Path) -> None:
    """One name can be of both, and then both are judged."""
    store(path, openai_rows.clean().fill("s1"), adk_rows.clean().fill("s1"), adk_rows.clean().fill("s2"))
    assert [one.format for one in judge_file(path, session="s2")] == ["google-adk"]
    assert len(judge_file(path, session="s1")) == 2
    with pytest.raises(ContractMisuse, match="it has s1, s1, s2"):
        judge_file(path, session="s3")
