"""The guards that keep the claim, and how each is taken away."""

from __future__ import annotations

from typing import NamedTuple


class Guard(NamedTuple):
    """One check: where it stands, what it is replaced by, and the tests that should miss it."""

    name: str
    file: str
    text: str
    without: str
    tests: tuple[str, ...]


GUARDS: tuple[Guard, ...] = (
    Guard(
        "lock probe",
        "resume_gate/ledger/files/lock.py",
        "while not lock_descriptor(self.fd, blocking=False):",
        "while False:",
        ("tests/ledger",),
    ),
    Guard(
        "digest compare",
        "resume_gate/ledger/files/store.py",
        "if expect is not None and prefix.reference != expect:",
        "if False:",
        ("tests/ledger",),
    ),
    Guard(
        "lock kept until the append",
        "resume_gate/ledger/files/store.py",
        "            self._lock.check()\n",
        "",
        ("tests/ledger",),
    ),
    Guard(
        "file alone under its writer",
        "resume_gate/ledger/files/store.py",
        "            self._file.check()\n",
        "",
        ("tests/ledger",),
    ),
    Guard(
        "legal before a byte is written",
        "resume_gate/ledger/files/store.py",
        "            self._accept(events)\n",
        "",
        ("tests/ledger", "tests/agent"),
    ),
    Guard(
        "T1 before the tool",
        "resume_gate/agent/recorder.py",
        '        self._commit(role="system", author="system", actions=Actions(tool_dispatch=dispatch), refs=refs)\n',
        "",
        ("tests/agent",),
    ),
    Guard(
        "a cancellation is no outcome",
        "resume_gate/agent/recorder.py",
        "if error is not None and not is_outcome(error):",
        "if error is not None and not isinstance(error, Exception):",
        ("tests/agent",),
    ),
    Guard(
        "sync before return",
        "resume_gate/ledger/files/file.py",
        "            if self._sync:\n                os.fsync(self._fd)\n        except BaseException as error:",
        "        except BaseException as error:",
        ("tests/ledger",),
    ),
    Guard(
        "a failed append is cut back",
        "resume_gate/ledger/files/file.py",
        "            self._cut_back(error)\n",
        "",
        ("tests/ledger",),
    ),
    Guard(
        "no link on the way",
        "resume_gate/ledger/files/paths.py",
        "        _refuse_link(part)\n",
        "        pass\n",
        ("tests/ledger",),
    ),
    Guard(
        "torn row is damage",
        "resume_gate/ledger/prefix.py",
        "    if tail:\n        raise _torn(tail, rows)\n",
        "",
        ("tests/ledger", "tests/events", "tests/verdict", "tests/gate", "tests/operators"),
    ),
    Guard(
        "one run a file",
        "resume_gate/events/codec.py",
        "return events if len(events) == len(rows) else None",
        "return events",
        ("tests/ledger",),
    ),
    Guard(
        "deep and broken text",
        "resume_gate/events/codec.py",
        "            if len(row) > SHALLOW or not row.isascii():\n                _check_text(row)\n",
        "            pass\n",
        ("tests/ledger", "tests/events", "tests/verdict", "tests/gate", "tests/operators"),
    ),
    Guard(
        "the hash of the arguments",
        "resume_gate/verdict/scan.py",
        "if call is not None and not _hashes_to(dispatch.canonical_args_hash, call_of(call)):",
        "if False:",
        (
            "tests/events",
            "tests/verdict",
            "tests/gate",
            "tests/operators",
        ),
    ),
    Guard(
        "one identity an invocation",
        "resume_gate/verdict/scan.py",
        "if event.turn_id != turn_id or event.run_id != run_id or event.session_id != session_id:",
        "if False:",
        (
            "tests/events",
            "tests/verdict",
            "tests/gate",
            "tests/operators",
        ),
    ),
    Guard(
        "unpaired calls out of the replay",
        "resume_gate/verdict/replay.py",
        "(place in paired or not half)",
        "True",
        (
            "tests/events",
            "tests/verdict",
            "tests/gate",
            "tests/operators",
        ),
    ),
    Guard(
        "reason for every block",
        "resume_gate/verdict/plan.py",
        'if codes - {"runtime_offset_mismatch"}:',
        "if False:",
        (
            "tests/events",
            "tests/verdict",
            "tests/gate",
            "tests/operators",
        ),
    ),
    Guard(
        "high-water minimum",
        "resume_gate/verdict/diagnostics.py",
        "if self.minimum is not None and high_water < self.minimum:",
        "if False:",
        (
            "tests/events",
            "tests/verdict",
            "tests/gate",
            "tests/operators",
        ),
    ),
    Guard(
        "the gate remembers what it saw",
        "workflows/gate.py",
        "        self._request = self._asked.knowing(self._plan)\n",
        "",
        ("tests/temporal/test_recheck.py",),
    ),
    Guard(
        "attempts = 1",
        "workflows/agent_run.py",
        "_ONCE = RetryPolicy(maximum_attempts=1)",
        "_ONCE = RetryPolicy()",
        ("tests/temporal/test_agent_crash.py",),
    ),
)
