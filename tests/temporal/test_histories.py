"""Histories of the main paths, recorded once, are replayed by today's workflows."""

import base64
import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowHistory
from temporalio.worker import (
    ExecuteWorkflowInput,
    Interceptor,
    Replayer,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
)

import worker as control
from resume_gate.settings import Settings
from tests.temporal.record_histories import HISTORIES
from workflows.arity import OneArgument

_STORED = sorted(HISTORIES.glob("*.json"))
_results: list[Any] = []


class _Noting(WorkflowInboundInterceptor):
    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:  # noqa: A002 - the SDK's name
        result = await super().execute_workflow(input)
        _results.append(result)
        return result


class _Results(Interceptor):
    def workflow_interceptor_class(
        self,
        input: WorkflowInterceptorClassInput,  # noqa: A002, ARG002 - the SDK's name
    ) -> type[WorkflowInboundInterceptor]:
        return _Noting


@pytest.fixture
def results() -> Iterator[list[Any]]:
    """Return where the replayed workflows' results are noted."""
    _results.clear()
    yield _results
    _results.clear()


def _load(file: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json(file.stem, file.read_text())


def _data(value: Any) -> Iterator[bytes]:
    if isinstance(value, list):
        yield from itertools.chain.from_iterable(map(_data, value))
    elif isinstance(value, dict):
        yield from itertools.chain.from_iterable(map(_data, value.values()))
    elif isinstance(value, str):
        yield value.encode()
        with suppress(ValueError):
            yield base64.b64decode(value, validate=True)


def test_the_main_paths_are_stored() -> None:
    """There is a history of every main path."""
    assert [file.stem for file in _STORED] == [
        "agent-action",
        "agent-continued",
        "agent-crash",
        "agent-deferred",
        "agent-idle",
        "agent-retry",
        "gate-abandoned",
        "gate-cleared",
        "gate-released",
        "gate-settled",
        "gate-waited",
    ]


@pytest.mark.parametrize("file", _STORED, ids=lambda file: file.stem)
async def test_a_stored_history_replays(file: Path, tmp_path: Path, results: list[Any]) -> None:
    """Today's workflows give the recorded commands and the recorded result."""
    history = _load(file)
    plugin = control.plugin(Settings(root=tmp_path))
    await Replayer(workflows=[], plugins=[plugin], interceptors=[OneArgument(), _Results()]).replay_workflow(history)
    (recorded,) = history.events[-1].workflow_execution_completed_event_attributes.result.payloads
    (result,) = results
    assert type(result).model_validate_json(recorded.data) == result


def test_no_machine_is_named() -> None:
    """The stored histories hold neither paths nor host names, in their payloads neither."""
    told = b"\n".join(itertools.chain.from_iterable(_data(json.loads(file.read_text())) for file in _STORED))
    assert b"runtime_ledger_empty" in told
    assert [word for word in (b"/home/", b"/tmp", b"site-packages", b"@") if word in told] == []
