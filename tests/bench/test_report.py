"""What benchmarks hand back says the same in a terminal, as JSON and in README."""

import json
import re
from pathlib import Path

import pytest

from db.errors import OperatorError
from tgbot.bench import PARTS, command
from tgbot.bench.report import Report, Row, as_markdown, as_text, at_least, at_most, compared, figure

ROOT = Path(__file__).parents[2]

REPORT = Report(
    "Press: what a move costs",
    (
        compared("move", "presses/s", [300, 200, 100], "nothing", [400, 400, 400], at_least(0.5)),
        Row("memory", "MB", (90.25,), target=at_most(80)),
        Row("a|b", "s", (0.5, 1.5), detail=True),
    ),
    ("Seq Scan on tables",),
)


def test_a_terminal_shows_medians_ranges_ratios_and_targets_in_columns() -> None:
    title, _, head, *rows, note = as_text(REPORT).splitlines()
    assert title == REPORT.title
    assert head.split() == ["median", "range", "unit", "ratio", "to", "target"]
    assert re.split("  +", rows[0]) == [
        "move",
        "200",
        "100 – 300",
        "presses/s",
        "0.50",
        "nothing",
        "≥ 0.5",
        "met",
    ]
    assert re.split("  +", rows[1]) == ["memory", "90.2", "MB", "≤ 80", "missed"]
    assert rows[0].index("presses/s") == rows[1].index("MB")
    assert note == "Seq Scan on tables"


def test_readme_leaves_details_out() -> None:
    table = as_markdown(REPORT).splitlines()[2:]
    assert [line.split(" | ")[0] for line in table[2:]] == ["| move", "| memory"]
    assert {line.count("|") for line in table} == {9}


def test_json_keeps_every_round() -> None:
    assert Report.from_json(json.loads(json.dumps(REPORT.to_json()))) == REPORT


def test_a_row_has_ratios_exactly_when_it_has_a_yardstick() -> None:
    with pytest.raises(ValueError, match="yardstick"):
        Row("move", "ms", (1.0,), "nothing")
    with pytest.raises(ValueError, match="values"):
        Row("move", "ms", ())


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (12345.6, "12,346"), (99.96, "100.0"), (1.234, "1.23"), (0.01234, "0.012"), (7.0, "7")],
)
def test_figures_have_as_many_digits_as_one_can_trust(value: float, written: str) -> None:
    assert figure(value) == written


def test_a_part_that_is_measured_again_replaces_only_its_own_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PARTS", {"press": "", "start": ""})
    file = tmp_path / "bench.json"
    for part in ("start", "press", "press"):
        command.keep(file, part, REPORT, quick=False)
    results = command.load(file)
    assert list(results) == ["press", "start"]
    assert Report.from_json(results["press"]["report"]) == REPORT


def test_results_that_are_none_are_told_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_text("no JSON")
    with pytest.raises(OperatorError, match="can't be read"):
        command.load(file)
    readme = tmp_path / "README.md"
    readme.write_text("# No place\n")
    with pytest.raises(OperatorError, match="no place"):
        command.write_readme(readme, file)


def test_readme_says_what_the_results_say() -> None:
    """`make bench` writes both; for one part `goat bench PART --json docs/bench.json --readme README.md`."""
    results = command.load(ROOT / "docs" / "bench.json")
    assert list(results) == [part for part in PARTS if part in results]
    assert not any(result["quick"] for result in results.values())
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert command.BEGIN + command.section(results) + command.END in text
