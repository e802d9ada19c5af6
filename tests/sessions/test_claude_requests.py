"""What else makes Claude Code ask the model: a command that is a prompt, a note that waited in the queue."""

import pytest

from resume_gate.sessions.formats.claude_code import session as claude_code
from tests.sessions.claude_rows import Chat, clean
from tests.sessions.verdicts import verdict

COMMAND = "<command-message>charge is running</command-message>\n<command-name>/charge</command-name>"
NOTE = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"


def test_a_commands_prompt_that_was_cut_off_blocks() -> None:
    """It stands in a row of the program's own; a tool can have run before the next prompt."""
    chat = clean().asks(COMMAND).asks("Charge the next order.", isMeta=True)
    assert verdict(claude_code, chat.data()) == "blocked"
    assert verdict(claude_code, chat.asks("go on").says().data()) == "blocked"


def test_a_commands_prompt_that_was_answered_is_safe() -> None:
    """As any prompt is."""
    chat = clean().asks(COMMAND).asks("Charge the next order.", isMeta=True).says().asks("go on").says()
    assert verdict(claude_code, chat.data()) == "safe_replay"


def test_other_notes_of_the_program_go_with_the_next_prompt() -> None:
    """No request is made for them alone."""
    assert verdict(claude_code, clean().asks("By the way.", isMeta=True).asks("go on").says().data()) == "safe_replay"


def test_a_queued_note_that_was_cut_off_blocks() -> None:
    """It asks the model by itself when nobody else does."""
    chat = clean().asks(NOTE, origin={"kind": "task-notification"})
    assert verdict(claude_code, chat.asks("go on").says().data()) == "blocked"


def test_queued_notes_are_asked_together() -> None:
    """The answer after them is to all."""
    chat: Chat = clean().asks(NOTE, origin={"kind": "task-notification"})
    assert verdict(claude_code, chat.asks("and order 8", promptSource="queued").says().data()) == "safe_replay"


@pytest.mark.parametrize("text", ["Caveat: it is order 7", "[Request interrupted by user] was on the screen, go on"])
def test_a_prompt_that_begins_like_a_row_of_the_programs_own_is_a_prompt(text: str) -> None:
    """The program marks its own."""
    assert verdict(claude_code, clean().asks(text).data()) == "blocked"
    assert verdict(claude_code, clean().asks("Caveat: local commands", isMeta=True).data()) == "safe_replay"
