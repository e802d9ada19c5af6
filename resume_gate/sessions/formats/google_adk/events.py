"""ADK's events, from the tables of its session services or from JSON, whose keys are camelCase or snake_case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.linking import id_of, name_of, when
from resume_gate.sessions.source import Source, json_rows, json_value
from resume_gate.sessions.tables import Key, columns_of, json_object, json_text, labelled, query, quoted, tables_with
from resume_gate.sessions.unknown import like_a_call

_EVENTS = frozenset({"app_name", "user_id", "session_id", "invocation_id"})
_SESSIONS = frozenset({"app_name", "user_id", "id", "create_time"})
_OLD = ("content", "author")
_KEYS = (b'"invocationId"', b'"invocation_id"')
_FAILED = ("OUTCOME_FAILED", "FAILED")
_OPEN = ("OUTCOME_DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")


class Part(NamedTuple):
    """One part of an event's content: words, a call or a response."""

    text: str = ""
    call_id: str | None = None
    name: str = ""
    value: Any = None
    is_call: bool = False
    is_response: bool = False
    is_error: bool = False
    goes_on: bool = False


class Event(NamedTuple):
    """One event, as far as it matters here."""

    row: str
    turn: str
    ts: float
    author: str
    parts: tuple[Part, ...]
    long_running: frozenset[str]
    asks_first: frozenset[str]
    error: str | None
    unknown: tuple[str, ...]
    ran_node: bool
    """Whether a node of a workflow ran here, which is a function, and called by no model."""
    ends_workflow: bool


def database_keys(source: Source) -> dict[str, Key] | None:
    """Return the sessions' names and keys; ``None`` where the tables are not there."""
    if not has_tables(source):
        return None
    found = query(source, "SELECT app_name, user_id, id FROM sessions ORDER BY rowid")
    found += query(source, "SELECT app_name, user_id, session_id FROM events ORDER BY rowid")
    return labelled(tuple(str(part) for part in key) for key in found)


def has_tables(source: Source) -> bool:
    """Tell whether the session services' tables are there."""
    return "events" in tables_with(source, _EVENTS) and "sessions" in tables_with(source, _SESSIONS)


def events_of(source: Source, session: str) -> list[Event]:
    """Return a session's events, in the order they were stored."""
    if source.database is not None:
        key = (database_keys(source) or {}).get(session)
        raw = [] if key is None else _rows(source, key)
    else:
        name, raw = file_events(source)
        raw = raw if name == session else []
    return [_event(number, event) for number, event in _once(raw)]


def _once(raw: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the events but those that stream, of which the whole comes later, and copies, which settle nothing new."""
    seen: dict[str, dict[str, Any]] = {}
    for number, event in enumerate(raw, 1):
        name = id_of(event.get("id"))
        if _get(event, "partial") is True or (name is not None and seen.get(name) == event):
            continue
        seen[name or ""] = event
        yield number, event


def _rows(source: Source, key: Key) -> list[dict[str, Any]]:
    columns = columns_of(source, "events")
    where = "FROM events WHERE app_name = ? AND user_id = ? AND session_id = ? ORDER BY rowid"
    if "event_data" in columns:
        found = query(source, f"SELECT event_data {where}", *key)
        return [json_object(data, row) for row, (data,) in enumerate(found, 1)]
    if not columns.issuperset(_OLD):
        raise CorruptLedger("the table of events has no column that holds them")
    names = sorted(columns - {"actions"})  # pickled: running it is no way to read it
    found = query(source, f"SELECT {', '.join(map(quoted, names))} {where}", *key)
    return [_old_row(dict(zip(names, values, strict=True)), row) for row, values in enumerate(found, 1)]


def _old_row(columns: dict[str, Any], row: int) -> dict[str, Any]:
    event = {name: value for name, value in columns.items() if value is not None}
    for name, key in (("content", "content"), ("long_running_tool_ids_json", "long_running_tool_ids")):
        if name in event:
            event[key] = json_text(event.pop(name), row)
    return {**event, "partial": event.get("partial") == 1}


def file_why_not(source: Source) -> str | None:
    """Say why bytes are no ADK events; ``None`` where they are."""
    if b'"author"' not in source.data or not any(key in source.data for key in _KEYS):
        return "It holds no JSON events of invocations."
    try:
        raw = _raw_events(source.data)[1]
    except CorruptLedger:
        return None if _begins_with_event(source.data) else "It holds no JSON events of invocations."
    return None if raw and _is_event(raw[0]) else "Its JSON holds no events of invocations."


def _begins_with_event(damaged: bytes) -> bool:
    line = damaged.partition(b"\n")[0]
    if line.lstrip().startswith(b"[") or b'"events"' in line:
        return True
    try:
        return _is_event(json_value(line))
    except CorruptLedger:
        return False


def file_events(source: Source) -> tuple[str, list[dict[str, Any]]]:
    """Return the session's name and the events of a JSON file: a session, an array or one event a line."""
    name, raw = _raw_events(source.data)
    for row, event in enumerate(raw, 1):
        if not _is_event(event):
            raise CorruptLedger("no event of an invocation", row=row)
    return name, raw


def _raw_events(data: bytes) -> tuple[str, list[Any]]:
    try:
        value = json_value(data)
    except CorruptLedger:
        rows, torn = json_rows(data)
        if torn:
            raise CorruptLedger("the last row is torn", row=len(rows) + 1) from None
        return "events", rows
    if isinstance(value, list):
        return "events", value
    if isinstance(value, dict) and isinstance(value.get("events"), list):
        return name_of(value.get("id"), "events"), value["events"]
    return "events", [value]


def _is_event(event: Any) -> bool:
    return isinstance(event, dict) and "author" in event and isinstance(_get(event, "invocation_id"), str)


def _get(value: Any, name: str) -> Any:
    """Return a key's value, its name in either spelling."""
    if not isinstance(value, dict):
        return None
    found = value.get(name)
    return value.get(_camel(name)) if found is None else found


@cache
def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.title() for word in rest)


def _event(number: int, event: dict[str, Any]) -> Event:
    actions = _get(event, "actions")
    asked = [_get(actions, name) for name in ("requested_tool_confirmations", "requested_auth_configs")]
    parts = _parts(event, number)
    node = _get(event, "node_info")
    ended = _get(node, "output_for")
    return Event(
        row=name_of(event.get("id"), f"event-{number}"),
        turn=name_of(_get(event, "invocation_id"), "invocation"),
        ts=when(event.get("timestamp")),
        author=name_of(event.get("author")),
        parts=tuple(made for part in parts for made in _made_of(part, number)),
        long_running=_long_running(event, number),
        asks_first=frozenset(name for names in asked if isinstance(names, dict) for name in names),
        error=id_of(_get(event, "error_code")),
        unknown=tuple(name for part in parts for name in _unknown(part)),
        ran_node="/" in name_of(_get(node, "path")) and event.get("output") is not None and not parts,
        ends_workflow=any("/" not in path for path in map(str, ended if isinstance(ended, list) else ())),
    )


def _long_running(event: dict[str, Any], number: int) -> frozenset[str]:
    ids = _get(event, "long_running_tool_ids")
    if not isinstance(ids, list | None):
        raise CorruptLedger("an event's long-running calls are no list", row=number)
    return frozenset(map(str, ids or ()))


def _parts(event: dict[str, Any], number: int) -> list[dict[str, Any]]:
    content = event.get("content")
    parts = (content.get("parts") or []) if isinstance(content, dict) else []
    if not isinstance(content, dict | None) or not isinstance(parts, list):
        raise CorruptLedger("an event's content has no parts", row=number)
    if not all(isinstance(part, dict) for part in parts):
        raise CorruptLedger("a part of an event is no object", row=number)
    return parts


def _made_of(part: dict[str, Any], number: int) -> Iterator[Part]:
    """Yield everything that a part holds, calls first."""
    for kind, make in _MAKERS.items():
        found = _get(part, kind)
        if not isinstance(found, dict | None):
            raise CorruptLedger(f"the {kind} of an event is no object", row=number)
        if found is not None:
            yield make(found)
    text = part.get("text")
    if isinstance(text, str) and not part.get("thought"):
        yield Part(text=text)


def _unknown(part: dict[str, Any]) -> list[str]:
    return [f"part {key!r}" for key in part if key not in _KNOWN and like_a_call({key: part[key]})]


def _call(call: dict[str, Any]) -> Part:
    args = call.get("args") if "code" not in call else {"code": call["code"]}
    return Part(call_id=id_of(call.get("id")), name=_name(call), value=args, is_call=True)


def _name(call: dict[str, Any]) -> str:
    return name_of(call.get("name") or _get(call, "tool_type"), "code_execution")


def _answer(answer: dict[str, Any]) -> Part:
    value = answer.get("response")
    failed = isinstance(value, dict) and bool(value.get("error"))
    goes_on = bool(_get(answer, "will_continue"))
    return Part("", id_of(answer.get("id")), _name(answer), value, is_response=True, is_error=failed, goes_on=goes_on)


def _code_result(result: dict[str, Any]) -> Part:
    outcome = result.get("outcome")
    return Part(
        "",
        id_of(result.get("id")),
        "code_execution",
        result.get("output"),
        is_response=True,
        is_error=outcome in _FAILED,
        goes_on=outcome in _OPEN,
    )


_MAKERS: dict[str, Callable[[dict[str, Any]], Part]] = {
    **dict.fromkeys(("function_call", "tool_call", "executable_code"), _call),
    **dict.fromkeys(("function_response", "tool_response"), _answer),
    "code_execution_result": _code_result,
}
_KNOWN = frozenset(spelled for kind in _MAKERS for spelled in (kind, _camel(kind)))
