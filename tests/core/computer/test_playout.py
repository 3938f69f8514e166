"""The playout core and the rules engine are the same game."""

import os
import random

from core.cards import card_set, cards_of
from core.computer.playout import BEATS, LEADS, PASSES, Position, dealt, relabel
from core.deal import Deal, Phase, Verb, holders, legal_moves, play, start
from tests.core.scenes import random_move, random_pack, random_rules

POSITIONS = 100_000 if os.environ.get("CI") else 10_000


def same(deal: Deal, fast: Position) -> None:
    """Everything that the rules know, the playout core knows too."""
    here = [relabel(hand, deal.trump) for hand in deal.hands]
    assert fast.hands == here
    assert fast.stock[fast.top :] == tuple(relabel(1 << card, deal.trump) for card in deal.stock)
    assert fast.gain == deal.points[0] - deal.points[1]
    assert tuple(fast.tricks) == deal.tricks
    assert fast.over == (deal.phase is Phase.OVER)
    if deal.turn is None:
        return
    assert (fast.turn, fast.leader, fast.need, fast.acted) == (
        deal.turn,
        deal.leader,
        deal.need,
        len(deal.table),
    )
    assert fast.standing == relabel(deal.standing, deal.trump)
    assert [fast.table[move.seat] for move in deal.table] == [
        relabel(move.cards, deal.trump) for move in deal.table
    ]
    assert sorted(fast.claimants()) == list(holders(deal))
    hand = fast.hands[fast.turn]
    options: list[tuple[Verb, int]]
    if deal.phase is Phase.LEAD:
        options = [(Verb.LEAD, cards) for cards in LEADS[hand]]
    else:
        options = [(Verb.BEAT, cards) for cards in BEATS[hand << 36 | fast.standing]]
        options += [(Verb.PASS, cards) for cards in PASSES[hand << 3 | fast.need]]
    legal = [move for move in legal_moves(deal) if move.verb is not Verb.MOLODKA]
    assert sorted((verb, relabel(cards, deal.trump)) for verb, cards in options) == sorted(
        (move.verb, move.cards) for move in legal
    )


def test_the_playout_core_agrees_with_the_rules_on_random_positions_claims_included() -> None:
    rng = random.Random(6)
    positions = claims = 0
    while positions < POSITIONS:
        rules = random_rules(rng)
        deal = start(random_pack(rng), rules)
        fast = dealt(deal.pack, open_passes=rules.open_passes, molodka=rules.molodka)
        while True:
            if deal.phase is not Phase.OFFER:
                same(deal, fast)
                positions += 1
            if deal.turn is None:
                break
            move = random_move(deal, rng)
            deal = play(deal, move)
            if move.verb in (Verb.MOLODKA, Verb.DECLINE):
                if deal.phase is not Phase.OFFER:
                    fast.claim(deal.leader)
                    claims += 1
            else:
                fast.put(relabel(move.cards, deal.trump), move.verb is not Verb.PASS)
    assert claims > POSITIONS // 200


def test_the_playout_core_counts_what_everybody_has_seen() -> None:
    rng = random.Random(7)
    for _ in range(20):
        rules = random_rules(rng)
        deal = start(random_pack(rng), rules)
        fast = dealt(deal.pack, open_passes=rules.open_passes, molodka=False)
        while deal.turn is not None:
            move = random_move(deal, rng)
            deal = play(deal, move)
            if move.verb in (Verb.MOLODKA, Verb.DECLINE):
                break
            fast.put(relabel(move.cards, deal.trump), move.verb is not Verb.PASS)
            moves = [*deal.table, *[move for trick in deal.tricks_done for move in trick.moves]]
            shown = [move.cards for move in moves if move.verb is not Verb.PASS or rules.open_passes]
            assert fast.seen == relabel(sum(shown), deal.trump)
            hidden = [move.cards for move in moves if move.verb is Verb.PASS]
            assert sum(fast.passed) == relabel(sum(hidden), deal.trump)


def test_relabelling_twice_changes_nothing() -> None:
    rng = random.Random(8)
    for trump in range(4):
        for _ in range(50):
            cards = card_set(rng.sample(range(36), 7))
            assert relabel(relabel(cards, trump), trump) == cards
            assert [card % 9 for card in cards_of(cards)].count(0) == [
                card % 9 for card in cards_of(relabel(cards, trump))
            ].count(0)
