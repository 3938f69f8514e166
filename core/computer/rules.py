"""The rule player: looks one trick ahead and plays for the team. The arena keeps it as a fixed opponent.

For each legal move it imagines some ways the hidden cards may lie, lets the others finish the trick by plain
card sense, and weighs the points won or lost for the team against what the played cards would have been worth
in hand. The habits of a decent partner follow from that: points go on a trick that the team wins, worthless
cards on one that it loses, a trump is spent only where enough lies on the table, and a partner is overtaken
only when that saves more than it costs.
"""

from __future__ import annotations

import random

from core.cards import CARDS, POINTS, CardSet, beats_in, card_set, cards_of, points_of, rank_of, suit_of
from core.computer.worlds import World, worlds
from core.moves import Move, Verb
from core.view import SeatView

WORLDS = 16

# Worth of a trick beside its points: its winner leads next, and a team without any trick loses most (22).
TEMPO = 2.0

# What a card is worth in hand, in card points, by rank. A high plain card may win a later trick; a plain ten is
# more often caught than not. A high trump comes home by itself, so its own points are no gain when it is played.
PLAIN_KEEP = (0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8, 1.5, 6.0)
TRUMP_KEEP = (5.0, 5.5, 6.0, 6.5, 9.5, 12.0, 15.0, 22.0, 26.0)

KEEP: tuple[tuple[float, ...], ...] = tuple(
    tuple((TRUMP_KEEP if suit_of(card) == trump else PLAIN_KEEP)[rank_of(card)] for card in range(CARDS))
    for trump in range(4)
)
"""KEEP[trump][card]"""

# An unknown passed card: those who pass keep their points unless they feed a partner.
HIDDEN_POINTS = 1.0


def may_say_molodka(view: SeatView) -> bool:
    return any(move.verb is Verb.MOLODKA for move in view.legal)


def declares(view: SeatView, rng: random.Random) -> bool:  # noqa: ARG001 - the signature of every level
    """Always: four cards of a suit are beaten rarely, and they win all sixteen cards."""
    return may_say_molodka(view)


def choose(view: SeatView, rng: random.Random) -> Move:
    """The move of the seat whose turn it is; of equally good ones a pass, then the first of `view.legal`."""
    for move in view.legal:
        if move.verb is Verb.MOLODKA or (move.verb is Verb.LEAD and move.cards.bit_count() == 4):
            return move
    if len(view.legal) == 1:
        return view.legal[0]
    imagined = worlds(view, rng, WORLDS)
    return max(view.legal, key=lambda move: (_worth(view, imagined, move), move.verb is Verb.PASS))


def _worth(view: SeatView, imagined: list[World], move: Move) -> float:
    """Points that the move should bring the team, less what its cards would have been worth in hand."""
    last_trick = view.stock == 0 and view.hand == move.cards
    cost = 0.0 if last_trick else keep_of(move.cards, view.trump)
    return sum(_outcome(view, world, move) for world in imagined) / len(imagined) - cost


def _outcome(view: SeatView, world: World, move: Move) -> float:
    """The trick's points after the move in one world: positive when the seat's team takes it."""
    me = move.seat
    need = move.cards.bit_count()
    stake = float(points_of(move.cards))
    standing, best = move.cards, me
    for seen in view.table:
        stake += HIDDEN_POINTS * seen.count if seen.cards is None else points_of(seen.cards)
        if move.verb is Verb.PASS and seen.seat == view.best:
            standing, best = seen.cards or 0, seen.seat
    for step in range(1, 4 - len(view.table)):
        seat = (me + step) % 4
        cards, beats = natural_reply(
            world[seat], standing, need, view.trump, stake, friendly=(seat - best) % 2 == 0
        )
        stake += points_of(cards)
        if beats:
            standing, best = cards, seat
    return stake + TEMPO if (best - me) % 2 == 0 else -stake - TEMPO


def natural_reply(
    hand: CardSet, standing: CardSet, need: int, trump: int, stake: float, *, friendly: bool
) -> tuple[CardSet, bool]:
    """What anybody would put: the cards, and whether they beat. `friendly`: his team is winning the trick.

    On a friendly trick he puts points and keeps strength; on another one he beats with the cheapest cards
    that do, if the points are worth it, or else throws what is worth least.
    """
    keep = KEEP[trump]
    if friendly:
        generous = sorted(cards_of(hand), key=lambda card: keep[card] - POINTS[card])
        return card_set(generous[:need]), False
    beats = beats_in(hand, standing, need, trump)
    if beats:
        cheapest = min(beats, key=lambda cards: keep_of(cards, trump) - points_of(cards))
        if keep_of(cheapest, trump) <= stake + points_of(cheapest) + TEMPO:
            return cheapest, True
    worthless = sorted(cards_of(hand), key=lambda card: keep[card] + POINTS[card])
    return card_set(worthless[:need]), False


def keep_of(cards: CardSet, trump: int) -> float:
    """What the cards are worth in hand."""
    keep = KEEP[trump]
    return sum([keep[card] for card in cards_of(cards)])
