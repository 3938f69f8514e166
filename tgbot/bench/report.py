"""What a benchmark hands back, and how people and programs read it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True, slots=True)
class Options:
    """`quick`: a smoke run of a second or two, whose figures mean nothing. `tell` takes lines for who waits."""

    quick: bool = False
    tell: Callable[[str], None] = _tell


@dataclass(frozen=True, slots=True)
class Target:
    """What a row's ratio should be, or its value where there is no yardstick; the median counts."""

    bound: float
    at_least: bool

    def met_by(self, figure: float) -> bool:
        return figure >= self.bound if self.at_least else figure <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"


def at_least(bound: float) -> Target:
    return Target(bound, True)


def at_most(bound: float) -> Target:
    return Target(bound, False)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure, measured in one or more rounds.

    `ratios`: of each round, the value over that of the yardstick measured beside it. `detail`: left out of README.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    yardstick: str | None = None
    ratios: tuple[float, ...] = ()
    target: Target | None = None
    detail: bool = False

    def __post_init__(self) -> None:
        if not self.values or (self.yardstick is None) == bool(self.ratios):
            raise ValueError(f"{self.name}: values, and ratios exactly when there is a yardstick")

    @property
    def judged(self) -> float:
        """The figure that the target is about."""
        return median(self.ratios or self.values)

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.target.met_by(self.judged)


def compared(
    name: str,
    unit: str,
    values: Sequence[float],
    yardstick: str,
    yard: Sequence[float],
    target: Target | None = None,
    detail: bool = False,
) -> Row:
    """A row whose `values` were measured in turns with `yard`, the yardstick's, round by round."""
    ratios = tuple(value / other for value, other in zip(values, yard, strict=True))
    return Row(name, unit, tuple(values), yardstick, ratios, target, detail)


@dataclass(frozen=True, slots=True)
class Report:
    """`title` says what was measured; `notes` are paragraphs for what figures can't say, such as a query's plan."""

    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        return cls(data["title"], tuple(_row(row) for row in data["rows"]), tuple(data["notes"]))


def _row(data: Mapping[str, Any]) -> Row:
    target = data["target"]
    lists = {name: tuple(data[name]) for name in ("values", "ratios")}
    return Row(**{**data, **lists, "target": None if target is None else Target(**target)})


HEAD = ("", "median", "range", "unit", "ratio", "to", "target", "")
RIGHT = {1, 2, 4}


def as_text(report: Report) -> str:
    """A table with aligned columns, for a terminal."""
    lines = [HEAD, *(_cells(row) for row in report.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    table = [
        "  ".join(
            cell.rjust(width) if column in RIGHT else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([report.title, "", *table, *("\n" + note for note in report.notes)]) + "\n"


def as_markdown(report: Report) -> str:
    """A table for README, without the details."""
    lines = [HEAD, tuple("--:" if column in RIGHT else "---" for column in range(len(HEAD)))]
    lines += [_cells(row) for row in report.rows if not row.detail]
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([f"**{report.title}**", "", *rows]) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    low, high = min(row.values), max(row.values)
    return (
        row.name,
        figure(median(row.values)),
        "" if low == high else f"{figure(low)} – {figure(high)}",
        row.unit,
        f"{median(row.ratios):.2f}" if row.ratios else "",
        row.yardstick or "",
        "" if row.target is None else str(row.target),
        {None: "", True: "met", False: "missed"}[row.met],
    )


def figure(value: float) -> str:
    """Three digits or all before the point, whatever is more."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"
