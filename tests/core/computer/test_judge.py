"""What the judge remembers, looks at and says; its weights as text."""

import random

import pytest

from core.cards import CardSet, parse_cards
from core.computer import inputs, judge
from core.computer.lessons import Watched, candidates
from core.computer.memory import NEVER, Laid, Memory, remembered
from core.computer.net import Inputs
from core.computer.playout import Position, dealt
from core.computer.seen import position_of
from core.shuffle import shuffle
from core.view import view
from tests.core.computer.judges import judge_at_random, watched

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
"""Spades are trump here."""


def looked_at(position: Position, memory: Memory) -> list[Inputs]:
    """All that the judge sees of the moment and of its candidates, by steady's values."""
    order = inputs.suits(position)
    options = candidates(position)
    found = [inputs.moment(position, memory, order)]
    for option in options:
        gap = option.value - options[0].value
        found.append(inputs.move(position, memory, order, gap, option.cards, option.face_up))
    return found


def test_every_seat_remembers_the_same_and_nothing_hidden() -> None:
    for seed in range(60):
        for deal, fast in watched(seed):
            for seat in range(4):
                assert vars(remembered(view(deal, seat))) == vars(fast.memory)


def test_the_judge_looks_at_nothing_that_its_seat_cannot_see() -> None:
    """In the playout all hands, the stock and passes are there; in the position of a view they are empty."""
    compared = 0
    for seed in range(60):
        for deal, fast in watched(seed):
            seen = view(deal, deal.turn)
            assert looked_at(fast.known(), fast.memory) == looked_at(position_of(seen), remembered(seen))
            compared += 1
    assert compared > 1000


def renamed(cards: CardSet, names: tuple[int, int, int]) -> CardSet:
    """Each plain suit gets another's name; trumps stay."""
    found = cards >> 27 << 27
    for suit, name in enumerate(names):
        found |= (cards >> 9 * suit & 511) << 9 * name
    return found


def test_names_of_plain_suits_do_not_matter_to_the_judge() -> None:
    rng = random.Random(3)
    opinion = judge_at_random(rng)
    compared = 0
    for number in range(40):
        names = rng.choice([(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)])
        first = dealt(shuffle(rng, number % 4, 0))
        stock = tuple([renamed(card, names) for card in first.stock])
        second = Position([renamed(hand, names) for hand in first.hands], stock, first.turn, False, True)
        one, other = Watched(first), Watched(second)
        while not first.over:
            options = candidates(first)
            there = [option._replace(cards=renamed(option.cards, names)) for option in options]
            if told_apart(first):
                compared += 1
                assert opinion.values(other.known(), other.memory, there) == pytest.approx(
                    opinion.values(one.known(), one.memory, options)
                )
            place = rng.randrange(len(options))
            one.put(options[place].cards, options[place].face_up)
            other.put(there[place].cards, there[place].face_up)
    assert compared > 400


def told_apart(position: Position) -> bool:
    """Whether the hand holds something else of each plain suit, but for the suit that stands."""
    hand = position.hands[position.turn]
    standing = [suit for suit in range(3) if position.standing >> 9 * suit & 511]
    held = [hand >> 9 * suit & 511 for suit in range(3) if suit not in standing]
    return len(set(held)) == len(held)


def laid(*moves: str) -> list[Laid]:
    """`2 9H QH`: seat 2 led or beat; `3 -2`: seat 3 passed two cards."""
    found = []
    for move in moves:
        seat, _, cards = move.partition(" ")
        face_up = not cards.startswith("-")
        found.append((int(seat), face_up, parse_cards(cards) if face_up else (1 << int(cards[1:])) - 1))
    return found


def after(*moves: str, drawn: int = 1) -> Memory:
    memory = Memory()
    memory.trick(laid(*moves), drawn)
    return memory


def test_who_passes_on_an_opponent_s_cards_declined_them() -> None:
    memory = after("0 9H", "1 -1", "2 -1", "3 QH")
    assert [memory.declined[seat][HEARTS] for seat in range(4)] == [NEVER, 0, NEVER, NEVER]
    assert memory.height[1][HEARTS] == pytest.approx(6 / 9)
    assert [memory.led[seat][HEARTS] for seat in range(4)] == [0, NEVER, NEVER, NEVER]


def test_what_stands_is_declined_and_not_what_was_led() -> None:
    memory = after("0 7H", "1 KH", "2 -1", "3 -1")
    assert [memory.declined[seat][HEARTS] for seat in range(4)] == [NEVER, NEVER, 0, NEVER]
    assert memory.height[2][HEARTS] == pytest.approx(3 / 9)
    memory = after("0 7H", "1 7S", "2 -1", "3 -1")
    assert memory.declined[2] == [NEVER, NEVER, NEVER, 0]


def test_who_lets_plain_cards_stand_spared_its_trumps_and_gave_up_what_lay_open() -> None:
    memory = after("2 AH", "3 -1", "0 -1", "1 -1")
    assert memory.spared == [NEVER, 0, NEVER, 0]
    assert memory.spared_stake[3] == memory.spared_stake[1] == pytest.approx(11 / 20)
    memory = after("2 6H", "3 KH", "0 10H", "1 -1")
    assert memory.spared_stake == [0.0, pytest.approx(14 / 20), 0.0, 0.0]


def test_who_lets_trumps_stand_spared_nothing() -> None:
    memory = after("0 9S", "1 -1", "2 -1", "3 -1")
    assert memory.spared == [NEVER] * 4
    assert memory.declined[1][SPADES] == memory.declined[3][SPADES] == 0


def test_the_last_time_counts() -> None:
    memory = after("0 9H", "1 -1", "2 -1", "3 -1")
    memory.trick(laid("0 AH", "1 -1", "2 -1", "3 QS"), 1)
    assert memory.declined[1][HEARTS] == 1
    assert memory.height[1][HEARTS] == pytest.approx(1 / 9)
    assert memory.declined[3][HEARTS] == 0


def test_the_newest_cards_are_supposed_to_go_first() -> None:
    memory = Memory()
    memory.trick(laid("0 6H 7H", "1 -2", "2 -2", "3 -2"), 2)
    assert memory.came == [[0, 0, 1, 1]] * 4
    memory.trick(laid("0 6C", "1 -1", "2 -1", "3 -1"), 1)
    assert memory.came == [[0, 0, 1, 2]] * 4
    assert [memory.share(1, trick) for trick in (NEVER, 0, 1, 2)] == [0.0, 0.5, 0.75, 1.0]
    memory.trick(laid("0 6D 7D 8D", "1 -3", "2 -3", "3 -3"), 1)
    assert memory.came == [[0, 3]] * 4
    assert memory.share(1, 3) == 0.5


def test_a_trick_that_a_molodka_took_back_is_forgotten() -> None:
    hands = [parse_cards(cards) for cards in ("AC 6D 7D 8S", "6C 7C 8D 9S", "6H 7H 8H KH", "9C JC 9D 7S")]
    fast = Watched(Position(hands, (), 0, open_passes=False, molodka=True))
    fast.put(parse_cards("AC"), True)
    fast.put(parse_cards("6C"), False)
    fast.claim(2)
    for seat in (3, 0, 1):
        fast.put(hands[seat], False)
    assert fast.memory.led == [[NEVER] * 4, [NEVER] * 4, [NEVER, NEVER, 0, NEVER], [NEVER] * 4]
    assert [row[CLUBS] for row in fast.memory.declined] == [NEVER] * 4
    assert [row[HEARTS] for row in fast.memory.declined] == [NEVER, 0, NEVER, 0]


def test_a_seat_knows_what_it_passed_and_what_lay_open_and_no_other_points() -> None:
    hands = [parse_cards(cards) for cards in ("JC 6D", "10D 6C", "AH 7C", "QH 8C")]
    fast = Watched(Position(hands, (), 0, open_passes=False, molodka=True))
    for cards, face_up in (("JC", True), ("10D", False), ("AH", False), ("QH", False)):
        fast.put(parse_cards(cards), face_up)
    assert fast.position.gain == 26
    fast.put(parse_cards("6D"), True)
    assert fast.known().gain == 12
    fast.put(parse_cards("6C"), False)
    assert fast.known().gain == 13


def test_weights_as_text_are_the_same_weights_but_for_their_rounding() -> None:
    for seed in range(3):
        before = judge_at_random(random.Random(seed))
        again = judge.read("# a comment\n" + judge.show(before))
        for net, twin in ((before.leads, again.leads), (before.replies, again.replies)):
            assert twin.steady == net.steady
            rows = [*net.moment, *net.move, net.bias, *net.second, net.second_bias, net.last]
            twins = [*twin.moment, *twin.move, twin.bias, *twin.second, twin.second_bias, twin.last]
            for row, other in zip(rows, twins, strict=True):
                assert other == pytest.approx(row, abs=max(map(abs, row)) / 127, rel=0.0)
        assert judge.show(again) == judge.show(before)


@pytest.mark.parametrize("spoil", ["row", "line", "end", "empty"])
def test_weights_that_are_cut_are_refused(spoil: str) -> None:
    lines = judge.show(judge_at_random(random.Random(1))).splitlines()
    if spoil == "row":
        lines[9] = lines[9][:-2]
    elif spoil == "line":
        del lines[9]
    elif spoil == "end":
        del lines[-1]
    else:
        lines = []
    with pytest.raises(ValueError, match=r"judge\.txt|base85|unpack|invalid literal"):
        judge.read("\n".join(lines))
