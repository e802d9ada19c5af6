"""ADK's events, from the tables of its session services or from JSON, whose keys are camelCase or snake_case."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from resume_gate.errors import CorruptLedger
from resume_gate.sessions.linking import id_of, name_of, when
from resume_gate.sessions.source import Source, json_rows, json_value
from resume_gate.sessions.tables import Key, columns_of, json_object, json_text, labelled, query, quoted, tables_with

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
    return [_event(number, event) for number, event in enumerate(raw, 1) if _get(event, "partial") is not True]


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
    return value[name] if name in value else value.get(_camel(name))


@cache
def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.title() for word in rest)


def _event(number: int, event: dict[str, Any]) -> Event:
    actions = _get(event, "actions")
    asked = [_get(actions, name) for name in ("requested_tool_confirmations", "requested_auth_configs")]
    long_running = _get(event, "long_running_tool_ids")
    return Event(
        row=name_of(event.get("id"), f"event-{number}"),
        turn=name_of(_get(event, "invocation_id"), "invocation"),
        ts=when(event.get("timestamp")),
        author=name_of(event.get("author")),
        parts=tuple(_part(part) for part in _parts(event, number)),
        long_running=frozenset(map(str, long_running if isinstance(long_running, list) else ())),
        asks_first=frozenset(name for names in asked if isinstance(names, dict) for name in names),
        error=id_of(_get(event, "error_code")),
    )


def _parts(event: dict[str, Any], number: int) -> list[dict[str, Any]]:
    content = event.get("content")
    parts = (content.get("parts") or []) if isinstance(content, dict) else []
    if not isinstance(content, dict | None) or not isinstance(parts, list):
        raise CorruptLedger("an event's content has no parts", row=number)
    if not all(isinstance(part, dict) for part in parts):
        raise CorruptLedger("a part of an event is no object", row=number)
    return parts


def _part(part: dict[str, Any]) -> Part:
    for kind in ("function_call", "tool_call", "executable_code"):
        if isinstance(call := _get(part, kind), dict):
            return Part(call_id=id_of(call.get("id")), name=_name(call), value=_args(call), is_call=True)
    for kind in ("function_response", "tool_response"):
        if isinstance(answer := _get(part, kind), dict):
            return _answer(answer, answer.get("response"))
    if isinstance(result := _get(part, "code_execution_result"), dict):
        return _code_result(result)
    text = part.get("text")
    return Part(text=text if isinstance(text, str) and not part.get("thought") else "")


def _name(call: dict[str, Any]) -> str:
    return name_of(call.get("name") or _get(call, "tool_type"), "code_execution")


def _args(call: dict[str, Any]) -> Any:
    return call.get("args") if "code" not in call else {"code": call["code"]}


def _answer(answer: dict[str, Any], value: Any) -> Part:
    failed = isinstance(value, dict) and bool(value.get("error"))
    goes_on = _get(answer, "will_continue") is True
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
