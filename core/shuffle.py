"""The pack from a source of chance."""

from __future__ import annotations

import random

from core.cards import CARDS
from core.state import DEALT, Pack


def shuffle(rng: random.Random, dealer: int, leader: int) -> Pack:
    """A fair pack: every order of the cards and every place of the indicator (7) is equally likely.

    Give it a `random.SystemRandom` for people, a seeded `random.Random` for tests: what cards come is
    determined by the generator's state alone.
    """
    cards = list(range(CARDS))
    rng.shuffle(cards)
    return Pack(tuple(cards), rng.randrange(CARDS - DEALT), dealer, leader)
