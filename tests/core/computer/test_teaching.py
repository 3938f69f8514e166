"""The judge's lessons, and the fit where numpy is installed."""

import argparse
import io
import random
from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from core.computer import judge, lessons, strong, tune
from core.computer.judge import Judge
from core.computer.lessons import Decision, Players, Watched, candidates, decision, decisions, outcome
from core.computer.steady import Option
from tests.core.computer.judges import judge_at_random, steady_judge, watched

STEADY_PLAYERS = [None] * 4
FACE_UP = 7
"""Among the numbers of a move."""


def lessons_of(deals: int, player: Judge | None = None, seed: str = "1") -> list[Decision]:
    return [found for number in range(deals) for found in decisions(seed, number, player)]


def test_what_came_of_a_move_is_what_strong_says_of_it_when_everybody_is_steady() -> None:
    compared = 0
    for seed in range(12):
        for _, deal in watched(seed):
            for option in candidates(deal.position):
                assert outcome(deal, option, STEADY_PLAYERS) == strong.outcome(deal.position, option)
                compared += 1
    assert compared > 500


def test_a_lesson_says_what_a_move_brought_the_team_that_made_it() -> None:
    for seed in range(4):
        for _, deal in watched(seed):
            options = candidates(deal.position)
            to_team_0 = [strong.outcome(deal.position, option) for option in options]
            to_team = [-value for value in to_team_0] if deal.position.turn & 1 else to_team_0
            assert decision(deal, options, STEADY_PLAYERS).outcomes == to_team


def test_a_judge_that_adds_nothing_plays_and_teaches_like_steady() -> None:
    for seed in range(4):
        for _, deal in watched(seed):
            for option in candidates(deal.position):
                assert outcome(deal, option, [steady_judge()] * 4) == strong.outcome(deal.position, option)


def test_trying_moves_leaves_the_deal_as_it_was() -> None:
    for _, deal in watched(5):
        before = deal.copy()
        for option in candidates(deal.position):
            outcome(deal, option, [judge_at_random(random.Random(2))] * 4)
        for field in ("laid", "open_gain", "own_gain"):
            assert getattr(deal, field) == getattr(before, field)
        assert vars(deal.memory) == vars(before.memory)
        assert deal.position.hands == before.position.hands
        assert deal.position.gain == before.position.gain


def test_seats_of_a_judge_play_what_it_values_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "AHEAD", 1)
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
                assert outcome(deal, option, players) == strong.worth(expected)
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

    def watching(deal: Watched, options: Sequence[Option], players: Players) -> Decision:
        assert players[deal.position.turn] is player
        tables.add(tuple([one is player for one in players]))
        return decision(deal, options, players)

    monkeypatch.setattr(lessons, "decision", watching)
    lessons_of(12, player)
    assert tables == {(True, False) * 2, (False, True) * 2, (True,) * 4}


# From here on with numpy, which comes with goat's extra `learn`.


@pytest.fixture(scope="module")
def teach() -> ModuleType:
    pytest.importorskip("numpy", reason="the fit wants numpy")
    return import_module("core.computer.teach")


def all_of(teach: Any, found: list[Decision]) -> Any:
    """The lessons as one batch."""
    taught = teach.pack([found])
    begins = teach.np.cumsum(taught.counts) - taught.counts
    return teach.batch_of(taught, begins, teach.np.arange(len(found)))


def test_a_fitted_net_judges_in_plain_python_as_it_did_while_it_was_fitted(teach: Any) -> None:
    learner = teach.Learner((7, 5), teach.np.random.default_rng(1))
    fitted = Judge(learner.net(), learner.net())
    for _, deal in islice(watched(3), 5, None):
        options = candidates(deal.position)
        batch = all_of(teach, [decision(deal, options, STEADY_PLAYERS)])
        values, _, _ = learner.values(batch)
        judged = fitted.values(deal.known(), deal.memory, options)
        # What is taught is kept in half precision.
        assert judged == pytest.approx(values.tolist(), rel=0.02, abs=0.3)


def test_the_fit_goes_down_the_slopes_of_its_loss(teach: Any) -> None:
    np = teach.np
    learner = teach.Learner((6, 4), np.random.default_rng(2))
    learner.weights = [one.astype(np.float64) for one in learner.weights]
    learner.weights[4] += 0.05  # at 0 a unit whose inputs are all 0 has no slope
    batch = all_of(teach, lessons_of(2))
    batch = batch._replace(**{name: getattr(batch, name).astype(np.float64) for name in batch._fields[2:]})

    def loss() -> Any:
        values, _, _ = learner.values(batch)
        return (teach.centred(batch, values - batch.outcomes) ** 2).mean() / teach.SCALE**2

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


def test_a_net_learns_what_its_lessons_say_beyond_steady_and_it_holds_for_other_deals(teach: Any) -> None:
    """Here passes are worth eight points more than steady thinks, and the rest is luck."""
    rng = random.Random(7)

    def lessons_about_passes(seed: str) -> Any:
        found = []
        for one in lessons_of(60, seed=seed):
            passes = [not numbers[FACE_UP] for _, numbers in one.moves]
            outcomes = [gap + 8 * is_pass for gap, is_pass in zip(one.gaps, passes, strict=True)]
            found.append(one._replace(outcomes=[outcome + rng.gauss(0.0, 2.0) for outcome in outcomes]))
        taught = teach.pack([found])
        return taught.where(taught.acted > 0)

    taught, held_out = lessons_about_passes("3"), lessons_about_passes("4")
    scores = [teach.fit(taught, held_out, (16, 8), epochs, 1)[1] for epochs in (1, 100)]
    assert scores[1].left < scores[0].left / 2
    assert scores[1].gained / scores[1].decisions > 0.5


def test_goat_tune_prints_a_judge_that_can_be_read(teach: ModuleType) -> None:
    out, err = io.StringIO(), io.StringIO()
    words = ["--judge", "20", "--rounds", "2", "--epochs", "1"]
    parser = argparse.ArgumentParser()
    tune.add_arguments(parser)
    assert tune.run(parser.parse_args(words), out, err) == 0
    assert out.getvalue().startswith("# goat tune --judge 20 --seed 1 --rounds 2 --epochs 1\n")
    found = judge.read(out.getvalue())
    assert (len(found.leads.bias), len(found.replies.bias)) == (teach.LEADS[0], teach.REPLIES[0])
    assert [line.partition(":")[0] for line in err.getvalue().splitlines()] == ["round 1", "round 2"]
