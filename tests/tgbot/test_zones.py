"""The clocks that /settings offers exist wherever goat is installed."""

import os
import subprocess
import sys

EVERY_CLOCK = (
    "from zoneinfo import ZoneInfo; from tgbot.zones import ZONES; print(len({*map(ZoneInfo, ZONES)}))"
)


def test_a_machine_without_time_zones_of_its_own_knows_them_all() -> None:
    """Slim images have no /usr/share/zoneinfo: an empty PYTHONTZPATH makes Python look past it."""
    bare = {**os.environ, "PYTHONTZPATH": ""}
    told = subprocess.run(
        [sys.executable, "-c", EVERY_CLOCK], env=bare, check=False, capture_output=True, text=True
    )
    assert told.stderr == ""
    assert int(told.stdout) > 60
