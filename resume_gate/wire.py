"""The base of every model that crosses Temporal, and the name of a run."""

from __future__ import annotations

import math
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue, ValidationError
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass

from resume_gate.errors import ContractMisuse

_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)
NAMES = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)
"""camelCase on the wire, either form when read."""


_DEEPEST = 100


def _carried(value: JsonValue) -> JsonValue:
    level = [value]
    for _ in range(_DEEPEST):
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            raise ValueError("a number overflows a double or is none")
        level = [inner for item in level if isinstance(item, dict | list) for inner in _inside(item)]
        if not level:
            return value
    raise ValueError(f"nested deeper than {_DEEPEST}")


def _inside(item: dict[str, JsonValue] | list[JsonValue]) -> list[JsonValue]:
    return list(item.values()) if isinstance(item, dict) else item


BoundedJson = Annotated[JsonValue, AfterValidator(_carried)]
"""Any JSON that survives being carried inside other JSON: not too deep for every parser on its way, and finite."""


class Answer(BaseModel):
    """What goes out: camelCase on the wire, frozen; unknown keys are ignored, so workers of two versions can meet."""

    model_config = ConfigDict(**NAMES, frozen=True)


class Request(BaseModel):
    """What comes in: as ``Answer``, but an unknown key is an error."""

    model_config = ConfigDict(**NAMES, frozen=True, extra="forbid")


@dataclass(frozen=True, config=NAMES)
class RunRef:
    """The name of one run: its session's id and its own."""

    session_id: str
    run_id: str

    def __str__(self) -> str:
        return f"{self.session_id}/{self.run_id}"


def is_safe_id(name: str) -> bool:
    """Tell whether an id may be a part of a path (contract section 3)."""
    return bool(_SAFE_ID.match(name)) and not name.endswith(".") and not _DEVICE.match(name)


def require_safe_run(run: RunRef) -> RunRef:
    """Return the run; ``ContractMisuse`` where one of its ids could be more than a name."""
    for name in (run.session_id, run.run_id):
        if not is_safe_id(name):
            raise ContractMisuse(
                f"{name[:140]!r} cannot name a session or run: use 1 to 128 letters, digits, '.', '_' or '-', "
                "starting with a letter or digit, not ending with '.', and no Windows device name"
            )
    return run


def explain(error: ValidationError) -> str:
    """Say what a payload lacks, by key and in one line, without any of its values."""
    return "; ".join(
        f"{'.'.join(map(str, found['loc'])) or 'payload'}: {found['msg']}"
        for found in error.errors(include_url=False, include_context=False, include_input=False)
    )
