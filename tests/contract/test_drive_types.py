"""Contract section 9: what must and must not type-check, for authors with no plugin of the type checker."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PROGRAMS = _ROOT / "tests" / "data" / "typing"
_KINDS = ["Settled", "WaitingRetry", "WaitingDeferred", "ActionRequired"]
_ERROR = re.compile(r"(\w+)\.py:\d+: error: (.*)")


def _forgetting(kind: str) -> str:
    """Return the good program without its case for one of the four outcomes."""
    program = (_PROGRAMS / "good_drive.py").read_text("utf-8")
    return re.sub(rf"        case {kind}\(.*\n.*\n", "", program)


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Run mypy once over all programs; return its errors by program."""
    place = tmp_path_factory.mktemp("typing")
    for program in _PROGRAMS.glob("*.py"):
        shutil.copy(program, place)
    for kind in _KINDS:
        (place / f"forgets_{kind}.py").write_text(_forgetting(kind), "utf-8")
    programs = sorted(map(str, place.glob("*.py")))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={place / 'cache'}", *programs]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    found: dict[str, list[str]] = {}
    for program, error in _ERROR.findall(done.stdout):
        found.setdefault(program, []).append(error)
    return found


def test_a_correct_drive_type_checks(errors: dict[str, list[str]]) -> None:
    """Options, outcomes and a match over all four kinds are accepted."""
    assert "good_drive" not in errors


def test_a_deadline_does_not_type_check(errors: dict[str, list[str]]) -> None:
    """Passing a deadline is an error, and that alone."""
    assert errors["bad_deadline"] == ['Unexpected keyword argument "deadline" for "DriveOptions"  [call-arg]']


def test_no_other_key_type_checks(errors: dict[str, list[str]]) -> None:
    """A pause flag, a yielded outcome and a mixture of two outcomes are errors."""
    assert errors["bad_extra"] == [
        'Unexpected keyword argument "pause" for "DriveOptions"  [call-arg]',
        'Unexpected keyword argument "yielded" for "Settled"  [call-arg]',
        'Unexpected keyword argument "deferred" for "WaitingRetry"  [call-arg]',
    ]


def test_options_need_their_operation(errors: dict[str, list[str]]) -> None:
    """Options without operation id, or with a number for it, are errors."""
    assert errors["bad_missing"] == [
        'Missing named argument "operation_id" for "DriveOptions"  [call-arg]',
        'Argument "operation_id" to "DriveOptions" has incompatible type "int"; expected "str"  [arg-type]',
    ]


@pytest.mark.parametrize("kind", _KINDS)
def test_a_match_that_forgets_an_outcome_does_not_type_check(errors: dict[str, list[str]], kind: str) -> None:
    """There are exactly four outcomes: a match without any one of them leaves just that one over."""
    assert errors[f"forgets_{kind}"] == [
        f'Argument 1 to "assert_never" has incompatible type "{kind}"; expected "Never"  [arg-type]'
    ]
