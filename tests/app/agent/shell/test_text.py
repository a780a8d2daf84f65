"""No command that a shell would run escapes the reader, whatever its quotes: real shells say what they run (A12)."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.agent.shell.text import Kind, Simple, Unreadable, parse

SHELLS = [name for name in ("bash", "dash") if shutil.which(name)]

# `p` tells in one piece what it was given. Nothing else can be run: PATH is empty.
_PROBE = 'p() { s=p; for x in "$@"; do s="$s\x1f$x"; done; printf \'%s\\036\' "$s" >&9; }\n'

_PIECES = (
    "p\0p\0p \0p \0a\0b\0 \0 \0'\0'\0\"\0\"\0\\\0\\'\0\\\"\0\n\0;\0&\0&&\0|\0||\0|&\0| p \0$(\0)\0(\0`\0`\0#\0 #\0{\0}\0{ \0; }\0"
    "<<E\n\0<<'E'\n\0<<-E\n\0\nE\n\0E\0>f \0002>f\0>&2\0&>f\0<f\0<<<\0$\0$x\0${x}\0${x:-\0~\0~/\0$HOME\0\"$HOME\"\0=\0x=\0*\0?\0"
    "[\0]\0if p; then \0; fi\0for x in a; do \0for x do \0; done\0! \0-\0\t\0\\\n\0 \\\n\0!\0:\0,\0..\0.\0/\0else \0if\0then\0"
    "fi\0time \0\\$\0\\`\0$'\0$\"\0$[\0$((\0))\0é\x001"
)
_pieces = st.sampled_from(_PIECES.split("\0"))


def ran(shell: str, script: str, folder: Path) -> list[list[str]]:
    """The words of each `p` that `shell` ran."""
    asked = [shutil.which(shell) or shell, "-c", _PROBE + script]
    done = subprocess.run(  # it waits for what runs in the background, too, which holds 9 open
        ["/bin/sh", "-c", 'exec 9>&1 >/dev/null; exec "$@"', "sh", *asked],
        cwd=folder,
        env={"PATH": "", "HOME": "/h"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=20,
        check=False,
    )
    return [run.split("\x1f") for run in done.stdout.decode(errors="replace").split("\x1e")[:-1]]


def tells_of(command: Simple, words: list[str]) -> bool:
    if any(word.kind is not Kind.EXACT for word in command.words):
        return True  # it is known that it is not known
    texts = [word.text for word in command.words if "=" not in word.raw]
    given = [
        "/h" + text[1:]
        if text == "~" or text.startswith("~/")
        else text.removeprefix("./")
        if "~" in text
        else text
        for text in texts
    ]
    is_run = [word if "~" not in word else word.removeprefix("./") for word in words]
    return [each for each in given if "=" not in each] == [each for each in is_run if "=" not in each]


@pytest.mark.skipif(not SHELLS, reason="no shell to ask")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(shell="dash", script="p &>f p a")
@example(shell="bash", script="for x do p a; done")
@example(shell="bash", script="i\\\nf p; then p b; fi")
@example(shell="bash", script="p <<E\nE\\\n\np a\nE\np b")
@example(shell="bash", script='p {"a b",c}')
@example(shell="bash", script='p "$HOME"/x "~" \\~')
@given(shell=st.sampled_from(SHELLS or ["none"]), script=st.lists(_pieces, max_size=14).map("".join))
def test_whatever_a_shell_runs_was_read(tmp_path: Path, shell: str, script: str) -> None:
    try:
        read = parse(script).commands
    except Unreadable:
        return

    for words in ran(shell, script, tmp_path):
        assert any(tells_of(command, words) for command in read), (words, read)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p 'a b'\"c\"\\ d", [["p", "a bc d"]]),
        ("p a;p b&&p c||p d|p e&p f\np g", [["p", each] for each in "abcdefg"]),
        ("(p a); { p b; }", [["p", "a"], ["p", "b"]]),
        ("p # $(p b)", [["p"]]),
        ("if p a; then p b; else p c; fi", [["p", each] for each in "abc"]),
        ("p <<'E'\n$(p b)\nE\np c", [["p"], ["p", "c"]]),
        ("p a \\\n  b", [["p", "a", "b"]]),
        ("p 2>&1 >f a", [["p", "a"]]),
    ],
)
def test_quotes_separators_and_texts_below_are_read_as_a_shell_does(
    text: str, expected: list[list[str]]
) -> None:
    commands = parse(text).commands

    assert [[word.text for word in command.words] for command in commands] == expected


@pytest.mark.parametrize(
    "text", ['p "$(p b)"', "p `p b`", 'p "`p b`"', "p <(p b)", "p >(p b)", "p <<E\n$(p b)\nE", "p x=$(p b)"]
)
def test_what_stands_within_another_command_is_found(text: str) -> None:
    commands = parse(text).commands

    assert ["p", "b"] in [[word.text for word in command.words] for command in commands]


@pytest.mark.parametrize(
    "text",
    [
        "f() { p; }", "function f { p; }", "case a in a) p;; esac", "[[ a ]]", "((a))", "$((a))", "a=(b)", "p $'\\x61'",
        'p $"a"', "p 'a", 'p "a', "p `a", "p $(a", "p )", "p <<E\na", "p \\", "p ${a:b}", "p ${!a}", "p ${a@P}", "p @(a|b)",
        "$\\\n(p)", "p \x1b[31m", "p \u202e", "p \u200b", "p\r", "p\0", "for x do p; done", "p >", "ls &>f rm a", "$(" * 30,
        "p " * 20_000,
    ],
)  # fmt: skip
def test_what_is_not_understood_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_a_word_says_whether_it_is_known_before_it_runs() -> None:
    words = parse("p a '*' *.py $x a{b,c} ~/d '~/d' \"$HOME/e\" ~f").commands[0].words

    assert [(word.text, word.kind) for word in words[1:]] == [
        ("a", Kind.EXACT),
        ("*", Kind.EXACT),
        ("*.py", Kind.GLOB),
        ("$x", Kind.OPEN),
        ("a{b,c}", Kind.OPEN),
        ("~/d", Kind.EXACT),
        ("./~/d", Kind.EXACT),
        ("~/e", Kind.EXACT),
        ("~f", Kind.OPEN),
    ]


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        parse(text)
    except Unreadable:
        return  # nothing else is raised
