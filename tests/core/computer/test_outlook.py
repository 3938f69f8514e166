"""What the outlook looks at and says of positions between tricks, before the draw."""

import random

import pytest

from core.cards import cards_of, parse_cards
from core.computer import outlook
from core.computer.playout import Position, dealt
from core.computer.strong import worth_with
from core.computer.values import kept_to_come
from core.shuffle import shuffle
from tests.core.computer.judges import between_tricks, linear_outlook, outlook_at_random, outlook_that_says
from tests.core.computer.test_judge import renamed, told_apart

STAGE, HELD, OWN_JUDGE, OTHER_JUDGE = 180, 190, 195, 196
"""Among the marks."""


def test_it_sees_whose_cards_are_where_from_the_leader_s_seat_and_who_plays() -> None:
    """Trumps are spades. Seat 2 leads; it holds two diamonds, then a heart, and no clubs, so that is their order."""
    hands = [parse_cards(cards) for cards in ("6C AS 7D", "7C 8H 6S", "9D KD 7H", "6H 7S AC")]
    position = Position(hands, (), 2, open_passes=False, molodka=True)
    diamonds, hearts, clubs, trumps = 0, 9, 18, 27
    leader, partner, following, previous = 0, 36, 72, 108
    expected = [
        *(leader + diamonds + 3, leader + diamonds + 6, leader + hearts + 1),
        *(partner + diamonds + 1, partner + clubs + 0, partner + trumps + 8),
        *(following + hearts + 0, following + clubs + 8, following + trumps + 1),
        *(previous + hearts + 2, previous + clubs + 1, previous + trumps + 0),
        *(STAGE + 3, HELD + 3),
    ]
    for judges, also in (
        ((False, False), []),
        ((True, False), [OWN_JUDGE]),
        ((False, True), [OTHER_JUDGE]),
        ((True, True), [OWN_JUDGE, OTHER_JUDGE]),
    ):
        assert sorted(outlook.marks(position, judges)) == expected + also


def test_every_card_that_is_not_played_is_in_one_place() -> None:
    for seed in range(20):
        for position in between_tricks(seed):
            held = [*position.hands, sum(position.stock[position.top :])]
            cards = [mark for mark in outlook.marks(position, (True, True)) if mark < STAGE]
            assert len(cards) == sum([hand.bit_count() for hand in held])
            trumps = [(mark // 36, mark % 36) for mark in cards if mark % 36 >= 27]
            order = [position.turn, position.turn ^ 2, position.turn + 1 & 3, position.turn + 3 & 3, 4]
            assert sorted(trumps) == [
                (place, card)
                for place, seat in enumerate(order)
                for card in cards_of(held[seat])
                if card >= 27
            ]


def turned(position: Position) -> Position:
    """Everybody sits a seat further: the teams have changed places."""
    twin = position.copy()
    twin.hands = [position.hands[seat - 1] for seat in range(4)]
    twin.turn = position.turn + 1 & 3
    twin.gain = -position.gain
    twin.tricks = position.tricks[::-1]
    return twin


def test_what_is_good_for_one_team_is_as_bad_for_the_other() -> None:
    ahead = outlook_at_random(random.Random(2))
    for seed in range(20):
        for position in between_tricks(seed):
            here = ahead.to_come(position, (True, False))
            there = ahead.to_come(turned(position), (False, True))
            assert there == pytest.approx(here)
            assert worth_with(turned(position), there) == pytest.approx(-worth_with(position, here))


def test_names_of_plain_suits_do_not_matter_to_the_outlook() -> None:
    rng = random.Random(3)
    ahead = outlook_at_random(rng)
    compared = 0
    for seed in range(60):
        for position in between_tricks(seed):
            names = rng.choice([(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)])
            twin = position.copy()
            twin.hands = [renamed(hand, names) for hand in position.hands]
            twin.stock = tuple([renamed(card, names) for card in position.stock])
            if told_apart(position):
                assert ahead.to_come(twin, (True, False)) == pytest.approx(
                    ahead.to_come(position, (True, False))
                )
                compared += 1
    assert compared > 100


def test_the_order_of_the_stock_does_not_matter() -> None:
    ahead = outlook_at_random(random.Random(4))
    for seed in range(20):
        for position in between_tricks(seed):
            twin = position.copy()
            twin.stock = position.stock[: position.top] + position.stock[position.top :][::-1]
            assert ahead.to_come(twin, (False, True)) == ahead.to_come(position, (False, True))


def test_of_a_finished_deal_no_points_are_to_come() -> None:
    finished = 0
    for seed in range(20):
        for position in between_tricks(seed):
            if not position.stage:
                finished += 1
                assert outlook_that_says(7.0).to_come(position, (True, True)) == 0.0
            else:
                assert outlook_that_says(7.0).to_come(position, (True, True)) == pytest.approx(7.0)
    assert finished == 20


def test_without_a_net_it_is_the_linear_value() -> None:
    for seed in range(20):
        for position in between_tricks(seed):
            assert linear_outlook().to_come(position, (False, True)) == kept_to_come(position)


def test_a_position_before_the_draw_is_the_end_of_its_trick() -> None:
    """Whoever led a single card has three left, and whatever was drawn lies on top of the stock again."""
    deal = dealt(shuffle(random.Random(6), 0, 1))
    hands, first = deal.hands[:], deal.turn
    for place in range(4):
        card = hands[first + place & 3] & -hands[first + place & 3]
        hands[first + place & 3] ^= card
        deal.put(card, place == 0)
    before = deal.undrawn(4)
    assert (before.hands, before.top, before.stock) == (hands, 0, deal.stock)
    assert (before.stage, before.turn, before.gain) == (deal.stage, deal.turn, deal.gain)
    assert deal.top == 4
    assert deal.undrawn(0).hands == deal.hands
