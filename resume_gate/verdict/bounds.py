"""The plan as the gate sends it: under 64 KiB, whatever the ledger (design, Core)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace
from pydantic_core import to_json

from resume_gate.events.canonical import depth
from resume_gate.verdict.diagnostics import Diagnostic, sort_key
from resume_gate.verdict.plan import NULL, Omitted, PlannedOperation, ResumePlan
from resume_gate.wire import RunRef

MAX_PLAN_BYTES = 64 * 1024
"""The most that one plan may weigh as JSON."""
_BUDGET = MAX_PLAN_BYTES * 7 // 8  # what the lists may fill; the rest is for the plan's own keys, and writers' spaces
_LONGEST_TEXT = 300
_PREVIEW = 400
_MAX_NESTING = 100  # pydantic refuses to write far deeper values
_SMALLEST_SHARE = 1024

Listed = TypeVar("Listed", PlannedOperation, Diagnostic)


def bounded(plan: ResumePlan) -> ResumePlan:
    """Return the plan with as much as fits into ``MAX_PLAN_BYTES``, open operations first.

    Arguments that do not fit become ``None`` beside a preview, long names are cut, and ``omitted`` counts the entries
    left out. Digest, disposition and reasons stay as they are.
    """
    open_operations, room = _fit(plan.open_operations, _BUDGET * 3 // 4)
    diagnostics, room = _fit(_one_of_each_first(plan.diagnostics), room + _BUDGET // 8)
    operations, _ = _fit(plan.operations, room + _BUDGET // 8)
    omitted = Omitted(
        operations=len(plan.operations) - len(operations),
        open_operations=len(plan.open_operations) - len(open_operations),
        diagnostics=len(plan.diagnostics) - len(diagnostics),
    )
    run = plan.run and RunRef(_cut(plan.run.session_id), _cut(plan.run.run_id))
    return plan.model_copy(
        update={
            "run": run,
            "open_operations": open_operations,
            "diagnostics": tuple(sorted(diagnostics, key=sort_key)),
            "operations": operations,
            "omitted": omitted,
        }
    )


def _one_of_each_first(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    # What is cut may only repeat: a code that is gone could not be read, told or acted on.
    first = {one.code: one for one in reversed(diagnostics)}
    return [*first.values(), *(one for one in diagnostics if first[one.code] is not one)]


def _fit(entries: Sequence[Listed], room: int) -> tuple[tuple[Listed, ...], int]:
    share = max(_SMALLEST_SHARE, room // max(1, len(entries)))
    kept: list[Listed] = []
    for entry in entries:
        small = _shrunk(entry, share)
        size = len(to_json(small if isinstance(small, Diagnostic) else small.written())) + 1
        if size > room:
            break
        kept.append(small)
        room -= size
    return tuple(kept), room


def _shrunk(entry: Listed, share: int) -> Listed:
    names = entry.__struct_fields__ if isinstance(entry, PlannedOperation) else tuple(entry.__dict__)
    values = {name: getattr(entry, name) for name in names if name not in ("args_text", "args_preview")}
    update: dict[str, Any] = {name: _cut(value) for name, value in values.items() if isinstance(value, str)}
    if not isinstance(entry, PlannedOperation):
        return entry.model_copy(update=update)
    if entry.args_text != NULL:
        text = json.dumps(entry.args, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > share // 2 or depth(text.encode()) > _MAX_NESTING:
            update |= {"args_text": NULL, "args_preview": text[:_PREVIEW] + "…"}
    return replace(entry, **update)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
