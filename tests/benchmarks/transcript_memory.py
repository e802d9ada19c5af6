"""Measures how long a reader takes for a big session, and how much memory at its peak.

``python -m tests.benchmarks.transcript_memory [MEGABYTES]`` writes one made-up session per format into a temporary
directory and reads each in a process of its own.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from resume_gate.sessions.formats import gemini_cli, pi, vercel_ai
from resume_gate.sessions.formats.claude_code import session as claude_code
from resume_gate.sessions.formats.codex import session as codex
from resume_gate.sessions.source import open_source
from resume_gate.verdict.plan import build_resume_plan
from tests.sessions import claude_rows, codex_rows, pi_rows

_READERS: dict[str, ModuleType] = {reader.FORMAT: reader for reader in (claude_code, codex, gemini_cli, pi, vercel_ai)}
_OUTPUT = ("line of output {with} [brackets]\n" * 300)[:8000]


def _claude() -> Iterator[dict[str, Any]]:
    chat = claude_rows.Chat().asks()
    while True:
        beside = {"stdout": _OUTPUT, "stderr": "", "interrupted": False}
        number = len(chat.rows)
        chat.calls(f"a{number}").result(f"a{number}", _OUTPUT, toolUseResult=beside).says()
        yield from chat.rows[number:]


def _codex() -> Iterator[dict[str, Any]]:
    rollout = codex_rows.Rollout().asks()
    yield from rollout.rows
    while True:
        number = len(rollout.rows)
        rollout.calls(f"a{number}").ran(f"a{number}").output(f"a{number}", codex_rows.DONE + _OUTPUT).says()
        yield from rollout.rows[number:]


def _pi() -> Iterator[dict[str, Any]]:
    session = pi_rows.Session().asks()
    yield from session.rows
    while True:
        number = len(session.rows)
        session.calls(f"a{number}").result(f"a{number}", _OUTPUT).says()
        yield from session.rows[number:]


def _gemini() -> Iterator[dict[str, Any]]:
    yield {"sessionId": "s", "projectHash": "h", "startTime": "2026-11-01T10:00:00Z"}
    number = 0
    while True:
        number += 1
        result = [{"functionResponse": {"response": {"output": _OUTPUT}}}]
        call = {"id": f"a{number}", "name": "x", "args": {}, "status": "success", "result": result}
        message = {"id": f"m{number}", "timestamp": "2026-11-01T10:00:01Z", "type": "gemini", "content": "x"}
        yield {**message, "toolCalls": [{**call, "resultDisplay": _OUTPUT}]}


def _vercel() -> Iterator[dict[str, Any]]:
    number = 0
    while True:
        number += 1
        tool = {"type": "tool-x", "toolCallId": f"a{number}", "state": "output-available", "input": {}}
        parts = [{**tool, "output": _OUTPUT}, {"type": "text", "text": "x"}]
        yield {"id": f"m{number}", "role": "assistant", "parts": parts}


def _write(path: Path, rows: Iterator[dict[str, Any]], size: int, *, array: bool) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("[" if array else "")
        for number, row in enumerate(rows):
            file.write(("," if array and number else "") + json.dumps(row) + "\n")
            if file.tell() > size:
                break
        file.write("]" if array else "")


def _measure(name: str, path: Path) -> None:
    reader = _READERS[name]
    begin = time.perf_counter()
    with open_source(path) as source:
        assert reader.why_not(source) is None
        reading = reader.read(source, "s")
    read = time.perf_counter() - begin
    plan = build_resume_plan(reading.events)
    print(
        f"{name}: {path.stat().st_size / 1e6:.0f} MB, {len(reading.events)} events, read in {read:.2f} s, "
        f"planned in {time.perf_counter() - begin - read:.2f} s, at most {_peak()} MB, {plan.disposition}"
    )


def _peak() -> str:
    if sys.platform == "win32":
        return "an unknown number of"
    import resource  # noqa: PLC0415 - not there on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{peak / 1e6 if sys.platform == 'darwin' else peak / 1e3:.0f}"


def main() -> None:
    """Measure one file where one is named, else every format."""
    if len(sys.argv) > 2:
        _measure(sys.argv[1], Path(sys.argv[2]))
        return
    size = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 100_000_000
    writers = {"claude-code": _claude, "codex": _codex, "gemini-cli": _gemini, "pi": _pi, "vercel-ai": _vercel}
    with TemporaryDirectory() as place:
        for name, rows in writers.items():
            path = Path(place) / name
            _write(path, rows(), size, array=name == "vercel-ai")
            subprocess.run([sys.executable, "-m", "tests.benchmarks.transcript_memory", name, str(path)], check=True)
            path.unlink()


if __name__ == "__main__":
    main()
