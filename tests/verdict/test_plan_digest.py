"""Contract section 6: the digests of prefix and plan."""

import hashlib
import re

from resume_gate.ledger.prefix import read_prefix
from resume_gate.verdict.plan import ResumePlan, build_resume_plan
from resume_gate.wire import RunRef
from tests.kit.builders import Row, call, file_of, ledger, plan, response, user

_RUN = RunRef("ses-1", "run-1")


def _planned(*rows: Row, expected: int | None = None) -> ResumePlan:
    prefix = read_prefix(_RUN, file_of(*rows))
    return build_resume_plan(prefix.events, expected_high_water=expected, run=_RUN, prefix_digest=prefix.digest)


def test_the_prefix_digest_is_of_the_files_bytes() -> None:
    """A plan carries SHA-256 of the file that was read."""
    data = file_of(user(), call())
    assert _planned(user(), call()).prefix_digest == "sha256:" + hashlib.sha256(data).hexdigest()


def test_the_plan_digest_is_of_five_facts() -> None:
    """The digest is SHA-256 of the canonical JSON of run, prefix digest, high-water, disposition and reasons."""
    found = _planned(user(), call())
    text = (
        f'{{"disposition":"blocked","prefixDigest":"{found.prefix_digest}","rejectionReasons":["dangling_tool_state"],'
        '"run":{"runId":"run-1","sessionId":"ses-1"},"sourceHighWater":2}'
    )
    assert found.plan_digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_bare_events_have_a_plan_digest_too() -> None:
    """Without a file there is no prefix digest; the run is the one that the first event names."""
    found = plan(user(), call())
    assert (found.run, found.prefix_digest) == (_RUN, None)
    assert re.fullmatch("sha256:[0-9a-f]{64}", found.plan_digest)
    assert plan().run is None


def test_the_same_prefix_has_the_same_digest() -> None:
    """Planning again gives the same name."""
    assert _planned(user(), call()).plan_digest == _planned(user(), call()).plan_digest


def test_another_prefix_has_another_digest() -> None:
    """One event more, or other bytes, are another plan."""
    digests = {
        _planned(user(), call()).plan_digest,
        _planned(user(), call(), response()).plan_digest,
        _planned(user("other"), call()).plan_digest,
        _planned(user(), call(ts=1)).plan_digest,
    }
    assert len(digests) == 4


def test_what_was_expected_counts() -> None:
    """A plan that missed what was expected is another plan of the same prefix."""
    assert _planned(user()).plan_digest == _planned(user(), expected=1).plan_digest
    assert _planned(user()).plan_digest != _planned(user(), expected=2).plan_digest


def test_the_run_counts() -> None:
    """The same events under another run's name are another plan."""
    events = ledger(user())
    one, other = (build_resume_plan(events, run=RunRef("ses-1", run)) for run in ("run-1", "run-2"))
    assert one.plan_digest != other.plan_digest
