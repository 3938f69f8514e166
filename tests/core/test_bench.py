"""`goat bench engine` measures something, and prints it."""

import io
import random

from tgbot.bench.engine import measure, play_random_deals, run


def test_it_prints_deals_moves_the_yardstick_and_their_ratio() -> None:
    out = io.StringIO()
    assert run(out, rounds=2, deals=5, loops=100) == 0
    lines = out.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["deals", "moves", "yardstick", "ratio"]


def test_the_work_measured_is_the_same_every_time() -> None:
    moves = play_random_deals(random.Random(1), 10)
    assert moves == play_random_deals(random.Random(1), 10)
    assert moves > 120
    one = measure(seed=1, deals=10, loops=100)
    assert one.moves > one.deals > 0
    assert one.ratio > 0
