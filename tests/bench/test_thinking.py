"""What moves the levels are measured at."""

import random
from itertools import islice

from tgbot.bench.thinking import sampled


def test_leads_and_replies_from_every_place_are_measured_alike() -> None:
    places = [len(seen.table) for seen in islice(sampled(random.Random(1)), 200)]
    assert all(places.count(place) > 20 for place in range(4))
