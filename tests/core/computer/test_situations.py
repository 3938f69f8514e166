"""What makes people angry with a partner does not happen."""

import random
from collections.abc import Callable, Iterable, Iterator

import pytest

from core import computer
from core.cards import cards_of, points_of, suit_of
from core.computer import strong
from core.computer.guess import Guess
from core.computer.playout import Position, dealt
from core.computer.seen import position_of
from core.computer.selfplay import packs
from core.computer.solve import options, solvable, solve, solved
from core.computer.steady import STEADY, move_of
from core.deal import Deal, Move, Phase, Verb, play, start
from core.rules import Rules
from core.shuffle import shuffle
from core.view import SeatView, view
from tests.core.scenes import after, played, scene


def moves(deal: Deal, level: str, tries: int = 2) -> set[str]:
    """What the level plays there, with several seeds."""
    assert deal.turn is not None
    seen = view(deal, deal.turn)
    return {str(computer.choose(seen, random.Random(seed), level)) for seed in range(tries)}


BOTH = pytest.mark.parametrize("level", ["steady", "strong"])


@BOTH
def test_points_go_to_a_trick_that_the_partner_surely_wins(level: str) -> None:
    deal = scene(["9D 8C JD 9C", "AS 6C 7D 8H", "6S 10C 9H JC", "10H 6D 7C 8D"], trump="S")
    deal = after(deal, "0 lead 9C", "1 beat AS", "2 pass JC")
    assert moves(deal, level) == {"3 pass 10H"}


@BOTH
def test_no_points_go_to_a_trick_that_an_opponent_surely_has(level: str) -> None:
    deal = scene(["9D 8C JD 9C", "10D 6C 7D 8H", "AS 7C 9H JC", "10H 6H AC 8D"], trump="S")
    deal = after(deal, "0 lead 9C", "1 pass 8H", "2 beat AS")
    (move,) = moves(deal, level)
    assert points_of(Move.parse(move).cards) == 0


@BOTH
def test_the_last_player_does_not_overtake_his_partner_with_a_trump_for_nothing(level: str) -> None:
    deal = scene(["9D 8C JD 9C", "AC 6C 7D 8H", "6D 7C 9H JC", "10S 6H 7H 8D"], trump="S")
    deal = after(deal, "0 lead 9C", "1 beat AC", "2 pass 6D")
    (move,) = moves(deal, level)
    assert "10S" not in move


@BOTH
def test_a_fat_trick_is_taken_when_the_last_card_can(level: str) -> None:
    deal = scene(["AC 8C JD 9C", "10D 6C 7D 8H", "6D 7C 9H JC", "6S 6H 7H 8D"], trump="S")
    deal = after(deal, "0 lead AC", "1 pass 6C", "2 pass JC")
    assert moves(deal, level) == {"3 beat 6S"}


@BOTH
def test_four_of_a_suit_are_led_together(level: str) -> None:
    deal = scene(["AC 10C KC 9C", "10D 6C 7D 8H", "6D 7C 9H JC", "6S 6H 7H 8D"], trump="S")
    assert moves(deal, level) == {"0 lead 9C KC 10C AC"}


@BOTH
def test_four_trumps_with_the_ace_are_claimed_from_an_opponent(level: str) -> None:
    deal = scene(["AC 10D KC 9H", "10S 8S 7S AS", "6D 7C 9D JC", "6H 6S 7H 8D"], trump="S")
    assert computer.declares(view(deal, 1), random.Random(1), level)


def test_a_molodka_is_thought_over_however_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = []
    look = Guess.world

    def counted(guess: Guess, rng: random.Random) -> Position:
        worlds.append(look(guess, rng))
        return worlds[-1]

    monkeypatch.setattr(Guess, "world", counted)
    deal = scene(["AC 10D KC 9H", "10S 8S 7S AS", "6D 7C 9D JC", "6H 6S 7H 8D"], trump="S")
    assert strong.declares(view(deal, 1), random.Random(1), budget=1)
    assert len(worlds) == strong.CLAIM


@BOTH
def test_the_four_best_trumps_at_the_end_are_not_claimed(level: str) -> None:
    """They are four tricks one by one, and only one together."""
    stock = "6H AD 10D KC 10C 10S KD 9C 9H 10H JC QC JD KH JH 9D 7H AC 8H AS"
    deal = scene(["6C 8C 7D 7S", "6D 8D QH 9S", "6S 8S QS KS", "7C QD AH JS"], trump="C", stock=stock)
    deal = after(deal, "0 lead 7D", "1 beat 8D", "2 pass 6S", "3 pass AH")
    deal = after(deal, "1 lead 6D", "2 beat AD", "3 beat 7C", "0 beat 8C")
    deal = after(deal, "0 lead 7S", "1 beat 10S", "2 pass KD", "3 pass 10D")
    deal = after(deal, "1 lead 9S", "2 pass 10H", "3 pass JS", "0 beat 6C")
    deal = after(deal, "0 lead JD", "1 pass QH", "2 pass JH", "3 beat QD", "3 lead 9D")
    assert Move(0, Verb.MOLODKA) in view(deal, 0).legal
    assert not any(computer.declares(view(deal, 0), random.Random(seed), level) for seed in range(3))
    assert all(" beat " in move for move in moves(deal, level))


def last_to_act(seeds: Iterable[int]) -> Iterator[Deal]:
    """Tricks in deals of steady players that lack one card, or set of cards: who acts knows who takes them if he passes."""
    for seed in seeds:
        deal = start(shuffle(random.Random(seed), 3, 0))
        while deal.turn is not None:
            if deal.phase is Phase.REPLY and len(deal.table) == 3:
                yield deal
            chosen = computer.choose(view(deal, deal.turn), random.Random(seed), "steady")
            assert chosen is not None
            deal = play(deal, chosen)


def gain_over(seen: SeatView, move: Move, others: Callable[[Move], bool]) -> float:
    """By how much the move is worth more than the best of these others, as strong weighs them."""
    worth = {move_of(seen, one): one.value for one in strong.values(seen, random.Random(2))}
    return worth[move] - max(value for other, value in worth.items() if others(other))


NOISE = 2.0
"""Points by which two searches in other worlds may differ about a move."""


def test_strong_overtakes_a_partner_who_has_won_the_trick_only_when_its_values_show_why() -> None:
    looked = overtaken = 0
    for deal in last_to_act(range(40)):
        assert deal.turn is not None
        seen = view(deal, deal.turn)
        beats = [move for move in seen.legal if move.verb is Verb.BEAT]
        if deal.best != deal.turn ^ 2 or not beats:
            continue
        looked += 1
        move = strong.choose(seen, random.Random(1))
        if move.verb is Verb.BEAT:
            overtaken += 1
            assert gain_over(seen, move, lambda other: other.verb is Verb.PASS) > -NOISE
    assert looked > 10
    assert overtaken < looked / 2


@BOTH
def test_points_go_to_a_trick_that_opponents_have_won_only_when_its_values_show_why(level: str) -> None:
    """As when a lone ten is thrown so that three of a suit stay together."""
    looked = fed = 0
    for deal in last_to_act(range(20)):
        assert deal.turn is not None
        seen = view(deal, deal.turn)
        worthless = [
            card for card in cards_of(seen.hand) if not points_of(1 << card) and suit_of(card) != seen.trump
        ]
        if (deal.best or 0) % 2 == deal.turn % 2 or len(worthless) < seen.need:
            continue
        looked += 1
        move = computer.choose(seen, random.Random(1), level)
        assert move is not None
        if move.verb is Verb.PASS and points_of(move.cards):
            fed += 1
            assert gain_over(seen, move, lambda other: not points_of(other.cards)) > -NOISE
    assert looked > 25
    assert fed < looked / 8


def test_steady_overtakes_a_winning_partner_as_the_last_only_when_the_value_shows_why() -> None:
    looked = 0
    for seed in range(150):
        for deal in played(seed):
            if deal.phase is not Phase.REPLY or len(deal.table) != 3 or deal.best != (deal.turn or 0) ^ 2:
                continue
            assert deal.turn is not None
            seen = view(deal, deal.turn)
            found = STEADY.options(position_of(seen), every=True)
            best = max(found)
            looked += 1
            if best.face_up:
                passed = max(one.value for one in found if not one.face_up)
                assert best.value > passed
    assert looked > 100


def test_steady_takes_the_last_trick_of_a_deal_whenever_it_can() -> None:
    for seed in range(200):
        for deal in played(seed):
            if deal.phase is not Phase.REPLY or len(deal.table) != 3 or deal.stock:
                continue
            assert deal.turn is not None
            move = computer.choose(view(deal, deal.turn), random.Random(1), "steady")
            assert move is not None
            if deal.hands[deal.turn].bit_count() == deal.need and (deal.best or 0) % 2 != deal.turn % 2:
                beats = [one for one in view(deal, deal.turn).legal if one.verb is Verb.BEAT]
                assert (move.verb is Verb.BEAT) == bool(beats)


def minimax(position: Position) -> int:
    if position.over:
        return position.gain
    values = []
    for option in options(position):
        later = position.copy()
        later.put(option.cards, option.face_up)
        values.append(minimax(later))
    return min(values) if position.turn & 1 else max(values)


def test_the_solver_finds_what_plain_minimax_finds() -> None:
    solved_ones = 0
    for pack in packs(5, 25):
        position = dealt(pack, molodka=False)
        while not position.over:
            if solvable(position):
                exact = minimax(position)
                assert solve(position) == exact
                sign = -1 if position.turn & 1 else 1
                assert solved(position)[0].value == sign * exact
                solved_ones += 1
            option = STEADY.best(position)
            position.put(option.cards, option.face_up)
    assert solved_ones > 25


def test_the_solver_refuses_what_is_still_to_be_drawn() -> None:
    with pytest.raises(ValueError, match="left to draw"):
        solve(dealt(packs(1, 1)[0]))


def test_strong_plays_the_end_perfectly_when_all_cards_are_known() -> None:
    """With open passes the one who acts before the last player knows his hand to the card."""
    tried = 0
    for pack in packs(8, 150):
        deal = start(pack, Rules(open_passes=True, molodka=False))
        while deal.turn is not None:
            seen = view(deal, deal.turn)
            guess = Guess(seen)
            if guess.certain and len(seen.legal) > 1:
                world = guess.world(random.Random(1))
                if solvable(world):
                    best = solved(world)
                    move = strong.choose(seen, random.Random(1))
                    worth = {move_of(seen, one): one.value for one in best}
                    assert worth[move] == best[0].value
                    tried += 1
            chosen = computer.choose(seen, random.Random(1), "steady")
            assert chosen is not None
            deal = play(deal, chosen)
    assert tried > 8


def test_guessed_worlds_agree_with_all_that_was_seen() -> None:
    rng = random.Random(4)
    for seed in range(60):
        for deal in list(played(seed))[seed % 4 :: 4]:
            if deal.turn is None:
                continue
            seen = view(deal, deal.turn)
            world = Guess(seen).world(rng)
            assert [hand.bit_count() for hand in world.hands] == list(seen.hand_sizes)
            assert len(world.stock) == seen.stock
            whole = 0
            places = [*world.hands, *world.passed, *world.stock]
            for cards in places:
                assert not whole & cards
                whole |= cards
            assert whole | world.seen == (1 << 36) - 1
            assert world.hands[deal.turn] == Guess(seen).known.hands[deal.turn]
