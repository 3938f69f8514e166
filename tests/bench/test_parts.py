"""Every part of the benchmark runs, briefly, as its user starts it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tgbot.bench import PARTS
from tgbot.bench.report import Report, as_text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_runs_prints_its_table_and_keeps_it(part: str, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    done = subprocess.run(
        [sys.executable, "-m", "tgbot", "bench", part, "--quick", "--json", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kept = json.loads(file.read_text(encoding="utf-8"))[part]
    assert kept["quick"]
    assert done.stdout == as_text(Report.from_json(kept["report"]))
