"""What the strong player believes of cards that it does not see."""

import random
from math import log

from core.computer.beliefs import HELD, PASSED, holding, older, passing
from core.computer.guess import Guess
from core.computer.playout import relabel
from core.computer.table import next_move
from core.deal import play
from core.shuffle import shuffle
from core.state import Deal, Phase, start
from core.view import view

NINE, TEN, ACE = 3, 7, 8


def test_on_an_opponents_trick_the_third_player_throws_low_cards_and_keeps_tens_and_aces() -> None:
    thrown = PASSED[passing(False, 2, 20, 3)]
    assert thrown[NINE] > 3 * thrown[TEN]
    assert thrown[NINE] > 3 * thrown[ACE]


def test_on_a_partners_sure_trick_the_last_player_gives_tens_rather_than_nines_and_no_trumps() -> None:
    fed = PASSED[passing(True, 3, 20, 3)]
    assert fed[TEN] > 2 * fed[NINE]
    assert max(fed[27:]) < fed[NINE]


def test_what_was_kept_for_long_is_more_often_a_trump_and_seldom_a_six() -> None:
    kept, fresh = HELD[holding((3, 3, 0, 0), 0)], HELD[holding((0, 0, 0, 0), 20)]
    assert kept[27 + ACE] / kept[0] > 2 * fresh[27 + ACE] / fresh[0]


def test_the_newest_cards_are_supposed_to_be_played_first() -> None:
    assert older((2, 1, 0, 0), used=1, drawn=1) == (3, 2, 1, 0)
    assert older((2, 1, 0), used=1, drawn=0) == (3, 2)


def test_guessed_worlds_agree_with_everything_that_the_seat_has_seen() -> None:
    rng = random.Random(5)
    for number in range(12):
        deal = start(shuffle(rng, number % 4, (number + 1) % 4))
        while deal.phase is not Phase.OVER:
            if deal.phase is not Phase.OFFER and deal.turn is not None:
                _check(deal, deal.turn, rng)
            deal = play(deal, next_move(deal, ("easy",) * 4, number))


def _check(deal: Deal, seat: int, rng: random.Random) -> None:
    seen = view(deal, seat)
    guess = Guess(seen)
    for _ in range(3):
        world = guess.world(rng)
        assert world.hands[seat] == relabel(seen.hand, seen.trump)
        assert tuple(hand.bit_count() for hand in world.hands) == seen.hand_sizes
        assert len(world.stock) == seen.stock
        hidden = 0
        for cards in (*world.stock, *(world.hands[other] for other in range(4) if other != seat)):
            assert not hidden & cards
            hidden |= cards
        assert not hidden & ~relabel(seen.unseen, seen.trump) & ~_known(seen.known, seen.trump)


def _known(known: tuple[int, ...], trump: int) -> int:
    together = 0
    for cards in known:
        together |= relabel(cards, trump)
    return together


def test_beliefs_tell_more_about_hidden_hands_than_evenly_dealt_cards_would() -> None:
    """The chance that was given to where cards really lay, over positions after some tricks."""
    rng = random.Random(11)
    better = 0.0
    for number in range(40):
        deal = start(shuffle(rng, number % 4, (number + 1) % 4))
        while deal.phase is not Phase.OVER and sum(deal.tricks) < 4:
            deal = play(deal, next_move(deal, ("steady",) * 4, number))
        if deal.phase is not Phase.LEAD or deal.turn is None:
            continue
        seen = view(deal, deal.turn)
        guess = Guess(seen)
        worlds = [guess.world(rng) for _ in range(150)]
        for seat in range(4):
            for card in guess.unseen:
                if seat != seen.seat:
                    held = bool(relabel(deal.hands[seat], seen.trump) & card)
                    chance = (sum([bool(world.hands[seat] & card) for world in worlds]) + 1) / 152
                    share = guess.missing[seat] / len(guess.unseen)
                    better += log(chance / share if held else (1 - chance) / (1 - share))
    assert better > 10
