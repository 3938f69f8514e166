"""A short chaos run; `make chaos` is the long one."""

from tests.tgbot.chaos import chaos


async def test_nothing_is_lost_when_everything_breaks() -> None:
    tally = await chaos(5, kills=4, seconds=6, tables=4, kill_every=1.5, restarts=1)
    assert not tally.problems, str(tally)
    assert tally.accepted
