"""Stack traces: message, own frames and the chain of causes stay; runs of library frames become a gap."""

import re
from collections.abc import Sequence

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines, Rank, Selection

_FRAME = re.compile(
    r"\s*File \"[^\"]+\", line \d+"  # Python
    r"|\s+at (?:async )?[\w.$<>/@\[\]` ]+\(.*\)|\s+at \S+:\d+(?::\d+)?$|\s+at [\w.<>`\[\],() ]+(?: in .+:line \d+)?$"
    r"|\s*\t?/?[\w./@+~-]+\.go:\d+(?: \+0x[0-9a-f]+)?|[\w./*()]+\(0x[0-9a-f, x.{}]*\)|[\w./]+\.[\w.]+\([^)]*\)$"
    r"|\s+(?:[\w-]+ \([\d.]+\) )?[\w./-]+\.rb:\d+:in "
    r"|\s+\d+: +0x[0-9a-f]+ - |\s+\d+: [\w:<>]+|\s+at [\w./-]+\.rs:\d+"
)
_FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|node:internal|internal/|/usr/lib/|/lib/python\d|<frozen |/usr/local/go/"
    r"|\bruntime\.\w|/rustc/|\bcore::|\bstd::|at (?:java|javax|jdk|sun|com\.sun|scala|kotlin|groovy)\.|java\.base/"
    r"|at org\.(?:spring|junit|apache|eclipse|mortbay|hibernate|testng|gradle|jboss|mockito)|at (?:System|Microsoft)\."
    r"|^\s+[\w-]+ \([\d.]+\) |emitTwo|events\.js|_stream_|child_process\.js|/gems/|panic\("
)
_OPENING = re.compile(
    r"Traceback \(most recent call last\)|Caused by:|goroutine \d+ \[|panic: |Exception in thread|nested exception"
    r"|During handling of|direct cause of|--- End of (?:inner|stack)|stack backtrace:|\bat [\w.$]+\.\w+\("
)
_FEWEST = 4
_MOST_OWN = 30


def frames(texts: Sequence[str]) -> dict[int, bool]:
    """Indices of frames, and whether each is of the person's own code; a Python frame's source line goes with it."""
    found: dict[int, bool] = {}
    for index, text in enumerate(texts):
        if found and index - 1 in found and _is_source(texts[index - 1], text):
            found[index] = found[index - 1]
        elif _FRAME.match(text[:600]):
            below = texts[index + 1][:300] if index + 1 < len(texts) and text.endswith(")") else ""
            held = f"{text[:600]}\n{below}" if ".go:" in below else text[:600]
            found[index] = not _FOREIGN.search(held)
    return found


def _is_source(frame: str, text: str) -> bool:
    return 'File "' in frame[:400] and ", line " in frame and text.startswith("    ")


def foreign_frames(lines: Lines) -> set[int]:
    """Library frames that nobody misses: between others, the first and last of each run left out."""
    found = frames(lines.texts)
    own = {index for index, is_own in found.items() if is_own}
    foreign = found.keys() - own
    # The outermost and innermost frames say how it came here, whosever they are.
    ends = {index for index in foreign if index - 1 not in found or index + 1 not in found}
    return foreign - ends


def reduce_trace(lines: Lines, focus: Focus) -> Reduction | None:
    """None: fewer than four frames, or other text prevails."""
    found = frames(lines.texts)
    n_filled = sum(bool(text.strip()) for text in lines.texts)
    if (
        len(found) < _FEWEST
        or len(found) < n_filled * 0.35
        or (not _OPENING.search(lines.joined) and len(found) < 6)
    ):
        return None
    chosen = Selection(lines=lines)
    foreign = foreign_frames(lines)
    own = [index for index, is_own in found.items() if is_own]
    chosen.keep(
        (index for index, text in enumerate(lines.texts) if index not in found and text.strip()), Rank.MUST
    )
    chosen.keep((*own[: _MOST_OWN // 2], *own[-_MOST_OWN // 2 :]), Rank.NEAR)
    chosen.keep(found.keys() - foreign, Rank.SHOULD)
    chosen.keep(lines.having(focus.words), Rank.NEAR)
    return Reduction(
        kind="trace",
        why="A stack trace to its messages, causes and own frames.",
        write=chosen.write,
        ranges=lines.ranges("frames of libraries", foreign),
    )
