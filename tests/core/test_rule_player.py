"""The rule player, and what holds for computer players of every level."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cards import points_of
from core.computer import LEVELS, choose, declares, rules
from core.deal import Deal, Move, Phase, Verb, legal_moves, legal_moves_of, play, start
from core.errors import GoatError
from core.shuffle import shuffle
from core.view import view
from tests.core.scenes import after, offers, positions, scene, seeds
from tests.core.test_view import with_hidden_cards_permuted


def rule_player(deal: Deal, seed: int = 0) -> Move:
    assert deal.turn is not None
    return rules.choose(view(deal, deal.turn), random.Random(seed))


@settings(max_examples=100)
@given(positions | offers, seeds, st.sampled_from(LEVELS))
def test_every_level_chooses_a_legal_move_when_it_is_its_turn_and_none_otherwise(
    deal: Deal, seed: int, level: str
) -> None:
    for seat in range(4):
        seen = view(deal, seat)
        move = choose(seen, random.Random(seed), level)
        assert (move is not None) is (seat == deal.turn)
        assert move is None or move in legal_moves_of(deal, seat)
        if declares(seen, random.Random(seed), level):
            assert Move(seat, Verb.MOLODKA) in legal_moves_of(deal, seat)


@given(positions | offers, seeds)
def test_the_rule_player_chooses_a_legal_move_and_declares_when_it_may(deal: Deal, seed: int) -> None:
    if deal.turn is not None:
        assert rules.choose(view(deal, deal.turn), random.Random(seed)) in legal_moves_of(deal, deal.turn)
    for seat in range(4):
        may = Move(seat, Verb.MOLODKA) in legal_moves_of(deal, seat)
        assert rules.declares(view(deal, seat), random.Random(seed)) is may


@given(positions, seeds)
def test_the_same_view_and_seed_give_the_same_move_wherever_the_hidden_cards_are(
    deal: Deal, seed: int
) -> None:
    if deal.turn is None:
        return
    other = with_hidden_cards_permuted(deal, deal.turn, random.Random(seed))
    assert rule_player(deal, seed) == rule_player(other, seed)


def test_it_plays_whole_deals_to_their_end() -> None:
    rng = random.Random(3)
    for _ in range(15):
        deal = start(shuffle(rng, rng.randrange(4), rng.randrange(4)))
        while deal.turn is not None:
            eager = [seat for seat in range(4) if rules.declares(view(deal, seat), rng)]
            move = rules.choose(view(deal, deal.turn), rng)
            deal = play(deal, Move(eager[0], Verb.MOLODKA) if eager else move)
        assert sum(deal.points) == 120


def test_it_takes_far_more_points_than_chance_does() -> None:
    rng = random.Random(4)
    points = 0
    deals = 40
    for number in range(deals):
        team = number % 2
        deal = start(shuffle(rng, rng.randrange(4), rng.randrange(4)))
        while deal.turn is not None:
            by_chance = rng.choice(legal_moves(deal))
            move = rules.choose(view(deal, deal.turn), rng) if deal.turn % 2 == team else by_chance
            deal = play(deal, move)
        points += deal.points[team]
    assert points / deals > 80


def partner_is_winning(deal: Deal) -> bool:
    return deal.best is not None and deal.turn is not None and (deal.best - deal.turn) % 2 == 0


@given(positions)
def test_the_last_to_reply_never_overtakes_his_partner(deal: Deal) -> None:
    if deal.phase is Phase.REPLY and len(deal.table) == 3 and partner_is_winning(deal):
        assert rule_player(deal).verb is not Verb.BEAT


def test_it_feeds_points_to_a_trick_that_its_partner_is_winning() -> None:
    hands = ["6C 7C 8D 6H", "AC 7H 8H JD", "9C QC 9D 9H", "10D 6D QH AS"]
    deal = after(scene(hands), "0 lead 6C", "1 beat AC", "2 pass 9D")
    assert str(rule_player(deal)) == "3 pass 10D"


def test_it_does_not_feed_trumps() -> None:
    hands = ["6C 7C 8D 6H", "AC 7H 8H JD", "9C QC 9D 9H", "10S 6D QD AS"]
    deal = after(scene(hands), "0 lead 6C", "1 beat AC", "2 pass 9D")
    assert str(rule_player(deal)) == "3 pass QD"


def test_it_throws_worthless_cards_on_a_trick_that_is_lost() -> None:
    hands = ["AC 7C 8D 6H", "9C 7H 8H JD", "9D QC 10D 9H", "10H 6D QH KD"]
    deal = after(scene(hands), "0 lead AC", "1 pass 7H", "2 pass 9D")
    assert str(rule_player(deal)) == "3 pass 6D"
    two = scene(["7C AC 8D 6H", "9C 7H 8H JD", "9D QC 10D 9H", "10H 6D 7D KD"])
    assert str(rule_player(after(two, "0 lead 7C AC", "1 pass 7H 8H", "2 pass 9D 9H"))) == "3 pass 6D 7D"


def test_it_spares_its_trumps_when_nothing_lies_on_the_table() -> None:
    hands = ["7C 10C 8D 6H", "8C 7H 8H JD", "9C QC 10D 9H", "7D 6D 6S AS"]
    deal = after(scene(hands), "0 lead 7C", "1 beat 8C", "2 beat 9C")
    assert str(rule_player(deal)) == "3 pass 6D"


def test_it_spends_its_cheapest_trump_on_a_rich_trick() -> None:
    hands = ["AC 10C 8D 6H", "9C 7H 8H JD", "9D QC 10D 9H", "7D 6D 6S AS"]
    deal = after(scene(hands), "0 lead AC", "1 pass 7H", "2 pass 10D")
    assert str(rule_player(deal)) == "3 beat 6S"


def test_it_beats_with_the_lowest_plain_card_that_does() -> None:
    hands = ["9C 7C 8D 6H", "8C 7H 8H JD", "9D 9H 10D 9S", "10C JC 6S AS"]
    deal = after(scene(hands), "0 lead 9C", "1 pass 7H", "2 pass 9D")
    assert str(rule_player(deal)) == "3 beat JC"


def test_it_leads_a_molodka_and_accepts_and_declares_one() -> None:
    hands = ["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H JS", "6S 7S 8S 9H"]
    deal = scene(hands)
    assert str(rule_player(deal)) == "0 lead 6C 7C 8C 9C"
    assert rules.declares(view(deal, 1), random.Random(0))
    assert not rules.declares(view(deal, 2), random.Random(0))
    assert not rules.declares(view(deal, 0), random.Random(0))
    asked = after(deal, "1 molodka")
    assert str(rule_player(asked)) == "0 molodka"


def test_an_unknown_level_is_refused() -> None:
    seen = view(scene(["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H JS", "6S 7S 8S 9H"]), 0)
    for question in (choose, declares):
        with pytest.raises(GoatError) as refused:
            question(seen, random.Random(0), "divine")
        assert refused.value.code == "unknown_level"


def test_what_it_feeds_is_worth_more_than_what_it_throws() -> None:
    """Over many tricks, seen from the last to reply."""
    rng = random.Random(8)
    fed: list[float] = []
    thrown: list[float] = []
    for _ in range(150):
        deal = start(shuffle(rng, 0, 1))
        while deal.turn is not None:
            move = rule_player(deal, rng.randrange(1000))
            if len(deal.table) == 3 and move.verb is Verb.PASS and deal.best is not None:
                worth = points_of(move.cards) / move.cards.bit_count()
                (fed if (deal.best - move.seat) % 2 == 0 else thrown).append(worth)
            deal = play(deal, move)
    assert sum(fed) / len(fed) > 2 * sum(thrown) / len(thrown)
