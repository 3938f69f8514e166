"""Deals for tests: scenes written in cards, and positions that chance leads to."""

import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from core.cards import CARDS, SUITS, Card, CardSet, card_set, cards_of, parse_card, parse_cards, suit_of
from core.deal import Deal, Move, Pack, Phase, Verb, legal_moves, play, start
from core.record import Record
from core.rules import Rules

CARD_VERBS = (Verb.LEAD, Verb.BEAT, Verb.PASS)


def pack_of(
    hands: Sequence[str], *, trump: str = "S", leader: int = 0, dealer: int = 3, stock: str = ""
) -> Pack:
    """A pack that gives the seats these hands and this top of the stock; the other cards follow in order."""
    held = [cards_of(parse_cards(hand)) for hand in hands]
    assert [len(hand) for hand in held] == [4, 4, 4, 4]
    order = [held[(dealer + 1 + place) % 4][place // 4] for place in range(16)]
    order += [parse_card(name) for name in stock.split()]
    order += [card for card in range(CARDS) if card not in order]
    indicator = next(place for place, card in enumerate(order[16:]) if SUITS[suit_of(card)] == trump)
    return Pack(tuple(order), indicator, dealer, leader)


def scene(
    hands: Sequence[str],
    *,
    trump: str = "S",
    leader: int = 0,
    dealer: int = 3,
    stock: str = "",
    rules: Rules | None = None,
) -> Deal:
    return start(pack_of(hands, trump=trump, leader=leader, dealer=dealer, stock=stock), rules)


def after(deal: Deal, *moves: str) -> Deal:
    for move in moves:
        deal = play(deal, Move.parse(move))
    return deal


def legal(deal: Deal) -> list[str]:
    return sorted(str(move) for move in legal_moves(deal))


def shown(hands: Sequence[CardSet]) -> list[str]:
    return [" ".join(sorted(names_of(hand))) for hand in hands]


def names_of(cards: CardSet) -> list[str]:
    ranks = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
    return [ranks[card % 9] + "CDHS"[card // 9] for card in range(CARDS) if cards >> card & 1]


def random_pack(rng: random.Random, stacked: bool = False) -> Pack:
    """Every second pack is stacked: several hands, or what they draw, are four cards of one suit.

    By chance alone a molodka would be there in one deal out of ten, and two of them hardly ever.
    """
    cards = list(range(CARDS))
    rng.shuffle(cards)
    dealer = rng.randrange(4)
    if stacked or rng.random() < 0.5:
        for first in (0, 16):
            suits = rng.sample(range(4), rng.randint(2 if stacked else 0, 4))
            for seat_place, suit in enumerate(suits):
                here = [first + seat_place + 4 * round_ for round_ in range(4)]
                free = [place for place in range(first, CARDS) if cards[place] // 9 == suit]
                for place, other in zip(here, free, strict=False):
                    cards[place], cards[other] = cards[other], cards[place]
    return Pack(tuple(cards), rng.randrange(20), dealer, rng.randrange(4))


def random_rules(rng: random.Random) -> Rules:
    return Rules(
        series_length=rng.choice((6, 8, 12, 16, 24)),
        open_passes=rng.random() < 0.2,
        balls_doubled=rng.random() < 0.2,
        molodka=rng.random() < 0.9,
    )


def random_move(deal: Deal, rng: random.Random) -> Move:
    """First what and who, then which cards: so that the rare moves happen."""
    moves = legal_moves(deal)
    kind = rng.choice(sorted({(move.verb, move.seat, move.cards.bit_count()) for move in moves}))
    return rng.choice([move for move in moves if (move.verb, move.seat, move.cards.bit_count()) == kind])


def played(seed: int) -> Iterator[Deal]:
    """A whole random deal, state after state."""
    rng = random.Random(seed)
    deal = start(random_pack(rng), random_rules(rng))
    yield deal
    while deal.turn is not None:
        deal = play(deal, random_move(deal, rng))
        yield deal


def played_record(seed: int, plies: int | None = None) -> Record:
    """The record of that deal, or of its first moves."""
    rng = random.Random(seed)
    first = deal = start(random_pack(rng), random_rules(rng))
    moves: list[Move] = []
    while deal.turn is not None and len(moves) != plies:
        moves.append(random_move(deal, rng))
        deal = play(deal, moves[-1])
    return Record(first.pack, first.rules, tuple(moves))


def _position(seed: int, place: int, rare: bool) -> Deal:
    states = list(played(seed))
    if rare:
        states = [deal for deal in states if deal.phase is Phase.OFFER or deal.recalled] or states
    return states[place % len(states)]


seeds = st.integers(0, 2**32)

positions = st.builds(_position, seeds, st.integers(0, 1000), st.booleans())
"""Any state that play can lead to; offers and tricks that a molodka led are frequent."""


def _offer(seed: int) -> Deal:
    """Two or more hands of four of a suit, up to two moves, and the farthest holder declares."""
    rng = random.Random(seed)
    while True:
        deal = start(random_pack(rng, stacked=True))
        for _ in range(rng.randint(0, 2)):
            own = [move for move in legal_moves(deal) if move.seat == deal.turn and move.cards]
            deal = play(deal, rng.choice(own))
        for distance in (3, 2):
            declared = Move((deal.leader + distance) % 4, Verb.MOLODKA)
            if declared in legal_moves(deal):
                deal = play(deal, declared)
                break
        if deal.phase is Phase.OFFER:
            return deal


offers = st.builds(_offer, seeds)
"""A seat is asked about its molodka."""

records = st.builds(played_record, seeds, st.none() | st.integers(0, 40))


def cards_at_random(rng: random.Random, cards: CardSet) -> list[Card]:
    mixed = list(cards_of(cards))
    rng.shuffle(mixed)
    return mixed


def everywhere(deal: Deal) -> list[CardSet]:
    """The places where cards are: hands, stock, this trick's table and the finished tricks."""
    return [
        *deal.hands,
        card_set(deal.stock),
        *[move.cards for move in deal.table],
        *[move.cards for trick in deal.tricks_done for move in trick.moves],
    ]
