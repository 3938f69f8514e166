"""`goat bench PART`: runs parts, prints their tables, keeps them as JSON, and brings README up to date."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from db import programs
from db.errors import OperatorError
from tgbot.bench import PARTS
from tgbot.bench.report import Options, Report, as_markdown, as_text

BEGIN, END = "<!-- bench: written by `make bench` -->\n", "<!-- /bench -->\n"

Results = dict[str, dict[str, Any]]
"""By part: "machine", "date", "quick" and "report"."""


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 0 also where a target was missed, which is a finding and no fault."""
    status = 0
    if arguments.part == "all":
        for part in PARTS:
            # A process of its own: nothing that one part imported or allocated weighs on the next.
            status = max(status, _in_own_process(part, arguments.quick, arguments.json))
    else:
        report: Report = import_module(f"tgbot.bench.{arguments.part}").run(Options(quick=arguments.quick))
        sys.stdout.write(as_text(report))
        if arguments.json is not None:
            keep(arguments.json, arguments.part, report, arguments.quick)
    if arguments.readme is not None:
        if arguments.json is None:
            raise OperatorError("--readme wants --json FILE, from which it is written")
        write_readme(arguments.readme, arguments.json)
    return status


def _in_own_process(part: str, quick: bool, file: Path | None) -> int:
    command = [sys.executable, "-m", "tgbot", "bench", part]
    command += ["--quick"] * quick + (["--json", str(file)] if file is not None else [])
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own command line


def keep(file: Path, part: str, report: Report, quick: bool) -> None:
    """Puts one part's results in place of its earlier ones; those of other parts stay."""
    results = load(file) if file.exists() else {}
    results[part] = {
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
        "quick": quick,
        "report": report.to_json(),
    }
    ordered = {name: results[name] for name in PARTS if name in results}
    text = json.dumps(ordered, ensure_ascii=False, indent=1) + "\n"
    # The rounds of a row on one line: else the file is as long as it is empty.
    text = re.sub(r"\[\s+([-\d.e,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
    with tempfile.NamedTemporaryFile("w", dir=file.absolute().parent, delete=False, encoding="utf-8") as new:
        new.write(text)
    os.chmod(new.name, 0o644)
    os.replace(new.name, file)


def load(file: Path) -> Results:
    """Raises OperatorError when that is no file of ours."""
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise OperatorError(f"{file} can't be read as results of goat bench: {error}") from None


def machine() -> str:
    """What figures depend on, in a line; nothing that tells whose machine it is."""
    home = max(programs.installed().items())[1]
    status, version = programs.run([home / "bin" / "postgres", "--version"], None)
    postgres = version.split()[-1] if status == 0 else "unknown"
    return (
        f"{os.cpu_count()} cores {platform.machine()}, {platform.system()} {platform.release().split('-')[0]}, "
        f"Python {platform.python_version()}, PostgreSQL {postgres}"
    )


def section(results: Results) -> str:
    """What stands between the marks in README."""
    lines = []
    for origin in dict.fromkeys(_origin(result) for result in results.values()):
        parts = [part for part, result in results.items() if _origin(result) == origin]
        which = "" if len(parts) == len(results) else f" ({', '.join(parts)})"
        lines.append(f"Measured {origin}{which}.\n")
    lines += [as_markdown(Report.from_json(result["report"])) for result in results.values()]
    return "\n" + "\n".join(lines) + "\n"


def _origin(result: Mapping[str, Any]) -> str:
    smoke = " in a smoke run, whose figures mean nothing," if result["quick"] else ""
    return f"on {result['date']}{smoke} with {result['machine']}"


def write_readme(readme: Path, file: Path) -> None:
    """Writes the tables between the marks anew. Raises OperatorError when there are none."""
    text = readme.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise OperatorError(f"{readme} has no place for the results: {BEGIN.strip()} … {END.strip()}")
    readme.write_text(before + begin + section(load(file)) + end + after, encoding="utf-8")
