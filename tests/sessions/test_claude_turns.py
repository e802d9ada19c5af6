"""Where a Claude Code session may hide a call: wherever a request can have been under way without its answer."""

from resume_gate.sessions.formats.claude_code import session as claude_code
from tests.sessions.claude_rows import Chat, clean
from tests.sessions.verdicts import reading, verdict


def test_a_prompt_at_the_end_blocks() -> None:
    """A tool can have run whose row was still to be written."""
    found = reading(claude_code, clean().asks("and order 8").data())
    assert found.hides is not None
    assert "2026-11-01T10:00:05" in found.hides


def test_a_result_at_the_end_blocks() -> None:
    """The next request was under way."""
    assert verdict(claude_code, Chat().asks().calls("a").result("a").data()) == "blocked"


def test_an_answer_that_did_not_end_blocks() -> None:
    """Without a stop reason the response was cut off."""
    assert verdict(claude_code, Chat().asks().says(stop=None).data()) == "blocked"


def test_a_dropped_response_that_was_retried_is_safe() -> None:
    """Its call has a result and a later answer ended the turn."""
    chat = Chat().asks().calls("a", stop=None).result("a").says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_request_that_was_cut_off_blocks_also_after_a_resume() -> None:
    """The program's own answer in its place proves nothing."""
    assert verdict(claude_code, Chat().asks().resumed().asks("go on").says().data()) == "blocked"


def test_a_second_prompt_before_an_answer_blocks() -> None:
    """The first request was cut off, whatever stands between."""
    assert verdict(claude_code, Chat().asks().asks("go on").says().data()) == "blocked"


def test_an_interrupted_turn_is_safe_where_its_calls_are_settled() -> None:
    """The program lived to write the interruption, and the rows before it."""
    chat = Chat().asks().calls("a").result("a").asks("[Request interrupted by user]").asks("go on").says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_local_commands_ask_nothing() -> None:
    """The program answers them itself, without a request."""
    chat = clean().asks("<command-name>/model</command-name>").asks("<local-command-stdout>set</local-command-stdout>")
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_an_error_of_the_service_ends_a_turn() -> None:
    """The program lived to write it."""
    error = {"id": "e", "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence"}
    content = [{"type": "text", "text": "API Error: 529"}]
    chat = Chat().asks().row("assistant", message={**error, "content": content}, isApiErrorMessage=True)
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_a_message_that_stopped_for_a_tool_shows_a_call_that_is_not_there() -> None:
    """The text's row knew how the response ended; the call's row was never written."""
    chat = Chat().asks().says(stop="tool_use").asks("[Request interrupted by user]").asks("go on").says()
    assert verdict(claude_code, chat.data()) == "blocked"


def test_a_tool_that_was_used_without_a_call_blocks() -> None:
    """The program notes a tool's name before the call's row."""
    assert verdict(claude_code, clean().row("tools-used", tools=["Write"]).data()) == "blocked"
    assert verdict(claude_code, clean().row("tools-used", tools=["Bash"]).data()) == "safe_replay"


def test_a_request_without_an_answer_blocks() -> None:
    """A response that was thrown away can have run a tool; newer versions log what they sent."""
    sent = {"querySource": "sdk"}
    chat = Chat().asks().row("api-request", id="r1", **sent).row("api-request", id="r2", **sent)
    assert verdict(claude_code, chat.says(requestRef="r2").data()) == "blocked"
    chat = Chat().asks().row("api-request", id="r1", querySource="title").row("api-request", id="r2", **sent)
    assert verdict(claude_code, chat.says(requestRef="r2").data()) == "safe_replay"
