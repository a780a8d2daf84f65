"""What a shell command would do outside the chat, by the programs that it names (A12).

Nothing is sure of a program but its name, so that what isn't known is asked about; what is known to only read, with
options that are known, within the roots, is not. A rule names as much of a command as says what it can do: that of a
program which runs whatever it is given has the whole command.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from app.agent.paths import PathRefused, Roots, Use, Why, holds_keys, resolve, root_of
from app.agent.shell import programs as known
from app.agent.shell.text import Kind, Redirect, Script, Simple, Unreadable, Word, parse
from app.core.approvals import Access

_MOST_RULE_CHARS = 300
_MOST_FOLDERS = 16
_MOST_WORDS = 1_000
"""Each is looked up on disk."""

DISKS = "It changes disks, or how the computer starts or stops."
OUTSIDE = "It deletes what lies outside the folders of this chat."
KEYS = "It reads keys or a keyring."
BOMB = "It multiplies until the computer stands still."


@dataclass(frozen=True, slots=True)
class Deed:
    access: Access
    rule: str = ""
    """Without its access; empty: it can't be told from others that should be asked about."""
    refusal: str = ""


_READ = Deed(Access.READ)
_DANGEROUS = Deed(Access.DANGEROUS)


def deeds(command: str, roots: Roots, cwd: Path) -> tuple[Deed, ...]:
    """What each part of `command` would do, started in `cwd` by a POSIX shell or bash; never empty."""
    if known.FORK_BOMB.search(command):
        return (Deed(Access.DANGEROUS, refusal=BOMB),)
    return _Judge(roots, cwd).text(command)


class _Judge:
    def __init__(self, roots: Roots, cwd: Path, *, depth: int = 0) -> None:
        self._roots = roots
        self._depth = depth
        self._cwds: frozenset[Path] | None = None
        """Every folder that a command may be run in; None: not known."""
        if cwd.is_absolute() and root_of(roots, Path(os.path.realpath(cwd)), Use.READ):
            self._cwds = frozenset({cwd})

    def text(self, command: str) -> tuple[Deed, ...]:
        try:
            return self._script(parse(command, depth=self._depth)) or (_READ,)
        except (Unreadable, RecursionError):  # the second: programs that run programs that run …
            return (_DANGEROUS,)

    def _script(self, script: Script) -> tuple[Deed, ...]:
        if sum(len(each.words) for each in script.commands) > _MOST_WORDS:
            return (_DANGEROUS,)
        if script.has_loop and any(word.text == "cd" for each in script.commands for word in each.words):
            self._cwds = None
        return tuple(deed for each in script.commands for deed in self._simple(each))

    def _simple(self, simple: Simple) -> Iterable[Deed]:
        for redirect in simple.redirects:
            yield from self._watched(redirect.target)
            yield from self._redirected(redirect)
        for word in simple.words:
            yield from self._watched(word)
        yield from self._assigned(simple.words)

    def _assigned(self, words: Sequence[Word]) -> Iterable[Deed]:
        n = next((n for n, word in enumerate(words) if not known.ASSIGNMENT.match(word.raw)), len(words))
        for word in words[:n]:
            yield self._whole(Access.SHELL, [word]) if _is_kept(word) else Deed(Access.SHELL)
        if n < len(words):
            yield from self._command(words[n:])

    def _command(self, words: Sequence[Word]) -> Iterable[Deed]:
        head = words[0]
        name = PurePosixPath(head.text).name.casefold().removesuffix(".exe")
        line = " ".join((name, *(word.text for word in words[1:])))
        if head.kind is not Kind.EXACT or not name or head.text.startswith("-") or "=" in name:
            return (_DANGEROUS,)
        if known.REFUSED.fullmatch(name) or known.STOPPING.fullmatch(line):
            return (Deed(Access.DANGEROUS, refusal=DISKS),)
        if known.KEYRINGS.fullmatch(line):
            return (Deed(Access.DANGEROUS, refusal=KEYS),)
        if name not in known.READING and any(map(_names_disk, words[1:])):
            return (Deed(Access.DANGEROUS, refusal=DISKS),)
        if known.INTERPRETER.fullmatch(name):
            return self._interpreter(words)
        judge = next((judge for names, judge in self._judges() if name in names), None)
        return judge(name, words) if judge else (self._named(words, 1),)

    def _judges(self) -> tuple[tuple[Iterable[str], Callable[[str, Sequence[Word]], Iterable[Deed]]], ...]:
        return (
            (known.WRAPPERS, self._wrapped),
            (known.SHELLS, self._shell),
            (known.UNSEEN, lambda _, words: (_DANGEROUS,)),
            (known.DELETING, lambda _, words: self._deleted(words[1:], words)),
            (known.WRITING, self._written),
            (("cd",), self._moved),
            (("for",), self._looped),
            (("find",), self._found),
            (("git",), self._git),
            (known.INSTALLERS, lambda _, words: (self._whole(Access.INSTALL, words),)),
            (known.PARTED | known.INSTALLING.keys() | known.NET_PARTS.keys(), self._parted),
            (known.NET, lambda _, words: (self._whole(Access.NETWORK, words),)),
            (known.NAMING, self._only_names),
            (known.READING, self._read),
            (known.WHOLE | known.DECLARING, self._kept_whole),
        )

    # ---- rules

    def _whole(self, access: Access, words: Sequence[Word]) -> Deed:
        """The rule has every word, so that it holds for this command alone."""
        if any(
            word.kind is Kind.OPEN or (word.kind is Kind.GLOB and re.search(r"\s", word.text))
            for word in words
        ):
            return Deed(access)
        rule = " ".join(word.text if word.kind is Kind.GLOB else shlex.quote(word.text) for word in words)
        return Deed(access, rule if len(rule) <= _MOST_RULE_CHARS else "")

    def _named(self, words: Sequence[Word], n: int, access: Access = Access.SHELL) -> Deed:
        """The rule has the first `n` words."""
        return self._whole(access, words[:n])

    def _kept_whole(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        return (self._whole(Access.SHELL, words) if all(map(_is_kept, words)) else Deed(Access.SHELL),)

    # ---- paths

    def _texts(self, word: Word) -> list[str]:
        """The paths that `word` may be, one from each folder; of a pattern, the folder whose names it stands for.

        Raises:
            PathRefused: it is not known before it runs.
        """
        text = word.text
        if word.kind is Kind.GLOB:
            head, slash, _ = text.rpartition("/")
            text = (head or slash or ".") if not re.search(r"[*?[]", head) else ""
        is_whole = text.startswith(("/", "~/")) or text == "~"
        if word.kind is Kind.OPEN or not text or (self._cwds is None and not is_whole):
            raise PathRefused(word.text, Why.FORM, "is not known before it runs.")
        return [text] if is_whole else [f"{cwd}/{text}" for cwd in self._cwds or ()]

    def _places(self, word: Word, use: Use) -> list[Path]:
        """Where `word` leads.

        Raises:
            PathRefused: from one folder at least it leads to what may not be touched, or that can't be told.
        """
        return [resolve(self._roots, text, use) for text in self._texts(word)]

    def _can(self, words: Iterable[Word], use: Use) -> bool:
        """Without words, too: a program then takes the folder that it is in."""
        try:
            return self._cwds is not None and all(self._places(word, use) for word in words)
        except PathRefused:
            return False

    def _writes(self, words: Iterable[Word]) -> Iterable[Deed]:
        try:
            places = [place for word in words for place in self._places(word, Use.WRITE)]
        except PathRefused:
            return (_DANGEROUS,)
        return [Deed(Access.WRITE, str(root_of(self._roots, place, Use.WRITE))) for place in places]

    def _watched(self, word: Word) -> Iterable[Deed]:
        """Keys and secrets, wherever a command names them."""
        if ("://" in word.text and "file://" not in word.text) or re.search(r"\s", word.text):
            return
        for piece in {word.text, *re.split(r"[=:@,]", word.text)}:
            is_pattern = word.kind is Kind.EXACT and re.search(r"[*?[]", piece)
            if not is_pattern and holds_keys(PurePosixPath(piece)):
                yield Deed(Access.DANGEROUS, refusal=KEYS)
            elif word.kind is Kind.EXACT and self._is_secret(replace(word, text=piece)):
                yield _DANGEROUS

    def _is_secret(self, word: Word) -> bool:
        try:
            self._places(word, Use.READ)
        except PathRefused as refused:
            home = os.path.expanduser(word.text)  # noqa: PTH111  # a name that is nobody's stays
            return refused.why is Why.SENSITIVE and any(
                os.path.lexists(cwd / home) for cwd in self._cwds or (Path("/"),)
            )
        return False

    def _redirected(self, redirect: Redirect) -> Iterable[Deed]:
        operator, target = redirect.operator, redirect.target
        is_handle = operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", target.text)
        if operator.startswith("<<") or is_handle or target.raw in known.HARMLESS_DEVICES:
            return ()
        if _names_disk(target):
            return (Deed(Access.DANGEROUS, refusal=DISKS),)
        if target.text.startswith("/dev/"):
            return (_DANGEROUS,)  # to some shells, an address
        if operator != "<":
            return self._writes([target])
        return () if self._can([target], Use.READ) else (Deed(Access.SHELL),)

    # ---- programs

    def _wrapped(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        wrapper = known.WRAPPERS[name]
        rest = list(words[1:])
        if name == "command" and rest and rest[0].text in ("-v", "-V"):
            return self._only_names(name, words)
        while rest and rest[0].text.startswith("-") and rest[0].text != "--":
            option = rest.pop(0)
            if option.text in wrapper.values and rest:
                rest.pop(0)
            elif not wrapper.flags.fullmatch(option.text):
                return (_DANGEROUS,)
        rest = rest[wrapper.n_words + bool(rest and rest[0].text == "--") :]
        found: list[Deed] = [_DANGEROUS] if name in ("sudo", "doas") else []
        if not rest:
            return found or [self._whole(Access.SHELL, words)]
        if name == "xargs":
            rest.append(Word("…", Kind.OPEN, "…"))
        # What a shell takes for a word, these take for an assignment.
        return [*found, *self._assigned([replace(word, raw=word.text) for word in rest])]

    def _shell(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        rest = list(words[1:])
        while rest and re.fullmatch(r"-[elxuiv]+|--(?:norc|noprofile|login|posix)|-[eux]*o", rest[0].text):
            takes_value = rest.pop(0).text.endswith("o")
            if takes_value and rest:
                rest.pop(0)
        if not rest or any(word.kind is not Kind.EXACT for word in rest):
            return (_DANGEROUS,)
        if re.fullmatch(r"-[elxuiv]*c", rest[0].text) and len(rest) > 1:
            # Its folders are its own, and what it names is judged as if it stood here.
            inner = _Judge(self._roots, Path(), depth=self._depth + 1)
            inner._cwds = self._cwds
            return inner.text(rest[1].text)
        return (_DANGEROUS if rest[0].text.startswith("-") else self._whole(Access.SHELL, words),)

    def _interpreter(self, words: Sequence[Word]) -> Iterable[Deed]:
        if len(words) < 2 or words[1].text in ("-", "/dev/stdin"):
            return (_DANGEROUS,)  # it runs what comes through the pipe
        if words[1].text == "-m" and len(words) > 2:
            if words[2].text == "pip":
                return self._command(words[2:])
            is_plain = words[2].text in known.PLAIN_MODULES
            return (self._named(words, 3 if is_plain else len(words)),)
        is_text = words[1].text.startswith("-") and words[1].text not in ("-V", "-v", "--version", "--help")
        return (Deed(Access.SHELL) if is_text else self._whole(Access.SHELL, words),)

    def _deleted(self, targets: Sequence[Word], words: Sequence[Word]) -> Iterable[Deed]:
        targets = _operands(targets)
        found = [self._deleted_one(target) for target in targets]
        return found or [self._whole(Access.SHELL, words)]

    def _deleted_one(self, target: Word) -> Deed:
        try:
            texts = self._texts(target)
        except PathRefused:
            return _DANGEROUS
        found = [self._where(text) for text in texts]
        if all(each is Why.OUTSIDE for each in found):
            return Deed(Access.DANGEROUS, refusal=OUTSIDE)
        roots = {None if isinstance(each, Why) else root_of(self._roots, each, Use.WRITE) for each in found}
        is_all = target.kind is Kind.GLOB and not re.search(r"\w", target.text.rpartition("/")[2])
        is_root = target.kind is Kind.EXACT and not roots.isdisjoint(found)
        if is_all or is_root or len(roots) > 1 or None in roots:
            return _DANGEROUS
        return Deed(Access.DELETE, str(*roots))

    def _where(self, text: str) -> Path | Why:
        try:
            return resolve(self._roots, text, Use.WRITE)
        except PathRefused as refused:
            return refused.why

    def _written(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        options, operands = _options(words[1:]), _operands(words[1:])
        if not operands:
            return (self._whole(Access.SHELL, words),)
        if name in ("cp", "ln"):
            sources, operands = operands[:-1], operands[-1:]
            if not self._can(sources, Use.READ):
                return (_DANGEROUS,)
        found = list(self._writes(operands))
        if all(known.WRITING[name].fullmatch(option.text) for option in options):
            return found
        return [*found, self._whole(Access.SHELL, words)]  # an option may name another place

    def _moved(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        ends = self._ends(words[1]) if len(words) == 2 else None
        if ends is None:
            self._cwds = None
            return (self._whole(Access.SHELL, words),)
        if self._cwds is not None:  # it may fail, and what comes then runs where it ran before
            self._cwds |= ends
            if len(self._cwds) > _MOST_FOLDERS:
                self._cwds = None
        return (_READ,)

    def _ends(self, word: Word) -> frozenset[Path] | None:
        """Where `cd` may lead; None: out of the roots, or it can't be told."""
        try:
            texts = self._texts(word) if word.kind is Kind.EXACT and not word.text.startswith("-") else []
            found = [resolve(self._roots, text, Use.READ) for text in texts]
        except PathRefused:
            return None
        # A shell takes `..` by its letters, a program by where it is.
        found += [Path(os.path.normpath(os.path.expanduser(text))) for text in texts]  # noqa: PTH111
        is_in = all(root_of(self._roots, Path(os.path.realpath(each)), Use.READ) for each in found)
        return frozenset(found) if found and is_in else None

    def _looped(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        is_special = len(words) > 1 and known.SPECIAL.fullmatch(f"{words[1].text}=")
        return (_DANGEROUS,) if is_special or words[0].raw != "for" else ()

    def _found(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        n = next((n for n, word in enumerate(words) if n and re.match(r"[-(!]", word.text)), len(words))
        starts, tests = words[1:n] or [Word(".")], words[n:]
        texts = [word.text for word in tests]
        found: list[Deed] = []
        if "-delete" in texts:
            found += [self._deleted_one(start) for start in starts]
        for at, text in enumerate(texts):
            if text in ("-exec", "-execdir", "-ok", "-okdir"):
                inner = [
                    replace(word, kind=Kind.OPEN) if "{}" in word.text else word for word in tests[at + 1 :]
                ]
                end = next((n for n, word in enumerate(inner) if word.text in (";", "+")), len(inner))
                found += self._command(inner[:end]) if inner[:end] else [_DANGEROUS]
        if any(text.startswith(("-fprint", "-fls", "-files0")) for text in texts):
            found.append(_DANGEROUS)
        reads = all(word.kind is Kind.EXACT for word in words) and all(
            text in known.FINDING
            for text in texts
            if text.startswith("-") and not re.fullmatch(r"-\d+", text)
        )
        if found or (reads and words[0].text == name and self._can(starts, Use.READ)):
            return [deed for deed in found if deed is not _READ] or (_READ,)
        return (self._whole(Access.SHELL, words),)

    def _git(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        if len(words) > 1 and words[1].text in ("-P", "--no-pager"):
            words = [words[0], *words[2:]]
        part = words[1].text if len(words) > 1 else ""
        if any(word.text.startswith(known.GIT_LOSING.get(part, ())) for word in words[2:]):
            return (_DANGEROUS,)
        if part == "clean":
            return (self._named(words, 2, Access.DELETE),)
        if part in known.GIT_READING:
            is_fine = words[0].text == "git" and self._git_reads(words[2:])
            return (_READ if is_fine else self._whole(Access.SHELL, words),)
        return self._parted(name, words)

    def _git_reads(self, words: Sequence[Word]) -> bool:
        if any(word.kind is not Kind.EXACT for word in words) or not self._is_in_repository():
            return False
        for word in words:
            head, _, value = word.text.partition("=")
            is_long = head.startswith("--") and len(head) > 2
            if word.text.startswith("-") and ("/" in head or head.startswith("-O")):
                return False
            if is_long and any(each.startswith(head) for each in known.GIT_WRITING_OPTIONS):
                return False
            pieces = (value,) if word.text.startswith("-") else (word.text, word.text.rpartition(":")[2])
            if not self._can([Word(piece) for piece in pieces if piece], Use.READ):
                return False
        return True

    def _is_in_repository(self) -> bool:
        """Whether git finds one that lies in the roots, in which it does what its own configuration says.

        A folder with a repository's inside is one for git as well; unlike `.git`, tools may write there.
        """
        return self._cwds is not None and all(map(self._is_repository, self._cwds))

    def _is_repository(self, cwd: Path) -> bool:
        real = Path(os.path.realpath(cwd))
        root = root_of(self._roots, real, Use.READ)
        for folder in (real, *real.parents):
            if (folder / "HEAD").exists() or root is None or not folder.is_relative_to(root):
                return False
            if (folder / ".git").is_file() or (folder / ".git" / "HEAD").exists():
                return True
        return False

    def _parted(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        part = words[1].text if len(words) > 1 and words[1].kind is Kind.EXACT else ""
        if part in known.INSTALLING.get(name, ()):
            return (self._named(words, 2, Access.INSTALL),)
        if part in known.NET_PARTS.get(name, ()):
            return (self._named(words, 2, Access.NETWORK),)
        if not re.fullmatch(r"[a-z][\w:-]*", part) or part in known.RUNNING:
            return (self._whole(Access.SHELL, words),)
        return (self._named(words, 2),)

    def _only_names(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        is_known = words[0].text == name and all(word.kind is Kind.EXACT for word in words)
        return (_READ if is_known else self._whole(Access.SHELL, words),)

    def _read(self, name: str, words: Sequence[Word]) -> Iterable[Deed]:
        options, operands = _options(words[1:]), _operands(words[1:])
        reads = words[0].text == name and all(word.kind is Kind.EXACT for word in words)
        reads = reads and all(known.READING[name].fullmatch(option.text) for option in options)
        if name in known.SEARCHING:
            operands = operands[1:]  # the first is the pattern, or the number of an option
        reads = reads and self._can(operands, Use.READ)
        if reads and name == "rg":  # in a folder it would look into what `resolve` refuses
            reads = bool(operands) and all(
                place.is_file() for word in operands for place in self._places(word, Use.READ)
            )
        return (_READ if reads else self._whole(Access.SHELL, words),)


def _options(words: Sequence[Word]) -> list[Word]:
    end = next((n for n, word in enumerate(words) if word.text == "--"), len(words))
    return [word for word in words[:end] if word.text.startswith("-") and word.text != "-"]


def _operands(words: Sequence[Word]) -> list[Word]:
    end = next((n for n, word in enumerate(words) if word.text == "--"), len(words))
    return [word for word in words[:end] if not word.text.startswith("-")] + list(words[end + 1 :])


def _is_kept(word: Word) -> bool:
    """Whether a rule may have it: no value of a variable on which the meaning of other commands hangs."""
    return word.kind is not Kind.OPEN and not known.SPECIAL.fullmatch(word.text)


def _names_disk(word: Word) -> bool:
    return any(known.DEVICE.fullmatch(piece) for piece in (word.text, word.text.partition("=")[2]))
