"""The writer's side: evidence in the right order around every tool (design, Recorder)."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from types import TracebackType
from typing import Any, Literal, Self, TypeGuard, get_args

from msgspec import UNSET, Raw, structs

from resume_gate.errors import InvalidEvent
from resume_gate.events.canonical import canonical_args_hash, too_deep
from resume_gate.events.event import (
    TOOL_BOUNDARY,
    Actions,
    FunctionCall,
    FunctionResponse,
    RecoveryMode,
    Refs,
    RuntimeEvent,
    RuntimeProtocol,
    Text,
    Thinking,
    ToolDispatch,
)
from resume_gate.failpoints import FailpointCallback, pass_by
from resume_gate.ledger.files.store import LedgerWriter

_HIDDEN: dict[str, Any] = {"model_visibility": "hidden"}
EndStatus = Literal["completed", "failed", "aborted", "cancelled"]


def now_ms() -> int:
    """Return the time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Return an id that nobody has used."""
    return uuid.uuid4().hex


class Recorder:
    """Writes one turn of one invocation into an open ledger, each method in one durable append.

    On an empty ledger the first event carries the protocol marker. Methods raise what ``LedgerWriter.append`` raises.
    ``failpoint`` is called with P0 to P9 where they stand (contract section 8).
    """

    def __init__(
        self,
        ledger: LedgerWriter,
        *,
        invocation_id: str,
        turn_id: str,
        failpoint: FailpointCallback = pass_by,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.ledger = ledger
        self.failpoint = failpoint
        self._clock = clock
        self._identity: dict[str, Any] = {
            "invocation_id": invocation_id,
            "turn_id": turn_id,
            "run_id": ledger.run.run_id,
            "session_id": ledger.run.session_id,
        }

    def user(self, text: str) -> RuntimeEvent:
        """Commit what the user said."""
        return self._commit(role="user", author="user", content=Text(text=text))

    def say(self, text: str) -> RuntimeEvent:
        """Commit what the model said, as its next step."""
        self.failpoint("P7")
        return self._commit(role="model", author="agent", content=Text(text=text))

    def think(self, text: str, signature: str | None = None) -> RuntimeEvent:
        """Commit what the model thought, as its next step."""
        self.failpoint("P7")
        content = Thinking(text=text, signature=UNSET if signature is None else signature)
        return self._commit(role="model", author="agent", content=content)

    def tool(
        self,
        call_id: str,
        name: str,
        args: Any,
        *,
        recovery: RecoveryMode = "never_auto_retry",
        hidden: bool = False,
        parent: ToolCall | None = None,
    ) -> ToolCall:
        """Return the context manager, sync or async, that a tool runs in.

        Entering commits the call, then T1; leaving commits T2. ``args`` is any JSON; ``call_id`` is new in this
        invocation; ``hidden`` keeps call and result from the model; ``parent`` is the call that this one runs inside.
        """
        if recovery not in get_args(RecoveryMode):
            raise InvalidEvent(f"{recovery!r} is no recovery mode; the tool was not started")
        return ToolCall(self, FunctionCall(id=call_id, name=name, args=_args(args)), recovery, parent, hidden=hidden)

    def end(self, status: EndStatus = "completed") -> RuntimeEvent:
        """Commit the terminal event of the invocation."""
        self.failpoint("P8")
        event = self._commit(role="system", author="system", status=status, actions=Actions(end_invocation=True))
        self.failpoint("P9")
        return event

    def _commit(self, **parts: Any) -> RuntimeEvent:
        event = self._event(**parts)
        if self.ledger.high_water:
            self.ledger.append(event)
        elif isinstance(event.content, FunctionCall):  # no lane holds both a call and the marker
            self.ledger.append_all([_marked(self._event(role="system", author="host", **_HIDDEN)), event])
        else:
            self.ledger.append(_marked(event))
        return event

    def _event(self, **parts: Any) -> RuntimeEvent:
        return RuntimeEvent(id=new_id(), ts=self._clock(), partial=False, **self._identity, **parts)


def _marked(event: RuntimeEvent) -> RuntimeEvent:
    actions = Actions() if event.actions is UNSET else event.actions
    protocol = RuntimeProtocol(tool_boundary=TOOL_BOUNDARY)
    return structs.replace(event, actions=structs.replace(actions, runtime_protocol=protocol))


class ToolCall:
    """One tool call under way: set ``result`` inside the block.

    An ``Exception`` out of the block is an outcome: it is recorded as the call's error and goes no further; look at
    ``error``. A cancellation of any host, ``KeyboardInterrupt`` or ``SystemExit`` is none: nothing is recorded, it goes
    on, and the operation stays indeterminate. A second block with a used call id is ``InvalidEvent``, before the tool
    runs.
    """

    def __init__(
        self,
        recorder: Recorder,
        call: FunctionCall,
        recovery: RecoveryMode,
        parent: ToolCall | None,
        *,
        hidden: bool,
    ) -> None:
        self.id = call.id
        self.name = call.name
        self.operation_id = new_id()
        self.result: Any = None
        self.error: Exception | None = None
        self._recorder = recorder
        self._call = call
        self._recovery = recovery
        self._parent = parent
        self._visibility: dict[str, Any] = _HIDDEN if hidden else {}

    def _start(self) -> Self:
        at = self._recorder.failpoint
        dispatch, refs = self._dispatch(), self._refs(T1=True)
        at("P0")
        self._commit(role="model", author="agent", content=self._call)
        at("P1")
        self._commit(role="system", author="system", actions=Actions(tool_dispatch=dispatch), refs=refs)
        at("P2")
        return self

    def _dispatch(self) -> ToolDispatch:
        args_hash = canonical_args_hash(self.name, bytes(self._call.args))
        if args_hash is None:
            raise InvalidEvent(f"the arguments of {self.name} ({self.id}) cannot be hashed; the tool was not started")
        return ToolDispatch(
            protocol=TOOL_BOUNDARY,
            operation_id=self.operation_id,
            provider_tool_call_id=self.id,
            tool_name=self.name,
            canonical_args_hash=args_hash,
            recovery_mode=self._recovery,
        )

    def _refs(self, *, T1: bool = False) -> Refs:  # noqa: N803 - the contract's name for the fact
        own = {"operation_id": self.operation_id, "tool_call_id": self.id}
        if T1 and self._parent is not None:
            own |= {"parent_tool_call_id": self._parent.id, "parent_operation_id": self._parent.operation_id}
        return Refs(**own)  # type: ignore[arg-type]

    def _finish(self, error: BaseException | None) -> bool:
        if error is not None and not is_outcome(error):
            return False
        self.error = error
        self._recorder.failpoint("P4")
        self._commit(role="tool", author="tool", content=self._response(), refs=self._refs())
        self._recorder.failpoint("P5")
        self._recorder.failpoint("P6")
        return True

    def _response(self) -> FunctionResponse:
        if self.error is None:
            return FunctionResponse(id=self.id, name=self.name, result=_result(self.result))
        failure = {"error": type(self.error).__name__, "message": _words(str, self.error)}
        return FunctionResponse(id=self.id, name=self.name, result=_result(failure), is_error=True)

    def _commit(self, **parts: Any) -> None:
        self._recorder._commit(**parts, **self._visibility)  # noqa: SLF001 - the two halves of one writer

    def __enter__(self) -> Self:
        return self._start()

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        return self._finish(error)

    async def __aenter__(self) -> Self:
        return self._start()

    async def __aexit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        return self._finish(error)


def is_outcome(error: BaseException) -> TypeGuard[Exception]:
    """Tell whether an exception says how a tool ended, and not that somebody stopped it from outside.

    A cancellation is known by its name: hosts have classes of their own for it, and some make them plain exceptions,
    which they raise right inside a tool (the Temporal SDK does in a thread, ``concurrent.futures`` does for a future).
    """
    if isinstance(error, BaseExceptionGroup):
        return all(is_outcome(inner) for inner in error.exceptions)
    cancelled = any(kind.__name__ == "CancelledError" for kind in type(error).__mro__)
    return isinstance(error, Exception) and not cancelled


def _args(value: Any) -> Raw:
    try:
        return Raw(json.dumps(value, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEvent(f"the arguments are not JSON ({error}); the tool was not started") from error


def _result(value: Any) -> Raw:
    # The effect is done by now: whatever the tool returned must not keep its outcome out of the ledger.
    try:
        text = json.dumps(value, allow_nan=False, default=str).encode()
    except Exception:  # noqa: BLE001 - the value's own code may raise anything
        text = b""
    fits = text and not too_deep(b"[[[" + text)
    return Raw(text if fits else json.dumps(_words(repr, value)).encode())


def _words(say: Callable[[Any], str], value: Any) -> str:
    try:
        return say(value)
    except Exception:  # noqa: BLE001 - as above
        return f"a {type(value).__name__} that does not say what it is"
