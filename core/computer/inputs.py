"""What the judge looks at: a moment of a deal, and a move, as numbers.

Plain suits come in an order that does not depend on their names: the suit that stands first, then by what the hand
holds of them.
"""

from __future__ import annotations

from typing import Final

from core.cards import FULL, CardSet
from core.computer.chances import CAN
from core.computer.memory import TRUMP, Memory, suit_of
from core.computer.net import Inputs
from core.computer.playout import ABOVE, POINTS_OF, Position
from core.computer.steady import STEADY
from core.state import HAND

_STAGE: Final = 3 * 36
_NEED: Final = _STAGE + 10
_PARTNERS: Final = _NEED + HAND
_SIZE: Final = _PARTNERS + 1
_ACTED: Final = _SIZE + HAND
_DEEDS: Final = _ACTED + 4
_RANK: Final = 4 * 4
_COUNT: Final = _RANK + 4 * 9
_STAKE: Final = _COUNT + 4 * HAND
_PLACE: Final = _STAKE + 4 * 3
_DEED: Final = _PLACE + 4 * 4
MOMENT_MARKS: Final = _DEEDS + 3 * HAND * _DEED
MOMENT_NUMBERS: Final = 12 + 3 * 17

_KEPT_TRUMPS: Final = 3 * 36
_PUT_TRUMPS: Final = _KEPT_TRUMPS + HAND
_KEPT: Final = _PUT_TRUMPS + HAND + 1
_PUT: Final = _KEPT + HAND
MOVE_MARKS: Final = _PUT + 2 * HAND
MOVE_NUMBERS: Final = 22

_POINTS: Final = [POINTS_OF[ranks] for ranks in range(512)]


def suits(position: Position) -> tuple[int, int, int]:
    """The plain suits in their order."""
    hand = position.hands[position.turn]
    first = suit_of(position.standing) if position.acted else TRUMP
    keys = []
    for suit in range(3):
        ranks = hand >> 9 * suit & 511
        keys.append((1 << 20 if suit == first else ranks.bit_count() << 9 | ranks, suit))
    keys.sort(reverse=True)
    return keys[0][1], keys[1][1], keys[2][1]


def moment(position: Position, memory: Memory, order: tuple[int, int, int]) -> Inputs:
    """What all moves of the seat to act have in common."""
    seat = position.turn
    team = seat & 1
    hand = position.hands[seat]
    unseen = FULL & ~(position.seen | hand | position.passed[seat])
    marks: list[int] = []
    mark(marks, hand, order, 0)
    mark(marks, unseen, order, 36)
    if position.acted:
        mark(marks, position.standing, order, 72)
        marks.append(_NEED + position.need - 1)
        if not (seat ^ position.best) & 1:
            marks.append(_PARTNERS)
    stock = len(position.stock) - position.top
    size = hand.bit_count()
    marks += (_STAGE + size + (stock >> 2), _SIZE + size - 1, _ACTED + position.acted)
    _mark_deeds(marks, memory, seat, order)
    gain = -position.gain if team else position.gain
    numbers = [
        position.open_stake / 20,
        position.fat / 4,
        position.lean / 4,
        (unseen >> 27).bit_count() / 9,
        sum([_POINTS[unseen >> 9 * suit & 511] for suit in range(4)]) / 30,
        gain / 60,
        abs(gain) / 60,
        0.0 if position.tricks[team] else 1.0,
        0.0 if position.tricks[1 - team] else 1.0,
        stock / 20,
        unseen.bit_count() / 36,
        (position.best - seat & 3) / 3 if position.acted else 0.0,
    ]
    for away in range(1, 4):
        numbers += _remembered(memory, (seat + away) & 3, order)
    return marks, numbers


def _mark_deeds(marks: list[int], memory: Memory, seat: int, order: tuple[int, int, int]) -> None:
    """What the others did in earlier tricks, as long as they hold cards that they held then: who it was and how many
    those are choose the block, what he did five marks in it. What was done twice is marked once."""
    places = {suit: place for place, suit in enumerate((*order, TRUMP))}
    found: set[int] = set()
    for trick, other, role, suit, rank, need, stake, acted in memory.deeds:
        left = memory.left(other, trick)
        if left and other != seat:
            block = _DEEDS + (((other - seat & 3) - 1) * HAND + left - 1) * _DEED
            found.update(
                (
                    block + 4 * role + places[suit],
                    block + _RANK + 9 * role + rank,
                    block + _COUNT + HAND * role + need - 1,
                    block + _STAKE + 3 * role + stake,
                    block + _PLACE + 4 * role + acted,
                )
            )
    marks += found


def _remembered(memory: Memory, seat: int, order: tuple[int, int, int]) -> list[float]:
    numbers: list[float] = []
    declined, height, led = memory.declined[seat], memory.height[seat], memory.led[seat]
    for suit in (*order, TRUMP):
        share = memory.share(seat, declined[suit])
        numbers += (share, share * height[suit], memory.share(seat, led[suit]))
    numbers.append(memory.share(seat, memory.spared[seat]) * memory.spared_stake[seat])
    ages = [memory.now - came for came in memory.came[seat]]
    numbers += [sum([age >= least for age in ages]) / HAND for least in (1, 2, 3, 5)]
    return numbers


def move(
    position: Position,
    memory: Memory,
    order: tuple[int, int, int],
    gap: float,
    cards: CardSet,
    face_up: bool,
) -> Inputs:
    """A move of the seat to act; `gap`: by how much steady values it less than its best one, at most 0."""
    seat, need = position.turn, cards.bit_count()
    hand = position.hands[seat]
    unseen = FULL & ~(position.seen | hand | position.passed[seat])
    kept = hand ^ cards
    marks: list[int] = []
    mark(marks, kept, order, 0)
    mark(marks, cards, order, 36 if face_up else 72)
    suit = suit_of(cards)
    size = kept.bit_count()
    marks += (
        _KEPT_TRUMPS + (kept >> 27).bit_count(),
        _PUT_TRUMPS + (cards >> 27).bit_count(),
        _KEPT + size,
        _PUT + need - 1 + (HAND if suit == TRUMP else 0),
    )
    stage = size + (len(position.stock) - position.top >> 2)
    can = 0.0
    if (face_up or position.acted) and position.acted < 3:
        key = unseen.bit_count() << 3 | hand.bit_count()
        for higher in ABOVE[cards if face_up else position.standing]:
            key = key << 5 | (unseen & higher).bit_count()
        can = CAN[need][key]
    points = POINTS_OF[cards]
    leader, partner, opponent = STEADY.worths[stage][kept]
    numbers = [
        gap / 10,
        points / 10,
        can,
        can * (points + position.open_stake) / 20,
        leader / 20,
        partner / 20,
        opponent / 20,
        1.0 if face_up else 0.0,
        points * position.open_stake / 100 if face_up else 0.0,
        *_prospects(kept, unseen),
    ]
    if position.acted:
        numbers += (0.0, 0.0, 0.0, 0.0)
    else:
        for away in range(1, 4):
            other = (seat + away) & 3
            numbers.append(memory.share(other, memory.declined[other][suit]) * memory.height[other][suit])
        numbers.append((unseen >> 9 * suit & 511).bit_count() / 9)
    return marks, numbers


def _prospects(kept: CardSet, unseen: CardSet) -> list[float]:
    """How many plain cards and trumps that are kept have no, one or two unseen cards of their suit above them; points
    of the highest plain ones and of the others; and plain cards that could be led together."""
    above = [0, 0, 0, 0, 0, 0]
    high = low = together = 0
    for suit in range(4):
        mine = kept >> 9 * suit & 511
        if not mine:
            continue
        others = unseen >> 9 * suit & 511
        offset = 3 if suit == TRUMP else 0
        if offset == 0:
            together += mine.bit_count() - 1
        while mine:
            card = mine & -mine
            mine ^= card
            higher = (others & -card).bit_count()
            if higher < 3:
                above[offset + higher] += 1
            if not offset:
                if higher:
                    low += _POINTS[card]
                else:
                    high += _POINTS[card]
    return [*[number / 2 for number in above], high / 10, low / 10, together / 2]


def mark(marks: list[int], cards: CardSet, order: tuple[int, int, int], offset: int) -> None:
    """Adds a mark for each card, from the offset on, with the plain suits in that order."""
    first, second, third = order
    cards = (
        (cards >> 9 * first & 511)
        | (cards >> 9 * second & 511) << 9
        | (cards >> 9 * third & 511) << 18
        | cards >> 27 << 27
    )
    while cards:
        low = cards & -cards
        marks.append(offset + low.bit_length() - 1)
        cards ^= low
