"""A series: deals until a team has so many loss points that they are the goats (8, 22 to 25 of docs/rules.md)."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.deal import loss, next_leader
from core.errors import DealError
from core.rules import Rules
from core.state import Deal


@dataclass(frozen=True, slots=True)
class Series:
    """The state between two deals.

    `loss`: loss points per team. `balls`: how often it was 60-60. `doubled`: the next decisive deal counts
    double. `deals`: how many are counted. `dealer`, `leader`: of the next deal.
    """

    rules: Rules
    loss: tuple[int, int]
    balls: int
    doubled: bool
    deals: int
    dealer: int
    leader: int

    @property
    def over(self) -> bool:
        return self.goats is not None

    @property
    def goats(self) -> int | None:
        """The team that lost the series. Only one team can lose points in a deal, so there is one at most."""
        return next((team for team in (0, 1) if self.loss[team] >= self.rules.series_length), None)

    @property
    def goats_with_balls(self) -> bool:
        """A title, nothing else (24)."""
        return self.over and self.balls > 0


@dataclass(frozen=True, slots=True)
class DealResult:
    """One counted deal: `loss` is what the series charged, doubling included; `doubled` whether it was.

    `balls`: the deal was 60-60. All pairs are per team.
    """

    points: tuple[int, int]
    tricks: tuple[int, int]
    loss: tuple[int, int]
    balls: bool
    doubled: bool
    next_leader: int


def new_series(rules: Rules, rng: random.Random) -> Series:
    """The first dealer is random and the player after him leads (8, 25)."""
    dealer = rng.randrange(4)
    return Series(
        rules=rules, loss=(0, 0), balls=0, doubled=False, deals=0, dealer=dealer, leader=(dealer + 1) % 4
    )


def score(series: Series, deal: Deal) -> tuple[Series, DealResult]:
    """Counts a finished deal. Raises DealError: deal_not_over, series_over.

    With «balls doubled» several 60-60 in a row still make it one doubling, and the decisive deal uses it up.
    """
    if series.over:
        raise DealError("series_over")
    balls = deal.points[0] == deal.points[1]
    doubled = series.doubled and not balls
    factor = 2 if doubled else 1
    plain = loss(deal)
    charged = (plain[0] * factor, plain[1] * factor)
    result = DealResult(
        points=deal.points,
        tricks=deal.tricks,
        loss=charged,
        balls=balls,
        doubled=doubled,
        next_leader=next_leader(deal),
    )
    after = Series(
        rules=series.rules,
        loss=(series.loss[0] + charged[0], series.loss[1] + charged[1]),
        balls=series.balls + balls,
        doubled=balls and series.rules.balls_doubled,
        deals=series.deals + 1,
        dealer=(series.dealer + 1) % 4,
        leader=result.next_leader,
    )
    return after, result
