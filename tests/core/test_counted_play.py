"""How many positions are reachable to some depth: a change of the rules that nobody meant changes a number."""

import random

import pytest

from core.cards import card_name
from core.deal import Deal, legal_moves, play, start
from core.rules import Rules
from core.shuffle import shuffle
from tests.core.scenes import scene


def count(deal: Deal, depth: int) -> int:
    """Sequences of `depth` moves; a deal that is over ends its sequence early and counts as none."""
    if depth == 0:
        return 1
    moves = legal_moves(deal)
    if depth == 1:
        return len(moves)
    return sum(count(play(deal, move), depth - 1) for move in moves)


def counts(deal: Deal, depth: int) -> list[int]:
    return [count(deal, plies) for plies in range(1, depth + 1)]


GOLDEN = {
    0: [5, 30, 178, 926, 5442, 29370],
    1: [5, 26, 137, 620, 3484, 18302],
    2: [8, 43, 260, 1394, 9096, 51980],
    3: [5, 30, 150, 762, 4262, 26394],
    4: [5, 25, 156, 800, 3640, 19586],
}
"""Seed -> positions after 1, 2, … moves; six moves reach over the first trick and its refill."""


@pytest.mark.parametrize("seed", GOLDEN)
def test_positions_reachable_from_a_shuffled_pack(seed: int) -> None:
    deal = start(shuffle(random.Random(seed), dealer=seed % 4, leader=(seed + 1) % 4))
    assert counts(deal, len(GOLDEN[seed])) == GOLDEN[seed]


def test_positions_reachable_when_every_hand_is_a_molodka() -> None:
    hands = ["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"]
    # By hand: 15 leads of clubs and three declarations. Then the leader accepts or declines (3 x 2); or seat 1,
    # who can't beat a club, passes 1, 2, 3 or 4 of his four cards (4 x 4, 6 x 6, 4 x 4, 1) and all three others
    # may declare after each of the 14 leads of fewer than four (14 x 3): 6 + 69 + 42.
    assert counts(scene(hands), 5) == [18, 117, 559, 4357, 37553]
    assert counts(scene(hands, rules=Rules(molodka=False)), 5) == [15, 69, 345, 3618, 36442]


def test_the_packs_of_these_seeds_are_the_same_on_every_machine() -> None:
    pack = shuffle(random.Random(1), dealer=1, leader=2)
    assert [card_name(card) for card in pack.cards[:6]] == ["10S", "JH", "8C", "9S", "7H", "6S"]
    assert pack.indicator == 16
