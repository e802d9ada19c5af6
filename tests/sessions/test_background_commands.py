"""Which shell commands go on after their shell has ended: unsure counts as yes."""

import pytest

from resume_gate.sessions.background import asks_for_background, leaves_behind, says_running


@pytest.mark.parametrize(
    "command",
    [
        "./charge 7 &",
        "(sleep 4; ./charge 7) >/dev/null 2>&1 &",
        "./a & ./b",
        "nohup ./charge 7 > log 2>&1 &\necho started",
        "./charge 7 &>/dev/null &",
        'bash -c "./charge 7 & "',
        "timeout 9 sh -c './charge 7 &'",
        'ssh host "./charge 7 &"',
        "setsid ./charge 7",
        "systemd-run --user ./charge 7",
        "tmux new-session -d ./charge 7",
        "screen -dmS pay ./charge 7",
        "echo ./charge 7 | at now + 1 minute",
        "docker run --rm -d shop ./charge 7",
        "docker compose up --detach",
        'echo "$(./charge 7 >/dev/null &)"',
        'echo "`./charge 7 >/dev/null &`"',
        "cat <<EOF\nx\nEOF\n./charge 7 &",
        "bash <<EOF\n./charge 7 &\nEOF",
        "cat <<EOF & \nx\nEOF",
        "echo it's & ./charge",
        "curl http://x/?a=1&b=2",
        "& " + "x" * 200_000,
    ],
)
def test_a_command_goes_on(command: str) -> None:
    """Something in it is put in the background."""
    assert leaves_behind({"command": command})


@pytest.mark.parametrize(
    "command",
    [
        "./a && ./b",
        "./charge 7 >> f; echo boom >&2; exit 3",
        "./charge 2>&1 | tee log",
        "./charge &> log",
        "./a |& ./b",
        'echo "a & b"',
        'echo "a & b on $(date)"',
        "docker run --rm -v /d:/d -e DAY=1 shop ./charge 7",
        "tmux ls; at -l; screen -ls",
        "echo 'a & b'",
        "echo \\& x",
        "./charge 7 # and & so on",
        "sed 's/a/&&/' f",
        "cat <<EOF\na & b\nEOF",
        "cat <<-'E_1' > f\n\ta & b\n\tE_1\nls",
        "git commit -m \"$(cat <<'EOF'\nTom & Jerry's\nEOF\n)\"",
        'python -c "print(1 & 2)"',
        "case x in a) ./b;;& esac",
    ],
)
def test_a_command_ends_with_its_shell(command: str) -> None:
    """Its ampersands mean something else."""
    assert not leaves_behind({"command": command})


def test_only_a_shell_knows_the_ampersand() -> None:
    """In a list of words it stands for itself, except in what a shell is given to run."""
    assert not leaves_behind({"command": ["echo", "&"]})
    assert leaves_behind({"command": ["bash", "-lc", "./charge &"]})


@pytest.mark.parametrize("args", [None, "x &", ["x &"], {"text": "a & b"}, {"command": 7}, {"command": [7, "&"]}])
def test_other_arguments_are_no_command(args: object) -> None:
    """Whatever they are."""
    assert not leaves_behind(args)


def test_a_flag_asks_for_the_background() -> None:
    """Only where it is set."""
    assert asks_for_background({"run_in_background": True})
    assert not asks_for_background({"run_in_background": False})
    assert not asks_for_background(None)


def test_a_result_says_that_it_runs_on_a_line_of_its_own() -> None:
    """At the start or at the end of a long output, and not in the middle of other words."""
    said = "Command running in background with ID: b1"
    assert says_running(said)
    assert says_running("x" * 9000 + f"\n{said}")
    assert not says_running(f"> {said}")
    assert says_running(f"so far\n{said}")
    assert not says_running(f"so far\n{said}", at_start=True)
