"""The judge's lessons, and the fit."""

import argparse
import io
import random
from collections.abc import Sequence
from itertools import islice
from math import tanh
from typing import Any

import pytest

from core.cards import parse_cards
from core.computer import fit_judge, fit_outlook, fitting, judge, lessons, outlook, strong, tune
from core.computer.judge import Judge, Net
from core.computer.lessons import (
    Decision,
    Players,
    Stand,
    Watched,
    candidates,
    decision,
    decisions,
    outcome,
    stands,
)
from core.computer.outlook import Judges, Outlook
from core.computer.playout import Position, dealt
from core.computer.selfplay import play_out
from core.computer.steady import STEADY, Option
from core.computer.strong import worth_with
from core.computer.values import kept_to_come
from core.shuffle import shuffle
from core.state import HAND
from tests.core.computer.judges import (
    between_tricks,
    judge_at_random,
    linear_outlook,
    outlook_at_random,
    outlook_that_says,
    steady_judge,
    watched,
)

STEADY_PLAYERS = [None] * 4
FACE_UP = 7
"""Among the numbers of a move."""

STAGE_MARKS = 5 * 36
"""Among the marks of a position between tricks."""

OWN_JUDGE, OTHER_JUDGE = STAGE_MARKS + 15, STAGE_MARKS + 16


def lessons_of(deals: int, player: Judge | None = None, seed: str = "1") -> list[Decision]:
    return [found for number in range(deals) for found in decisions(seed, number, player, linear_outlook())]


def late(*hands: str, leader: int, gain: int, tricks: tuple[int, int]) -> Watched:
    """The stock is empty."""
    position = Position([parse_cards(cards) for cards in hands], (), leader, open_passes=False, molodka=True)
    position.gain = gain
    position.tricks = list(tricks)
    return Watched(position)


def finished_by_steady(position: Position, option: Option) -> float:
    """What linear values say when steady players go on to the end of the trick."""
    position, top = position.copy(), position.top
    position.put(option.cards, option.face_up)
    if position.acted:
        strong.play_on(position, 1)
    return linear_worth(position, top)


def linear_worth(position: Position, top: int) -> float:
    """Of a position between tricks; so many cards of the stock were gone when the trick ended."""
    return worth_with(position, kept_to_come(position.undrawn(position.top - top)))


def test_what_came_of_a_move_is_what_linear_values_say_of_its_trick_when_everybody_is_steady() -> None:
    compared = 0
    for seed in range(12):
        for _, deal in watched(seed):
            for option in candidates(deal.position):
                found = outcome(deal, option, STEADY_PLAYERS, linear_outlook())
                assert found == finished_by_steady(deal.position, option)
                compared += 1
    assert compared > 500


def test_a_lesson_says_what_a_move_brought_the_team_that_made_it() -> None:
    for seed in range(4):
        for _, deal in watched(seed):
            options = candidates(deal.position)
            to_team_0 = [finished_by_steady(deal.position, option) for option in options]
            to_team = [-value for value in to_team_0] if deal.position.turn & 1 else to_team_0
            assert decision(deal, options, STEADY_PLAYERS, linear_outlook()).outcomes == to_team


def test_a_judge_that_adds_nothing_plays_and_teaches_like_steady() -> None:
    for seed in range(4):
        for _, deal in watched(seed):
            for option in candidates(deal.position):
                found = outcome(deal, option, [steady_judge()] * 4, linear_outlook())
                assert found == finished_by_steady(deal.position, option)


def test_what_the_trick_brought_and_what_the_outlook_expects_of_the_rest_make_the_outcome() -> None:
    """Seat 1 leads its ten; its partner puts the ace there, or 6♥."""
    deal = late("JD KD", "10C 7H", "8D 9D", "AC 6H", leader=1, gain=40, tricks=(2, 1))
    deal.put(parse_cards("10C"), True)
    deal.put(parse_cards("8D"), False)
    ahead = outlook_that_says(5.0)

    def total(margin: float) -> float:
        spread = 0.8 * 18
        return margin + 2 * (
            tanh(margin / spread) + tanh((margin + 60) / spread) / 2 + tanh((margin - 60) / spread) / 2
        )

    for option, trick in (
        (Option(0.0, parse_cards("AC"), True), 10 + 11),
        (Option(0.0, parse_cards("6H"), False), 10),
    ):
        # Seat 0 throws its jack, and team 1 leads again.
        assert outcome(deal, option, STEADY_PLAYERS, ahead) == pytest.approx(total(40 - (trick + 2) - 5))


def test_the_last_trick_is_counted_in_points_and_loss_points_alone() -> None:
    deal = late("KD", "6C", "10D", "AC", leader=0, gain=61, tricks=(4, 1))
    deal.put(parse_cards("KD"), True)
    deal.put(parse_cards("6C"), False)
    found = outcome(deal, Option(0.0, parse_cards("10D"), True), STEADY_PLAYERS, outlook_that_says(50.0))
    assert found == 61 + 25 + strong.LOSS * 4


def test_who_draws_which_card_is_no_luck_in_a_lesson() -> None:
    ahead = outlook_at_random(random.Random(3))
    drawing = 0
    for seed in range(8):
        for _, deal in watched(seed):
            left = deal.position.stock[deal.position.top :]
            twin = deal.copy()
            twin.position.stock = deal.position.stock[: deal.position.top] + left[::-1]
            options = candidates(deal.position)
            found = decision(deal, options, STEADY_PLAYERS, ahead).outcomes
            assert decision(twin, options, STEADY_PLAYERS, ahead).outcomes == found
            drawing += bool(left)
    assert drawing > 50


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """The positions of which marks were asked, as they were then, with what was drawn next."""
    found: list[Position] = []
    marks = outlook.marks

    def watching(position: Position, judges: Judges) -> list[int]:
        found.append(drawn(position))
        return marks(position, judges)

    monkeypatch.setattr(outlook, "marks", watching)
    return found


def drawn(position: Position) -> Position:
    """The winner of the trick draws first, a card a seat in turn, until each holds four or the stock is empty."""
    position = position.copy()
    while position.top < len(position.stock) and position.hands[position.turn].bit_count() < HAND:
        for place, card in enumerate(position.stock[position.top : position.top + 4], position.turn):
            position.hands[place & 3] |= card
        position.top += 4
    return position


def ended(position: Position) -> int:
    """The gain of team 0 when steady players go on to the end."""
    position = position.copy()
    play_out(position, [STEADY] * 4)
    return position.gain


def all_by_steady(number: int) -> Position:
    """The deal that `stands("1", number, None)` begins with, played by steady players without random moves."""
    deal = dealt(shuffle(random.Random(f"1/{number}"), number % 4, (number + 1) % 4))
    play_out(deal, [STEADY] * 4)
    return deal


def won_by_leader(position: Position, end: int) -> int:
    return position.gain - end if position.turn & 1 else end - position.gain


def test_a_stand_says_how_many_points_the_leader_s_team_won_from_there_to_the_end(
    looked: list[Position],
) -> None:
    compared = 0
    for number in range(8):
        looked.clear()
        found = stands("1", number, None)
        deal = all_by_steady(number)
        assert [one.to_come for one in found] == [won_by_leader(position, deal.gain) for position in looked]
        assert len(found) == sum(deal.tricks) - 1
        compared += len(found)
    assert compared > 20


def test_what_is_to_come_is_never_the_work_of_random_moves(looked: list[Position]) -> None:
    odd = 0
    for number in range(8, 16):
        looked.clear()
        found = stands("1", number, None)
        ends = [ended(position) for position in looked]
        assert [one.to_come for one in found] == list(map(won_by_leader, looked, ends))
        odd += bool(ends) and ends[-1] != all_by_steady(number).gain
    assert odd > 2, "no deal began with random moves"


def test_the_same_deal_gives_the_same_stands_and_the_judge_s_seats_are_marked() -> None:
    player = judge_at_random(random.Random(1))
    marked = set()
    for number in range(16):
        found = stands("1", number, player)
        assert found == stands("1", number, player)
        assert found != stands("2", number, player)
        marked |= {tuple([mark for mark in one.marks if mark >= OWN_JUDGE]) for one in found}
    assert marked == {(OWN_JUDGE,), (OTHER_JUDGE,), (OWN_JUDGE, OTHER_JUDGE)}
    assert all(max(one.marks) < OWN_JUDGE for one in stands("1", 3, None))


def test_trying_moves_leaves_the_deal_as_it_was() -> None:
    for _, deal in watched(5):
        before = deal.copy()
        for option in candidates(deal.position):
            outcome(deal, option, [judge_at_random(random.Random(2))] * 4, linear_outlook())
        for field in ("laid", "open_gain", "own_gain"):
            assert getattr(deal, field) == getattr(before, field)
        assert vars(deal.memory) == vars(before.memory)
        assert deal.position.hands == before.position.hands
        assert deal.position.gain == before.position.gain


def test_seats_of_a_judge_play_what_it_values_most() -> None:
    steady = steady_judge()
    contrary = Judge(steady.leads._replace(steady=-1.0), steady.replies._replace(steady=-1.0))
    compared = 0
    for seed in range(30):
        for _, deal in watched(seed):
            if deal.position.acted != 2 or deal.position.claimants():
                continue
            players = [contrary if seat & 1 == seed & 1 else None for seat in range(4)]
            for option in candidates(deal.position):
                expected = deal.position.copy()
                expected.put(option.cards, option.face_up)
                last = candidates(expected)
                played = (
                    min(last, key=lambda one: one.value - last[0].value)
                    if players[expected.turn]
                    else last[0]
                )
                expected.put(played.cards, played.face_up)
                found = outcome(deal, option, players, linear_outlook())
                assert found == linear_worth(expected, deal.position.top)
                compared += 1
    assert compared > 200


def test_the_same_deal_gives_the_same_lessons() -> None:
    player = judge_at_random(random.Random(1))
    assert lessons_of(3, player) == lessons_of(3, player)
    assert lessons_of(3, player) != lessons_of(3, player, seed="2")


def test_lessons_are_choices_between_steady_s_best_moves() -> None:
    found = lessons_of(16)
    assert {one.acted for one in found} == {0, 1, 2, 3}
    for one in found:
        assert 2 <= len(one.moves) == len(one.gaps) == len(one.outcomes) <= judge.CANDIDATES
        assert one.gaps[0] == 0.0
        assert one.gaps == sorted(one.gaps, reverse=True)
        assert all(abs(value) < 140 for value in one.outcomes)
    assert any(len(set(one.outcomes)) > 1 for one in found)


def test_steady_players_do_not_teach_beside_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    player = judge_at_random(random.Random(1))
    tables = set()

    def watching(deal: Watched, options: Sequence[Option], players: Players, ahead: Outlook) -> Decision:
        assert players[deal.position.turn] is player
        tables.add(tuple([one is player for one in players]))
        return decision(deal, options, players, ahead)

    monkeypatch.setattr(lessons, "decision", watching)
    lessons_of(12, player)
    assert tables == {(True, False) * 2, (False, True) * 2, (True,) * 4}


def all_of(found: list[Decision]) -> Any:
    """The lessons as one batch."""
    taught = fit_judge.pack([found])
    begins = taught.counts.cumsum() - taught.counts
    return fit_judge.choices(taught, begins, fitting.np.arange(len(found)))


def test_a_fitted_net_judges_in_plain_python_as_it_did_while_it_was_fitted() -> None:
    learner = fit_judge.learner_at_random((7, 5), fitting.np.random.default_rng(1))
    net = Net(*learner.net())
    fitted = Judge(net, net)
    for _, deal in islice(watched(3), 5, None):
        options = candidates(deal.position)
        batch = all_of([decision(deal, options, STEADY_PLAYERS, linear_outlook())])
        values, _, _ = learner.values(batch)
        judged = fitted.values(deal.known(), deal.memory, options)
        # What is taught is kept in half precision.
        assert judged == pytest.approx(values.tolist(), rel=0.01, abs=0.05)


def test_a_fitted_outlook_tells_in_plain_python_what_it_told_while_it_was_fitted() -> None:
    learner = fit_outlook.learner_at_random((7, 5), fitting.np.random.default_rng(1))
    fitted = Outlook(*learner.net())
    compared = 0
    for seed in range(6):
        for position in between_tricks(seed):
            if not position.stage:
                continue
            seen = Stand(outlook.marks(position, (True, False)), kept_to_come(position), 0)
            batch = fit_outlook.pack([[seen]]).batch([0])
            values, _, _ = learner.values(batch)
            assert fitted.to_come(position, (True, False)) == pytest.approx(float(values[0]), abs=1e-3)
            compared += 1
    assert compared > 20


def test_nets_in_plain_numbers_can_be_learned_on() -> None:
    for module in (fit_judge, fit_outlook):
        learner = module.learner_at_random((7, 5), fitting.np.random.default_rng(4))
        for weights, again in zip(learner.weights, fitting.weights_of(learner.net()), strict=True):
            assert again.shape == weights.shape
            assert again.dtype == weights.dtype
            assert abs(again - weights).max() < 1e-6


def test_the_fit_goes_down_the_slopes_of_its_loss() -> None:
    np = fitting.np
    found = [one for number in range(2) for one in stands("1", number, None)]
    batches = [
        (fit_judge, all_of(lessons_of(2)), 2),
        (fit_outlook, fit_outlook.pack([found]).batch(np.arange(len(found))), 0),
    ]
    for module, batch, first in batches:
        learner = module.learner_at_random((6, 4), np.random.default_rng(2))
        learner.weights = [one.astype(np.float64) for one in learner.weights]
        learner.weights[-3] += 0.05  # at 0 a unit whose inputs are all 0 has no slope
        precise = batch._replace(
            **{name: getattr(batch, name).astype(np.float64) for name in batch._fields[first:]}
        )
        check_slopes(learner, precise)


def check_slopes(learner: Any, batch: Any) -> None:
    def loss() -> Any:
        values, _, _ = learner.values(batch)
        return (batch.errors(values) ** 2).mean() / fitting.SCALE**2

    rng = random.Random(5)
    for weights, slopes in zip(learner.weights, learner.slopes(batch), strict=True):
        for _ in range(10):
            place = tuple([rng.randrange(size) for size in weights.shape])
            before = weights[place]
            weights[place] = before + 1e-7
            above = loss()
            weights[place] = before - 1e-7
            below = loss()
            weights[place] = before
            assert (above - below) / 2e-7 == pytest.approx(slopes[place], rel=1e-3, abs=1e-6)


def test_an_outlook_comes_nearer_than_linear_values_in_deals_that_it_was_not_taught() -> None:
    """Ends of deals, which are soon learned."""
    late = {STAGE_MARKS + stage for stage in (1, 2)}

    def ends(numbers: range) -> Any:
        found = [one for number in numbers for one in stands("5", number, None)]
        return fit_outlook.pack([[one for one in found if late & set(one.marks)]])

    taught, held_out = ends(range(4000)), ends(range(4000, 4500))
    first, found = fit_outlook.fit(taught, held_out, 25, 1)
    assert found.positions > 500
    assert found.left < 0.95 * found.linear < found.linear < found.squares
    _, later = fit_outlook.fit(taught, held_out, 25, 1, start=first)
    assert later.left < 0.95 * found.left


def test_a_net_learns_what_its_lessons_say_beyond_steady_and_it_holds_for_other_deals() -> None:
    """Here passes are worth eight points more than steady thinks, and the rest is luck."""
    rng = random.Random(7)

    def lessons_about_passes(seed: str) -> Any:
        found = []
        for one in lessons_of(60, seed=seed):
            passes = [not numbers[FACE_UP] for _, numbers in one.moves]
            outcomes = [gap + 8 * is_pass for gap, is_pass in zip(one.gaps, passes, strict=True)]
            found.append(one._replace(outcomes=[outcome + rng.gauss(0.0, 2.0) for outcome in outcomes]))
        taught = fit_judge.pack([found])
        return taught.where(taught.acted > 0)

    taught, held_out = lessons_about_passes("3"), lessons_about_passes("4")
    scores = [fit_judge.fit(taught, held_out, (16, 8), epochs, 1)[1] for epochs in (1, 100)]
    assert scores[1].left < scores[0].left / 2
    assert scores[1].gained / scores[1].decisions > 0.5


def test_goat_tune_prints_a_judge_that_can_be_read() -> None:
    out, err = io.StringIO(), io.StringIO()
    words = ["--judge", "20", "--rounds", "2", "--epochs", "1"]
    parser = argparse.ArgumentParser()
    tune.add_arguments(parser)
    assert tune.run(parser.parse_args(words), out, err) == 0
    assert out.getvalue().startswith("# goat tune --judge 20 --seed 1 --rounds 2 --epochs 1\n")
    found = judge.read(out.getvalue())
    assert len(found.leads.bias) == len(found.replies.bias) == fit_judge.UNITS[0]
    assert [line.partition(":")[0] for line in err.getvalue().splitlines()] == ["round 1", "round 2"]
