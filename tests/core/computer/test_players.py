"""Every level plays by the rules, knows only what its seat may know, and does not change its mind."""

import random

import pytest

from core import computer
from core.cards import cards_of
from core.computer import easy, strong
from core.computer.playout import dealt
from core.computer.seen import position_of
from core.computer.steady import STEADY
from core.computer.table import play_deal
from core.deal import Deal, Move, Phase, Verb, legal_moves_of, play, start
from core.errors import GoatError
from core.shuffle import shuffle
from core.state import Pack
from core.view import SeatView, view
from tests.core.scenes import played, random_pack, random_rules

ALL = sorted(computer.PLAYERS)


@pytest.mark.parametrize("level", ["easy", "steady", "rules"])
def test_a_level_plays_whole_deals_by_the_rules(level: str) -> None:
    rng = random.Random(1)
    for seed in range(30):
        deal = play_deal(random_pack(rng), [level] * 4, seed, random_rules(rng))
        assert sum(deal.points) == 120


def test_strong_plays_whole_deals_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    few = computer.Player(
        lambda view, rng: strong.choose(view, rng, 24), lambda view, rng: strong.declares(view, rng, 24)
    )
    monkeypatch.setitem(computer.PLAYERS, "strong", few)
    rng = random.Random(2)
    for seed in range(6):
        deal = play_deal(random_pack(rng), ["strong"] * 4, seed, random_rules(rng))
        assert sum(deal.points) == 120


def hidden_cards_otherwise(deal: Deal, seat: int, rng: random.Random) -> Deal:
    """The same deal to the eyes of the seat, with the cards that it can't see exchanged among themselves."""
    unseen = list(cards_of(view(deal, seat).unseen))
    shown = deal.pack.shown
    movable = [card for card in unseen if card != shown]
    mixed = movable[:]
    rng.shuffle(mixed)
    other = dict(zip(movable, mixed, strict=True))

    def swap(cards: int) -> int:
        return sum(1 << other.get(card, card) for card in cards_of(cards))

    def of(move: Move) -> Move:
        return move._replace(cards=swap(move.cards))

    pack = Pack(
        tuple(other.get(card, card) for card in deal.pack.cards),
        deal.pack.indicator,
        deal.pack.dealer,
        deal.pack.leader,
    )
    one, two, three, four = [swap(hand) for hand in deal.hands]
    return deal._replace(
        pack=pack,
        hands=(one, two, three, four),
        stock=tuple(other.get(card, card) for card in deal.stock),
        table=tuple(of(move) for move in deal.table),
        recalled=tuple(of(move) for move in deal.recalled),
        tricks_done=tuple(
            trick._replace(moves=tuple(map(of, trick.moves)), recalled=tuple(map(of, trick.recalled)))
            for trick in deal.tricks_done
        ),
    )


def thinks(seen: SeatView, level: str) -> Move | None:
    if level == "strong":
        return strong.choose(seen, random.Random(5), 40)
    return computer.choose(seen, random.Random(5), level)


@pytest.mark.parametrize("level", ALL)
def test_cards_that_a_seat_cannot_see_do_not_change_its_move(level: str) -> None:
    rng = random.Random(3)
    compared = 0
    for seed in range(40):
        deal = list(played(seed))[rng.randrange(12)]
        if deal.turn is None or deal.phase is Phase.OFFER:
            continue
        other = hidden_cards_otherwise(deal, deal.turn, rng)
        assert view(other, deal.turn) == view(deal, deal.turn)
        assert thinks(view(other, deal.turn), level) == thinks(view(deal, deal.turn), level)
        compared += other.hands != deal.hands
    assert compared > 20


@pytest.mark.parametrize("level", ALL)
def test_the_same_view_and_seed_give_the_same_move(level: str) -> None:
    for seed in range(15):
        deal = list(played(seed))[5]
        if deal.turn is not None:
            seen = view(deal, deal.turn)
            assert thinks(seen, level) == thinks(seen, level)


@pytest.mark.parametrize("level", ALL)
def test_a_level_answers_with_a_legal_move_wherever_it_is_asked(level: str) -> None:
    for seed in range(20):
        for deal in list(played(seed))[seed % 3 :: 6]:
            for seat in range(4):
                seen = view(deal, seat)
                move = (
                    thinks(seen, level)
                    if deal.turn == seat
                    else computer.choose(seen, random.Random(1), level)
                )
                assert move in legal_moves_of(deal, seat) if deal.turn == seat else move is None


def test_who_may_not_say_molodka_does_not_declare() -> None:
    deal = start(shuffle(random.Random(4), 0, 1))
    for level in ALL:
        assert not any(
            computer.declares(view(deal, seat), random.Random(1), level)
            for seat in range(4)
            if not any(move.verb is Verb.MOLODKA for move in view(deal, seat).legal)
        )


def test_an_unknown_level_is_refused() -> None:
    seen = view(start(shuffle(random.Random(4), 0, 1)), 1)
    with pytest.raises(GoatError, match="unknown level"):
        computer.choose(seen, random.Random(1), "godlike")


def test_steady_over_views_is_the_steady_player_of_the_playouts() -> None:
    rng = random.Random(6)
    for number in range(40):
        deal = start(shuffle(rng, number % 4, 0))
        fast = dealt(deal.pack)
        while deal.turn is not None:
            seen = view(deal, deal.turn)
            option = STEADY.best(fast)
            assert STEADY.best(position_of(seen)) == option
            move = computer.choose(seen, rng, "steady")
            assert move is not None
            deal = play(deal, move)
            fast.put(option.cards, option.face_up)


def test_easy_errs_but_steady_does_not_depend_on_chance() -> None:
    different = 0
    for seed in range(40):
        deal = list(played(seed))[4]
        if deal.turn is None or deal.phase is Phase.OFFER:
            continue
        seen = view(deal, deal.turn)
        steadys = {computer.choose(seen, random.Random(chance), "steady") for chance in range(5)}
        assert len(steadys) == 1
        different += len({easy.choose(seen, random.Random(chance)) for chance in range(5)}) > 1
    assert different > 10
