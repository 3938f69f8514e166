"""A series: loss points, balls, goats, whose deal and lead it is."""

import random

import pytest
from hypothesis import given

from core.deal import Phase, legal_moves, play, start
from core.errors import DealError, RecordError
from core.rules import SERIES_LENGTHS, Rules
from core.series import Series, new_series, score
from core.shuffle import shuffle
from tests.core.scenes import played, scene, seeds

DEAL = scene(["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"])


def counted(series: Series, *points_of_team_0: int, tricks: tuple[int, int] = (4, 4)) -> Series:
    for points in points_of_team_0:
        over = DEAL._replace(phase=Phase.OVER, turn=None, points=(points, 120 - points), tricks=tricks)
        series, _ = score(series, over)
    return series


def fresh(rules: Rules | None = None) -> Series:
    return new_series(rules or Rules(), random.Random(1))


def test_the_first_dealer_is_random_and_the_player_after_him_leads() -> None:
    dealers = set()
    for seed in range(50):
        series = new_series(Rules(), random.Random(seed))
        assert series.leader == (series.dealer + 1) % 4
        assert (series.loss, series.balls, series.deals, series.over) == ((0, 0), 0, 0, False)
        dealers.add(series.dealer)
    assert dealers == {0, 1, 2, 3}


@given(seeds)
def test_then_the_deal_passes_clockwise_and_the_last_tricks_winner_leads(seed: int) -> None:
    *_, deal = played(seed)
    before = fresh()
    after, result = score(before, deal)
    assert after.dealer == (before.dealer + 1) % 4
    assert after.leader == result.next_leader == deal.tricks_done[-1].winner
    assert after.deals == 1


def test_twelve_loss_points_make_goats() -> None:
    series = counted(fresh(), 30, 30)
    assert (series.loss, series.over, series.goats) == ((8, 0), False, None)
    series = counted(series, 30)
    assert (series.loss, series.over, series.goats, series.goats_with_balls) == ((12, 0), True, 0, False)


def test_ten_and_six_end_it_too() -> None:
    ten = counted(fresh(), 90, 90, 89)
    assert ten.loss == (0, 10)
    series = counted(ten, 120, tricks=(5, 0))
    assert series.loss == (0, 16)
    assert series.goats == 1


def test_a_60_60_gives_nobody_loss_points_and_the_goats_their_balls() -> None:
    series = counted(fresh(), 60)
    assert (series.loss, series.balls, series.goats_with_balls) == ((0, 0), 1, False)
    series = counted(series, 90, 90, 90)
    assert (series.goats, series.goats_with_balls) == (1, True)


def test_balls_are_not_doubled_unless_the_house_says_so() -> None:
    assert counted(fresh(), 60, 61).loss == (0, 2)


def test_balls_doubled_doubles_the_next_decisive_deal_once_however_many_balls_there_were() -> None:
    rules = Rules(balls_doubled=True)
    series = counted(fresh(rules), 60, 60)
    assert series.doubled
    after, result = score(series, DEAL._replace(phase=Phase.OVER, turn=None, points=(61, 59), tricks=(4, 4)))
    assert (result.loss, result.doubled, after.loss, after.doubled) == ((0, 4), True, (0, 4), False)
    assert counted(after, 61).loss == (0, 6)


@pytest.mark.parametrize("length", SERIES_LENGTHS)
def test_the_series_ends_at_its_own_length(length: int) -> None:
    series = fresh(Rules(series_length=length))
    while not series.over:
        assert max(series.loss) < length
        series = counted(series, 31)
    assert series.loss == (length, 0)


def test_only_finished_deals_are_counted_and_only_while_the_series_runs() -> None:
    with pytest.raises(DealError) as refused:
        score(fresh(), DEAL)
    assert refused.value.code == "deal_not_over"
    over = counted(fresh(), 90, 90, 90)
    with pytest.raises(DealError) as refused:
        counted(over, 90)
    assert refused.value.code == "series_over"


@given(seeds)
def test_every_series_comes_to_its_goats(seed: int) -> None:
    rng = random.Random(seed)
    series = new_series(Rules(series_length=6), rng)
    for _ in range(40):
        deal = start(shuffle(rng, series.dealer, series.leader), series.rules)
        while moves := legal_moves(deal):
            deal = play(deal, rng.choice(moves))
        series, _ = score(series, deal)
        if series.over:
            break
    assert series.goats in (0, 1)


@pytest.mark.parametrize(
    "value",
    [None, [], "molodka", 7, {"series_length": 7}, {"series_length": "12"}, {"series_length": True},
     {"series_length": 12.0},
     {"series_length": None}, {"open_passes": 1}, {"balls_doubled": "no"}, {"molodka": None}],
)  # fmt: skip
def test_house_rules_of_a_wrong_kind_are_refused(value: object) -> None:
    with pytest.raises(RecordError) as refused:
        Rules.from_json(value)
    assert refused.value.code == "bad_rules"


def test_house_rules_survive_being_written_and_read() -> None:
    rules = Rules(series_length=24, open_passes=True, balls_doubled=True, molodka=False)
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_json({"unknown": [1], "molodka": False}) == Rules(molodka=False)
    assert Rules.from_json({}) == Rules()


def test_a_shuffle_repeats_with_its_seed_and_reaches_every_place() -> None:
    assert shuffle(random.Random(5), 1, 2) == shuffle(random.Random(5), 1, 2)
    packs = [shuffle(random.Random(seed), 1, 2) for seed in range(400)]
    assert {pack.indicator for pack in packs} == set(range(20))
    assert len({pack.cards for pack in packs}) == 400
    assert {pack.cards[0] for pack in packs} == set(range(36))
