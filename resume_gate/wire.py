"""The base of every model that crosses Temporal, and the name of a run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import astuple
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass
from pydantic_core import CoreSchema, core_schema, to_json

from resume_gate.errors import ContractMisuse
from resume_gate.events.canonical import shown_json

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


class Entry(Struct, frozen=True, kw_only=True, eq=False, gc=False, rename="camel"):
    """What an answer may hold very many of: on the wire as ``Answer``, at a tenth of its cost.

    A ``Raw`` in it stays the JSON text that it was until somebody reads or writes it.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let a model hold it; what does not fit is the model's ``ValidationError``."""
        written = core_schema.plain_serializer_function_ser_schema(cls.written)
        return core_schema.no_info_plain_validator_function(cls._read, serialization=written)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Let a model's JSON schema describe it."""
        found: dict[str, Any] = msgspec.json.schema_components([cls])[1][cls.__name__]
        return found

    @classmethod
    def _read(cls, value: object) -> Self:
        if isinstance(value, cls):
            return value
        if isinstance(value, dict):
            keys = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
            value = {keys.get(key, key): item for key, item in value.items()}
        return msgspec.json.decode(to_json(value), type=cls)

    def written(self) -> dict[str, Any]:
        """Return what it is on the wire, by key."""
        values = zip(self.__struct_encode_fields__, astuple(self), strict=True)
        return {key: shown_json(value) if isinstance(value, Raw) else value for key, value in values}

    def __eq__(self, other: object) -> bool:
        """Tell whether both are the same on the wire: white space inside a ``Raw`` says nothing."""
        return isinstance(other, Entry) and type(self) is type(other) and self.written() == other.written()

    __hash__ = None  # type: ignore[assignment]


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


def explain(error: ValidationError, *, named: Mapping[str, str] | None = None) -> str:
    """Say what a payload lacks, by key and in one line, without any of its values.

    ``named`` has what whoever sent it knows a key by.
    """
    names = named or {}
    return "; ".join(
        f"{'.'.join(names.get(str(key), str(key)) for key in found['loc']) or 'payload'}: {found['msg']}"
        for found in error.errors(include_url=False, include_context=False, include_input=False)
    )
