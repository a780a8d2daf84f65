"""What a bench hands back, and how it is shown: a figure, what was wanted, and a baseline of the same run."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    what: str
    """Begins with the row of the quality table that it answers, where there is one."""
    value: float
    unit: str
    target: float | None = None
    """None: shown for orientation only."""
    is_floor: bool = False
    """Whether the target is the least that is wanted, not the most."""
    baseline: float | None = None
    """The same figure of the plain way, taken in the same run on the same machine."""
    against: str = ""
    """What the plain way is."""

    @property
    def is_ok(self) -> bool:
        if self.target is None:
            return True
        return self.value >= self.target if self.is_floor else self.value <= self.target


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(
    what: str,
    values: Sequence[float],
    *,
    at: float,
    target: float,
    baseline: float | None = None,
    against: str = "",
) -> Iterable[Measure]:
    """The median of milliseconds, and the percentile that has a target."""
    yield Measure(what=f"{what}: median", value=percentile(values, 0.5), unit="ms")
    yield Measure(
        what=f"{what}: p{round(at * 100)}",
        value=percentile(values, at),
        unit="ms",
        target=target,
        baseline=baseline,
        against=against,
    )


def table(measures: Iterable[Measure]) -> str:
    lines = [f"{'measure':<66}{'target':>14}{'measured':>14}{'':>7}  baseline", "-" * 120]
    lines.extend(_line(item) for item in measures)
    return "\n".join(lines)


def _line(item: Measure) -> str:
    sign = "≥" if item.is_floor else "≤"
    target = "" if item.target is None else f"{sign} {_figure(item.target)} {item.unit}"
    verdict = "" if item.target is None else "ok" if item.is_ok else "OVER" if not item.is_floor else "UNDER"
    ratio = ""
    if item.baseline:
        ratio = f"  {item.value / item.baseline:.2g} × {_figure(item.baseline)} {item.unit} ({item.against})"
    return f"{item.what:<66}{target:>14}{_figure(item.value) + ' ' + item.unit:>14}{verdict:>7}{ratio}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def tell(measures: Iterable[Measure]) -> int:
    """What `python -m tests.bench.NAME` ends with: a table, or JSON with `--json`. Returns: its exit code."""
    found = list(measures)
    print(json.dumps([asdict(item) for item in found]) if "--json" in sys.argv else table(found))
    return 0 if all(item.is_ok for item in found) else 1


def from_json(text: str) -> list[Measure]:
    return [Measure(**item) for item in json.loads(text)]
