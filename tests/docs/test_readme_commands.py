"""The README's shell lines are real."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from resume_gate.contract import AgentRunRequest, ReleaseSignal
from tests.docs.readme import README, ROOT, blocks, commands

CLI = [sys.executable, "-c", "from resume_gate.cli.app import main; main()"]


def _option(command: str, name: str) -> str:
    words = shlex.split(command)
    return words[words.index(name) + 1]


def test_ci_runs_the_tests_as_the_readme_says() -> None:
    """The README's test command is the last line of what decides whether work lands."""
    assert blocks("sh")[0].splitlines()[1] == (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]


def test_the_first_command_makes_the_environment_and_tells_the_story() -> None:
    """The README's first command installs this project's own extra and runs a module that exists."""
    first = blocks("sh")[0].splitlines()[0]
    assert "-e '.[dev]'" in first
    assert (ROOT / (first.split("-m ")[-1].strip().replace(".", "/") + ".py")).is_file()


@pytest.mark.parametrize("command", commands("resume-gate"), ids=lambda line: line.split()[1])
def test_every_command_line_has_options_that_exist(command: str) -> None:
    """A line of the README is refused for its placeholder digest or for no server, never for its words."""
    words = [word.replace("sha256:...", "sha256:" + "0" * 64) for word in shlex.split(command)[1:]]
    environment = {"TEMPORAL_ADDRESS": "127.0.0.1:1", "PATH": "", "USER": "ann"}
    done = subprocess.run([*CLI, *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 5, done.stderr
    assert "no Temporal server answers at 127.0.0.1:1" in done.stderr


def test_the_agent_run_input_is_one() -> None:
    """The input that the README starts a run with is an ``AgentRunRequest``."""
    given = _option(commands("temporal workflow start")[0], "--input")
    assert AgentRunRequest.model_validate_json(given).drive_activity == "drive_order"


def test_the_release_signal_is_one() -> None:
    """The input that the README signals a release with has the keys of ``ReleaseSignal``."""
    given = json.loads(_option(commands("temporal workflow signal")[0], "--input"))
    given["planDigest"] = "sha256:" + "0" * 64
    assert ReleaseSignal.model_validate(given).operator == "ann"


def test_the_worker_line_names_a_file() -> None:
    """The README starts the worker from a file at the top of the clone."""
    assert "RESUME_GATE_ROOT=/tmp/ledgers .venv/bin/python worker.py" in README
    assert (ROOT / "worker.py").is_file()


def test_the_readme_is_short() -> None:
    """A new user reads it whole: under 150 lines."""
    assert len(README.splitlines()) < 150
    assert Path(ROOT / "LICENSE").is_file()
