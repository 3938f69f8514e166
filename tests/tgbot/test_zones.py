"""The clocks that /settings offers exist wherever goat is installed."""

import os
import subprocess
import sys

import pytest

from tgbot.screens.settings import city
from tgbot.texts import texts

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


@pytest.mark.parametrize(
    ("language", "names"),
    [("en", ["Moscow", "Mexico City", "São Paulo"]), ("ru", ["Москва", "Мехико", "Сан-Паулу"])],
)
def test_cities_are_called_as_in_the_language_of_who_chooses(language: str, names: list[str]) -> None:
    zones = ("Europe/Moscow", "America/Mexico_City", "America/Sao_Paulo")
    assert [city(zone, texts(language)) for zone in zones] == names
