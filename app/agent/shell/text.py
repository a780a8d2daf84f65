"""A command line for a POSIX shell or bash, as the simple commands that it may run; nothing is expanded or run.

What is read is a safe part of the language. The rest (functions, `case`, `[[ ]]`, arithmetic, `$'…'`, array values)
is `Unreadable`, and so is what can't be shown as it is: a command is not guessed at.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

_MOST_CHARS = 20_000
_DEEPEST = 8


class Unreadable(ValueError):
    """Caught by whoever judges a command, to ask each time."""


class Kind(StrEnum):
    EXACT = "exact"
    """`text` is what the program gets."""
    GLOB = "glob"
    """Names of files stand in its place."""
    OPEN = "open"
    """Holds what is known only when it runs."""


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    """Without quotes. `~/` at its beginning is the home folder; a name that begins so is `./~`."""
    kind: Kind = Kind.EXACT
    raw: str = ""
    """As it is written."""


@dataclass(frozen=True, slots=True)
class Redirect:
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments stand first among the words."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """Every simple command, those in substitutions before the one they stand in."""

    commands: tuple[Simple, ...]
    has_loop: bool = False
    """What stands later may run before what stands earlier."""


def parse(text: str, *, depth: int = 0) -> Script:
    """Every command that `text` can run.

    Raises:
        Unreadable: it is not understood for certain.
    """
    if len(text) > _MOST_CHARS or any(not _is_plain(char) for char in text):
        raise Unreadable("too long, or with characters that can't be seen")
    reader = _Reader(text=text, depth=depth)
    reader.script(closing="")
    return Script(tuple(reader.found), reader.has_loop)


def _is_plain(char: str) -> bool:
    return char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


_OPERATOR = re.compile(r"&&|\|\||\|&|;;|[;|\n()]|&(?!>)")
_REDIRECT = re.compile(r"(?:\d*(?:<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)|&>>|&>)(?!\()")
_PROCESS = re.compile(r"[<>]\(")
_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_HOME = re.compile(r"\$(?:HOME|\{HOME\})(?=/|$|[\s;&|<>()])")
_QUOTED_HOME = re.compile(r'\$(?:HOME|\{HOME\})(?=/|"(?:/|$|[\s;&|<>()]))')
_TILDE = re.compile(r"~(?=/|$|[\s;&|<>()])")
_VARIABLE = re.compile(r"\$(?:\w+|[@*#?$!-]|\{#?\w+(?:(?::[+=?-]|[%#/,^+=?-])[^{}$`'\"\\\n]*)?\})", re.ASCII)
_ENDS = frozenset(" \t\n;&|<>()")
_SKIPPED = frozenset(
    ("if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!", "time")
)
_LOOPS = frozenset(("for", "while", "until"))
_UNREAD = frozenset(("case", "esac", "select", "function", "coproc", "[["))


@dataclass(slots=True)
class _Heredoc:
    delimiter: str
    is_literal: bool
    strips_tabs: bool


@dataclass(slots=True)
class _Reader:
    text: str
    depth: int
    at: int = 0
    found: list[Simple] = field(default_factory=list[Simple])
    has_loop: bool = False
    _words: list[Word] = field(default_factory=list[Word])
    _redirects: list[Redirect] = field(default_factory=list[Redirect])
    _heredocs: list[_Heredoc] = field(default_factory=list[_Heredoc])

    def __post_init__(self) -> None:
        if self.depth > _DEEPEST:
            raise Unreadable("too deep")

    def script(self, *, closing: str) -> None:
        """Reads up to and with `closing`, or to the end if that is empty."""
        n_open = 0
        while True:
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
            if self.at >= len(self.text):
                break
            if operator := _OPERATOR.match(self.text, self.at):
                self.at = operator.end()
                n_open += {"(": 1, ")": -1}.get(operator[0], 0)
                if self._operator(operator[0], is_closed=n_open < 0, closing=closing):
                    return
            elif self.text[self.at] == "#":
                self.at = (self.text + "\n").index("\n", self.at)
            elif redirect := _REDIRECT.match(self.text, self.at):
                self.at = redirect.end()
                self._redirect(redirect[0].lstrip("0123456789"))
            else:
                self._word_of_command()
        self._finish()
        if closing or n_open or self._heredocs:
            raise Unreadable("cut off")

    def _operator(self, operator: str, *, is_closed: bool, closing: str) -> bool:
        """Whether the script is at its end."""
        if operator == ";;" or (operator == "(" and (self._words or self.text.startswith("(", self.at))):
            raise Unreadable("a function, an array, arithmetic, or `case`")
        self._finish()
        if operator == "\n":
            self._skip_heredocs()
        if not is_closed:
            return False
        if closing != ")" or self._heredocs:
            raise Unreadable("a bracket too many")
        return True

    def _finish(self) -> None:
        if (
            self._words
            and self._words[0].raw == "for"
            and [word.raw for word in self._words[2:3]] not in ([], ["in"])
        ):
            raise Unreadable("a loop whose words and commands are one line")
        if self._words or self._redirects:
            self.found.append(Simple(tuple(self._words), tuple(self._redirects)))
        self._words, self._redirects = [], []

    def _word_of_command(self) -> None:
        word = self._word()
        keyword = word.raw if not self._words else ""
        if keyword in _UNREAD or any(each.operator.startswith("&>") for each in self._redirects):
            # Behind `&>` stand words of the same command for bash, of another one for a POSIX shell.
            raise Unreadable("a part of the language that is not read")
        self.has_loop |= keyword in _LOOPS
        if keyword not in _SKIPPED:
            self._words.append(word)

    def _redirect(self, operator: str) -> None:
        if blank := _BLANK.match(self.text, self.at):
            self.at = blank.end()
        target = self._word()
        if not target.raw:
            raise Unreadable("a redirection to nowhere")
        if operator in ("<<", "<<-"):
            if not re.fullmatch(r"'[\w.-]+'|\"[\w.-]+\"|[\w.-]+", target.raw):
                raise Unreadable("the end of a text that stands below")
            is_literal = target.raw[0] in "'\""
            self._heredocs.append(_Heredoc(target.text, is_literal, strips_tabs=operator == "<<-"))
        self._redirects.append(Redirect(operator, target))

    def _skip_heredocs(self) -> None:
        for heredoc in self._heredocs:
            start = self.at
            while True:
                end = self.text.find("\n", self.at)
                line = self.text[self.at : end if end >= 0 else None]
                body = self.text[start : self.at]
                self.at = end + 1 if end >= 0 else len(self.text)
                if (line.lstrip("\t") if heredoc.strips_tabs else line) == heredoc.delimiter:
                    break
                if end < 0:
                    raise Unreadable("a text that stands below and does not end")
            if not heredoc.is_literal:
                if "\\\n" in body:
                    raise Unreadable("lines that are one, among which one may be the end")
                inner = self._nested(body)
                inner.expansions()
                self.has_loop |= inner.has_loop
        self._heredocs = []

    # ---- words

    def _word(self) -> Word:
        start = self.at
        pieces: list[str] = []
        kinds: set[Kind] = set()
        is_home = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if _PROCESS.match(self.text, self.at):
                self.at += 1
                self._substitution()
                kinds.add(Kind.OPEN)
                continue
            if char in _ENDS:
                break
            if not pieces and (home := _home(self.text, self.at)):
                is_home = True
                self.at = home.end()
                pieces.append("~" + (self._quoted('"', kinds) if char == '"' else ""))
                continue
            pieces.append(self._piece(char, kinds, is_first=self.at == start))
        if self.at < len(self.text) and self.text[self.at] == "(" and self.at > start:
            raise Unreadable("a function, an array or a pattern")
        raw = self.text[start : self.at]
        if self._heredocs and "\n" in raw:
            raise Unreadable("a text that stands below begins within a word")
        text = "".join(pieces)
        if text.startswith("~") and not is_home and Kind.OPEN not in kinds:
            text = f"./{text}"
        kind = Kind.OPEN if Kind.OPEN in kinds else Kind.GLOB if kinds and raw != "[" else Kind.EXACT
        return Word(text, kind, raw)

    def _piece(self, char: str, kinds: set[Kind], *, is_first: bool) -> str:
        """One character's worth of a word, or one quoted part of it; `at` is moved behind it."""
        self.at += 1
        match char:
            case "\\":
                self.at += 1
                return self._escaped(self.at - 1)
            case "'":
                start, self.at = self.at, self._closing("'") + 1
                return self.text[start : self.at - 1]
            case '"':
                return self._quoted('"', kinds)
            case "$" | "`":
                return self._expansion(char, kinds, is_quoted=False)
            case _:
                if char in "*?[":
                    kinds.add(Kind.GLOB)
                elif (char == "~" and is_first) or (char == "{" and self.text[self.at : self.at + 1] != "}"):
                    kinds.add(Kind.OPEN)
                return char

    def _escaped(self, at: int) -> str:
        # The shell joins lines before it looks for anything: the two halves of `$(` or of `if` may be on two.
        if self.text[at : at + 1] in ("", "\n"):
            raise Unreadable("a word on two lines")
        return self.text[at]

    def _closing(self, quote: str) -> int:
        found = self.text.find(quote, self.at)
        if found < 0:
            raise Unreadable("a quote that does not end")
        return found

    def _quoted(self, closing: str, kinds: set[Kind]) -> str:
        """What stands in double quotes, `at` behind the first; up to the end if `closing` is empty."""
        pieces: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == closing:
                return "".join(pieces)
            if char in "$`":
                pieces.append(self._expansion(char, kinds, is_quoted=True))
            elif char == "\\" and self.text[self.at : self.at + 1] in ("$", "`", '"', "\\", "\n"):
                pieces.append(self._escaped(self.at))
                self.at += 1
            else:
                pieces.append(char)
        if closing:
            raise Unreadable("a quote that does not end")
        return "".join(pieces)

    def _expansion(self, char: str, kinds: set[Kind], *, is_quoted: bool) -> str:
        start = self.at - 1
        following = self.text[self.at : self.at + 1]
        if char == "`":
            self._backticks(is_quoted=is_quoted)
        elif following == "(":
            self._substitution()
        elif variable := _VARIABLE.match(self.text, start):
            self.at = variable.end()
        elif following in ("{", "[") or (following in ("'", '"') and not is_quoted):
            raise Unreadable("an expansion that is not read")
        else:
            return "$"
        kinds.add(Kind.OPEN)
        return self.text[start : self.at]

    def _substitution(self) -> None:
        """`at` is on the opening bracket, and moved behind the closing one."""
        if self.text.startswith("((", self.at):
            raise Unreadable("arithmetic")
        inner = self._nested(self.text)
        inner.at = self.at + 1
        inner.script(closing=")")
        self.at = inner.at
        self.has_loop |= inner.has_loop

    def _backticks(self, *, is_quoted: bool) -> None:
        end = re.compile(r"(?:[^`\\]|\\.)*`", re.DOTALL).match(self.text, self.at)
        if not end:
            raise Unreadable("a quote that does not end")
        escaped = r'\\([\\$`"])' if is_quoted else r"\\([\\$`])"
        inner = self._nested(re.sub(escaped, r"\1", self.text[self.at : end.end() - 1]))
        inner.script(closing="")
        self.at = end.end()
        self.has_loop |= inner.has_loop

    def _nested(self, text: str) -> "_Reader":
        """Over another text; what it finds is found here."""
        return _Reader(text=text, depth=self.depth + 1, found=self.found)

    def expansions(self) -> None:
        """Reads a text in which only substitutions mean something."""
        self._quoted("", set())


def _home(text: str, at: int) -> re.Match[str] | None:
    if text[at] == '"':
        return _QUOTED_HOME.match(text, at + 1)
    return _TILDE.match(text, at) or _HOME.match(text, at)
