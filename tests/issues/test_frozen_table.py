"""Quick computers used up a group's minute in twenty seconds, and the table then stood still for as long."""

from itertools import pairwise

from tgbot.pace import Limits, Pace


def test_a_busy_group_is_painted_evenly() -> None:
    pace, now, painted = Pace(Limits()), 0.0, []
    while now < 600:
        delay = pace.delay(-1, now)
        if delay > 0:
            now += delay
            continue
        pace.spend(-1, now)
        painted.append(now)
        now += 0.1
    gaps = [later - earlier for earlier, later in pairwise(painted)]
    assert max(gaps) < 6
    assert all(sum(start <= at < start + 60 for at in painted) <= 18 for start in painted)
