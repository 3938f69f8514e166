"""What finished tricks tell about the hidden hands: who declined to beat what, who led what, who holds old cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from core.cards import CardSet
from core.computer.playout import POINTS_OF, relabel
from core.moves import Verb
from core.state import DEALT, HAND
from core.view import SeatView

TRUMP: Final = 3
"""The trump suit once cards are relabelled."""

NEVER: Final = -1

Laid = tuple[int, bool, CardSet]
"""A seat, whether its cards lie face up, and the cards; those that lie face down are not looked at."""


LEAD, BEAT, THROW, FEED = range(4)
"""What a player does in a trick; who passes throws his cards on an opponent's trick or feeds his partner's."""


class Deed(NamedTuple):
    """What a seat did in a trick. `suit`, `rank`: of the lowest card that it led or beat with, or that it passed
    under. `stake`: 0, 1 or 2 for under 4, under 14 or more open points there before; `place`: how many had acted."""

    trick: int
    seat: int
    role: int
    suit: int
    rank: int
    need: int
    stake: int
    place: int


class Memory:
    """Of one deal, grown trick by trick. Only what everybody saw goes in; cards are relabelled.

    `came`: per seat, the trick before which each card of its hand was drawn, the oldest first. Which cards a hand
    lost is not known; the newest are supposed to go first. `declined`, `led`: per seat and suit, the last trick
    in which it let an opponent's cards of that suit stand, or led the suit. `height`: how low the cards were that
    it let stand, from 1/9 (an ace) to 1 (a six). `spared`, `spared_stake`: per seat, the last trick in which it
    let an opponent's plain cards stand and kept its trumps, and a twentieth of the points that it gave up. `deeds`:
    everything, in order.
    """

    def __init__(self) -> None:
        self.now = 0
        self.came: list[list[int]] = [[0] * HAND for _ in range(4)]
        self.declined: list[list[int]] = [[NEVER] * 4 for _ in range(4)]
        self.height: list[list[float]] = [[0.0] * 4 for _ in range(4)]
        self.led: list[list[int]] = [[NEVER] * 4 for _ in range(4)]
        self.spared: list[int] = [NEVER] * 4
        self.spared_stake: list[float] = [0.0] * 4
        self.deeds: list[Deed] = []

    def copy(self) -> Memory:
        twin = Memory()
        twin.now = self.now
        twin.came = [row[:] for row in self.came]
        twin.declined = [row[:] for row in self.declined]
        twin.height = [row[:] for row in self.height]
        twin.led = [row[:] for row in self.led]
        twin.spared = self.spared[:]
        twin.spared_stake = self.spared_stake[:]
        twin.deeds = self.deeds[:]
        return twin

    def trick(self, laid: Sequence[Laid], drawn: int) -> None:
        """A finished trick, its lead first; `drawn`: how many cards each player drew after it."""
        now = self.now
        need = laid[0][2].bit_count()
        standing = best = stake = 0
        for place, (seat, face_up, cards) in enumerate(laid):
            role = (BEAT if place else LEAD) if face_up else THROW if (seat ^ best) & 1 else FEED
            lowest = _lowest(cards if face_up else standing)
            size = 0 if stake < 4 else 1 if stake < 14 else 2
            self.deeds.append(Deed(now, seat, role, lowest // 9, lowest % 9, need, size, place))
            if face_up:
                if not place:
                    self.led[seat][suit_of(cards)] = now
                standing, best = cards, seat
                stake += POINTS_OF[cards]
            elif (seat ^ best) & 1:
                suit = suit_of(standing)
                self.declined[seat][suit] = now
                self.height[seat][suit] = (9 - _lowest(standing) % 9) / 9
                if suit != TRUMP:
                    self.spared[seat] = now
                    self.spared_stake[seat] = stake / 20
        self.now = now + 1
        for came in self.came:
            del came[len(came) - need :]
            came += [now + 1] * drawn

    def left(self, seat: int, trick: int) -> int:
        """How many cards the seat still holds of those that it held in that trick."""
        return sum([one <= trick for one in self.came[seat]])

    def share(self, seat: int, trick: int) -> float:
        """The same as a part of a full hand; nothing of what was NEVER done."""
        return 0.0 if trick == NEVER else self.left(seat, trick) / HAND


def suit_of(cards: CardSet) -> int:
    """Of the lowest card: of cards that stand, the plain suit if there is one."""
    return _lowest(cards) // 9


def _lowest(cards: CardSet) -> int:
    return (cards & -cards).bit_length() - 1


def remembered(view: SeatView) -> Memory:
    """What a seat remembers of the tricks that it saw finished."""
    memory = Memory()
    used, trump = 0, view.trump
    for trick in view.past:
        laid = [
            (move.seat, move.verb is not Verb.PASS, relabel(move.cards or 0, trump)) for move in trick.moves
        ]
        need = trick.moves[0].count
        stock = max(0, 36 - DEALT - 4 * used)
        memory.trick(laid, min(need, stock // 4))
        used += need
    return memory
