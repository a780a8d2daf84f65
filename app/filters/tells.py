"""What tells, in any format: failures, warnings, counts and summaries (they always stay, C23)."""

import re
from collections.abc import Iterable

from app.filters.selection import Lines

_FAIL_WORDS = (
    "error", "fail", "fatal", "panic", "exception", "traceback", "critical", "crash", "denied", "refused",
    "timed out", "timeout", "abort", "cannot", "could not", "unable to", "not found", "segfault", "segmentation",
    "killed", "oomkilled", "evicted", "unhealthy", "err!", "错误", "失败", "异常", "✗", "✖", "❌", "🔴", "severe", "emerg",
)  # fmt: skip
_FAIL = re.compile(
    r"(?<![\w])(?:error|errors|failed|failure|failures|failing|fails?|fatal|panic|panicked|exception|traceback|"
    r"critical|crash(?:ed|es|loopbackoff)?|(?:permission|access) denied|refused|timed out|timeout|abort(?:ed|ing)?|"
    r"cannot|could not|unable to|not found|segfault|segmentation fault|killed|oomkilled|evicted|unhealthy|severe|"
    r"emerg|err!|\w*(?:Error|Exception))(?![\w])|\w(?:Error|Exception)\b|错误|失败|异常|✗|✖|❌|🔴",
    re.IGNORECASE,
)
_WARN_WORDS = ("warn", "deprecat", "caution", "警告", "⚠")
_WARN = re.compile(r"(?<!\w)(?:warn|warnings?|deprecat\w*|caution)(?!\w)|\w+warning\b|警告|⚠", re.IGNORECASE)
_SUMMARY_WORDS = (
    "passed", "total", "summary", "success", "finished", "completed", "tests run", "ran ", "found ", "plan:",
    "changed", "packages", "listed", "sent ", "skipped", "built ", "build ", "result", "ok (", "合计", "总计", "共",
    "collected", "checked ", "warnings", "error", "fail",
)  # fmt: skip
_SUMMARY = re.compile(
    r"^\W*(?:total\b|summary\b|tests?:|tests run\b|test suites?:|snapshots?:|time:|ran \d|found \d|plan:|ok \(|"
    r"build (?:success|fail)|successfully\b|finished\b|completed\b|test result|sent [\d,]+ bytes|checked \d|合计|总计|共 ?\d)|"
    r"\b\d[\d,]*\*{0,2} (?:passed|failed|failures?|errors?|warnings?|skipped|tests?|files? changed|packages?|passing|failing|"
    r"pending|vulnerabilit(?:y|ies)|problems?|loaded units|insertions?|deletions?|xfailed|xpassed|to add)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:0|no|zero) (?:errors?|failures?|failed|warnings?)\b|\b(?:errors?|failures?|failed)[:=] ?0\b",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"\b(?=[^\W\d]*\d)\w+")


def is_failure(line: str) -> bool:
    """Whether it tells of something gone wrong; "0 errors" doesn't."""
    return bool(_FAIL.search(line)) and bool(_FAIL.search(_NOTHING.sub("", line)))


def is_warning(line: str) -> bool:
    return bool(_WARN.search(line)) and not is_failure(line)


def failures(lines: Lines) -> set[int]:
    return {index for index in lines.having(_FAIL_WORDS) if is_failure(lines.texts[index])}


def warnings(lines: Lines) -> set[int]:
    return {index for index in lines.having(_WARN_WORDS) if _WARN.search(lines.texts[index])}


def summaries(lines: Lines) -> set[int]:
    return {index for index in lines.having(_SUMMARY_WORDS) if _SUMMARY.search(lines.texts[index])}


def pattern_of(line: str) -> str:
    """The line with every word that holds a digit made one sign: what repeats with other values is the same."""
    return _NUMBER.sub("#", line)


def grouped(texts: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    """Indices by what the lines have in common, in order of first occurrence."""
    found: dict[str, list[int]] = {}
    for index, text in texts:
        found.setdefault(pattern_of(text), []).append(index)
    return found
