"""The engine's benchmark measures the same work every time, of goat's two engines."""

import random

import pytest

from tgbot.bench.engine import notes, play_out, play_random_deals
from tgbot.bench.others import installed


@pytest.mark.parametrize("deals", [play_random_deals, play_out])
def test_the_work_measured_is_the_same_every_time(deals: object) -> None:
    assert callable(deals)
    moves = deals(random.Random(1), 10)
    assert moves == deals(random.Random(1), 10)
    assert moves > 120


def test_other_engines_play_where_they_are_installed_and_are_named_where_not() -> None:
    for games in installed().values():
        for rate in games.values():
            assert rate(random.Random(1), 0.001) > 0
    assert notes({}) == (
        "Left out, since not installed: python-chess, OpenSpiel, RLCard. `make bench` installs them.",
    )
