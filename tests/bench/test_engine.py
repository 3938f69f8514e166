"""The engine's benchmark measures the same work every time."""

import random

from tgbot.bench.engine import measure, play_random_deals


def test_the_work_measured_is_the_same_every_time() -> None:
    moves = play_random_deals(random.Random(1), 10)
    assert moves == play_random_deals(random.Random(1), 10)
    assert moves > 120
    one = measure(seed=1, deals=10, loops=100)
    assert one.moves > one.deals > 0
    assert one.loops > 0
