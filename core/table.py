"""Who sits where, and what the people of a table can agree on.

A table has four places, seat 0 to 3 clockwise; seats 0 and 2 are team 0, seats 1 and 3 team 1 (docs/rules.md, 1).
A person is an opaque number here; what it means to a chat is not the game's business.
"""

import random
from collections.abc import Collection
from dataclasses import dataclass

from core.errors import TableError

SEATS = range(4)


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who plays a seat: a person, or a computer player of some level."""

    person: int | None = None
    computer: str | None = None


Seats = tuple[Occupant | None, Occupant | None, Occupant | None, Occupant | None]

EMPTY: Seats = (None, None, None, None)


def team_of(seat: int) -> int:
    return seat % 2


def partner_of(seat: int) -> int:
    return (seat + 2) % 4


def seat_of(seats: Seats, person: int) -> int | None:
    return next((seat for seat, who in enumerate(seats) if who is not None and who.person == person), None)


def people(seats: Seats) -> tuple[int, ...]:
    """The persons at the table, in order of their seats."""
    return tuple(who.person for who in seats if who is not None and who.person is not None)


def sit(seats: Seats, person: int, team: int) -> Seats:
    """Seats a person in the first free place of a team, leaving the place that he held.

    Raises TableError: "already_there" when he is in that team, "team_full" when it has no free place.
    """
    now_at = seat_of(seats, person)
    if now_at is not None and team_of(now_at) == team:
        raise TableError("already_there")
    return _put(_without(seats, now_at), Occupant(person=person), team)


def add_computer(seats: Seats, level: str, team: int) -> Seats:
    """Raises TableError "team_full"."""
    return _put(seats, Occupant(computer=level), team)


def leave(seats: Seats, person: int) -> Seats:
    """Raises TableError "not_seated"."""
    seat = seat_of(seats, person)
    if seat is None:
        raise TableError("not_seated")
    return _without(seats, seat)


def remove_computer(seats: Seats, seat: int) -> Seats:
    """Raises TableError "no_computer" when no computer player sits there."""
    if seat not in SEATS:
        raise TableError("no_computer")
    who = seats[seat]
    if who is None or who.computer is None:
        raise TableError("no_computer")
    return _without(seats, seat)


def fill(seats: Seats, level: str) -> Seats:
    """A computer player in every free place."""
    filled = [who or Occupant(computer=level) for who in seats]
    return filled[0], filled[1], filled[2], filled[3]


def with_level(seats: Seats, level: str) -> Seats:
    """All computer players at the table play at this level from now on."""
    kept = [who if who is None or who.computer is None else Occupant(computer=level) for who in seats]
    return kept[0], kept[1], kept[2], kept[3]


def shuffle_teams(seats: Seats, rng: random.Random) -> Seats:
    """Everyone at the table to a random place, so that partners are drawn by lot."""
    drawn = list(seats)
    rng.shuffle(drawn)
    return drawn[0], drawn[1], drawn[2], drawn[3]


def check_ready(seats: Seats) -> None:
    """Raises TableError "seats_free" (data: free) or "nobody_plays" when four computers would play alone."""
    free = sum(who is None for who in seats)
    if free:
        raise TableError("seats_free", free=free)
    if not people(seats):
        raise TableError("nobody_plays")


def is_ready(seats: Seats) -> bool:
    try:
        check_ready(seats)
    except TableError:
        return False
    return True


def teams_missing(seats: Seats, agreed: Collection[int]) -> tuple[int, ...]:
    """The teams whose consent is still missing when the persons in the seats `agreed` consent.

    One person speaks for his team; a team of computers only goes along with the others.
    """
    return tuple(
        team
        for team in (0, 1)
        if any(_is_person(seats[seat]) for seat in (team, team + 2))
        and not any(team_of(seat) == team for seat in agreed)
    )


def _is_person(who: Occupant | None) -> bool:
    return who is not None and who.person is not None


def _put(seats: Seats, who: Occupant, team: int) -> Seats:
    free = next((seat for seat in (team, team + 2) if seats[seat] is None), None)
    if free is None:
        raise TableError("team_full")
    placed = list(seats)
    placed[free] = who
    return placed[0], placed[1], placed[2], placed[3]


def _without(seats: Seats, seat: int | None) -> Seats:
    kept = [who if index != seat else None for index, who in enumerate(seats)]
    return kept[0], kept[1], kept[2], kept[3]
