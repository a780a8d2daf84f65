"""The recorded tool outputs, and for each kind what of an original must be found in its filtered text."""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import yaml

from app.filters.commands import command_rules
from app.filters.filter import filter_text
from app.filters.filtered import Filtered, Focus, Hint
from app.filters.rules import Rules
from app.tokens.estimate import estimate

_ROOT = Path(__file__).parents[3]
FOLDER = _ROOT / "tests" / "data" / "tool_outputs"
NAMES = tuple(sorted(path.name for path in FOLDER.iterdir() if path.name != "README.md"))
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def kind_of(name: str) -> str:
    return name.partition("__")[0]


@cache
def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def rules() -> Rules:
    folder = _ROOT / "resources" / "filters"
    return command_rules({path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")})


def limit_for(text: str) -> int:
    """As a window of 128,000 tokens has it, and for short texts three fifths of what they are."""
    return min(5_000, max(60, estimate(text) * 3 // 5))


def filtered(
    text: str, limit_tokens: int | None = None, *, terms: tuple[str, ...] = (), command: str = ""
) -> Filtered:
    return filter_text(
        text,
        limit_tokens=limit_for(text) if limit_tokens is None else limit_tokens,
        count=estimate,
        rules=rules(),
        hint=Hint(command=command),
        focus=Focus(terms=terms),
    )


@cache
def filtered_output(name: str) -> Filtered:
    return filtered(text_of(name))


# ---- what must stay, found by other means than the filters'


def _lines(text: str, pattern: str) -> list[str]:
    return [" ".join(match[0].split()) for match in re.finditer(pattern, text, re.MULTILINE)]


def _cargo(text: str) -> Iterable[str]:
    yield from _lines(text, r"^error.*$")
    yield from re.findall(r"--> (\S+?):\d+:\d+", text)
    yield from re.findall(r"--> \S+?:(\d+:\d+)", text)


def _pytest(text: str) -> Iterable[str]:
    # Tests of pytest print outputs of pytest, whose failures are theirs.
    yield from _lines(text[max(0, text.rfind("short test summary info")) :], r"^FAILED \S+")
    yield from _lines(text[max(0, text.rfind("short test summary info")) :], r"^ERROR \S+::\S+")
    yield from _lines(text, r"^(?:FAIL|ERROR): .*$")
    yield from _lines(text, r"^Ran \d+ tests? in .*$")
    yield from _lines(text, r"^(?:OK|FAILED) ?\(.*\)$")
    yield from _lines(text, r"^ tests finished: .*$")
    yield from _lines(text, r"^\S+ f +\[FAIL\]$")
    yield from _lines(text, r"^=+ \d+ failed.* =+$")[-1:]
    yield from _lines(text, r"^(?:AssertionError|TypeError|ValueError)\b.{0,60}")


def _gotest(text: str) -> Iterable[str]:
    if "\x1b" in text:
        return [text.rstrip("\n").splitlines()[-2].strip(), "badmain", "withfails"]
    return [*_lines(text, r"--- FAIL: \S+"), *_lines(text, r"^FAIL\t\S+"), *_lines(text, r"^ok +\t\S+")]


def _docker(text: str) -> Iterable[str]:
    if "push refers" in text[:1_000]:
        digests = re.findall(r"digest: (sha256:\w{64})", text)
        return [digests[0], digests[-1]]
    failed = set(re.findall(r"(?:npm|gyp) ERR! \S+ [a-z]{4,}", _ANSI.sub("", text)))
    return [*sorted(failed)[:3], *dict.fromkeys(_lines(text, r"^Step 1 : FROM \S+"))][:6]


def _gitlog(text: str) -> Iterable[str]:
    if text.startswith("commit "):
        return [
            *_lines(text, r"^ \d+ files? changed.*$"),
            *re.findall(r"^commit (\w{12})", text, re.MULTILINE)[:20],
        ]
    texts = text.strip().splitlines()
    return [" ".join(line.split()) for line in (*texts[:5], texts[-1])]


def _kubectl(text: str) -> Iterable[str]:
    yield from re.findall(
        r"^\S+ +(\S+) +\d/\d +(?:CrashLoopBackOff|Error|Pending|ImagePullBackOff)", text, re.MULTILINE
    )
    yield from re.findall(r"^ +(?:MemoryPressure|DiskPressure|PIDPressure|Ready) +\w+", text, re.MULTILINE)
    yield from _lines(text, r"^ +(?:cpu|memory) +\d+m?\w* \(\d+%\)")
    yield from _lines(text, r"^NAMESPACE.*$")


def _listing(text: str) -> Iterable[str]:
    if removed := re.findall(r"^rc +\S+", text, re.MULTILINE):
        yield f"rc {len(removed)}"
    yield from re.findall(r"^\S+ (\S+\.\w+) +(?:not-found|masked|loaded +failed)", text, re.MULTILINE)
    yield from _lines(text, r"^\d+ loaded units listed")
    yield from re.findall(r"^(/usr(?:/[a-z]+)?):$", text, re.MULTILINE)[:12]
    yield from _lines(text, r"^USER +PID.*$")


def _log(text: str) -> Iterable[str]:
    for level in ("ERROR", "WARN", "INFO"):
        if n := len(re.findall(rf"^\S+ \[{level}\]", text, re.MULTILINE)):
            yield f"{level} {n:,}"
    yield from re.findall(r"Server listening at \S+:\d+", text)[:1]
    yield from dict.fromkeys(re.findall(r"\[ERROR\] [\w-]+ - ([A-Z][A-Za-z]+ [A-Za-z]+ [A-Za-z]+)", text))
    yield from _lines(text, r"(?:total size is|sent) [\d,]+")[:1]
    yield from _lines(text, r"^.*\" 404 .*$")[:1]


def _make(text: str) -> Iterable[str]:
    return [*_lines(text, r"^CMake Error.*$"), *_lines(text, r"^-- Configuring incomplete.*$")]


def _maven(text: str) -> Iterable[str]:
    yield from _lines(text, r"^\[INFO\] BUILD \w+")
    yield from re.findall(r"\[ERROR\] (/\S+\.java:\[\d+,\d+\])", text)
    yield from _lines(text, r"^\[ERROR\] +Tests run:.*$")
    yield from re.findall(r"\[ERROR\] (com\.\S+) -- Time", text)


def _mdtable(text: str) -> Iterable[str]:
    yield from _lines(text, r"^\*\*\d+\*\* tests were completed.*$")
    yield from _lines(text, r"^\|Report\|.*$")
    yield from _lines(text, r"^## (?!.*<a).*$")[:10]


def _npm(text: str) -> Iterable[str]:
    yield from re.findall(r"error TS\d+: .{10}", text)
    yield from re.findall(r"error TS\d+: [^']+('[^']+')", text)
    yield from [at.replace(",", ":") for at in re.findall(r"\((\d+,\d+)\): error", text)]
    yield from _lines(text, r"^Found \d+ (?:errors?|warnings?)")
    yield from dict.fromkeys(_lines(text, r"^  [×✖] .*$"))


def _stacktrace(text: str) -> Iterable[str]:
    yield from _lines(text, r"^Caused by: [\w.]+")
    yield from _lines(text, r"^(?:FAIL|ERROR): .*$")
    yield from _lines(text, r"^panic: .*$")
    yield from dict.fromkeys(re.findall(r" ([EF]\d{4}): ", text))
    yield from re.findall(r"^ ?[\w.:]+(?:Exception|Error)\b.{0,40}", text, re.MULTILINE)
    yield from re.findall(r"/app/app\.js:\d+", text)


def _terraform(text: str) -> Iterable[str]:
    yield from _lines(text, r"^Plan: .*$")
    yield from _lines(text, r"^ +# \S+ will be \w+$")
    yield from _lines(text, r"^\d+ projects, .*$")
    yield from _lines(text, r"^## \S+$")


def _csv(text: str) -> Iterable[str]:
    rows = text.strip().splitlines()
    return [" ".join(row.split()) for row in (rows[0], rows[1], rows[-1])] + [f"{len(rows) - 1:,} rows"]


def _diff(text: str) -> Iterable[str]:
    yield from re.findall(r"^diff --git a/(\S+) ", text, re.MULTILINE)
    yield f"{len(re.findall(r'^@@ ', text, re.MULTILINE))} hunks"


def _html(text: str) -> Iterable[str]:
    yield from [" ".join(found.split()) for found in re.findall(r"<title>([^<&]+)", text)[:1]]
    yield from [
        " ".join(found.split())
        for found in re.findall(r"<h2[^>]*>([^<&]{4,40})</h2>", text)[:4]
        if "<nav" not in text
    ]


def _json(text: str) -> Iterable[str]:
    if text.startswith('{"Time"'):
        failed = [row for line in text.splitlines() if (row := json.loads(line))["Action"] == "fail"]
        yield from [row["Test"] for row in failed if "Test" in row]
    elif text.startswith('{"type":"audit'):
        yield from re.findall(r'"severity":"(critical)"', text)[:1]
        yield '"critical": 3'
    else:
        yield from re.findall(r'^  "(\w+)":', text, re.MULTILINE)[:12]
    if text.startswith("["):
        yield from re.findall(r'"(?:flight_number|url)": "[^"]+"', text)[:1]


def _xml(text: str) -> Iterable[str]:
    yield from re.findall(r'<(?:failure|error)\b[^>]* message="([^"&]{3,60})', text)[:20]
    yield from re.findall(r'<testsuites?[^>]*?tests="(\d+)"', text)[:1]
    yield from re.findall(r'<Counters (total="\d+" executed="\d+" passed="\d+" failed="\d+")', text)


def _yaml(text: str) -> Iterable[str]:
    yield from dict.fromkeys(re.findall(r"^([a-z]\w+):", text, re.MULTILINE)[:8])


def _grep(text: str) -> Iterable[str]:
    yield from re.findall(r"^(?:class|def) \w+", text, re.MULTILINE)
    yield from _lines(text, r"^196: +\S+")


_ORACLES: dict[str, Callable[[str], Iterable[str]]] = {
    "cargo": _cargo, "csv": _csv, "diff": _diff, "docker": _docker, "gitlog": _gitlog, "gotest": _gotest, "grep": _grep,
    "html": _html, "json": _json, "kubectl": _kubectl, "listing": _listing, "log": _log, "make": _make, "maven": _maven,
    "mdtable": _mdtable, "npm": _npm, "pytest": _pytest, "stacktrace": _stacktrace, "terraform": _terraform,
    "xml": _xml, "yaml": _yaml,
}  # fmt: skip


def needed(name: str) -> tuple[str, ...]:
    """What of this output must be found in its filtered text, blanks aside."""
    return tuple(" ".join(item.split()) for item in _ORACLES[kind_of(name)](text_of(name)))


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def loads_yaml(text: str) -> object:
    return list(yaml.safe_load_all(text))
