"""A move and its notation."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.cards import CardSet, parse_cards, show_cards
from core.errors import NotationError


class Verb(StrEnum):
    LEAD = "lead"
    BEAT = "beat"
    PASS = "pass"  # noqa: S105 - a move, not a secret
    MOLODKA = "molodka"
    DECLINE = "decline"


_VERBS = {verb.value: verb for verb in Verb}
_SEATS = {"0": 0, "1": 1, "2": 2, "3": 3}
_WITHOUT_CARDS = (Verb.MOLODKA, Verb.DECLINE)


class Move(NamedTuple):
    """What a seat does. A tuple, because the engine makes a dozen of them for each one that is played.

    `str` is the notation of docs/record.md and shows the cards; `repr` does not, so that a log line or an error's
    locals never give a hidden card away.
    """

    seat: int
    verb: Verb
    cards: CardSet = 0

    def __str__(self) -> str:
        if self.cards:
            return f"{self.seat} {self.verb} {show_cards(self.cards)}"
        return f"{self.seat} {self.verb}"

    def __repr__(self) -> str:
        return f"<Move {self.seat} {self.verb} x{self.cards.bit_count()}>"

    @classmethod
    def parse(cls, text: str) -> Move:
        """`"1 beat QH AH"` -> move; cards in any order, names between spaces.

        Raises NotationError: bad_move, bad_card or duplicate_card. Whether the cards are allowed, or how
        many, is for the rules to say.
        """
        seat_text, _, rest = text.strip(" ").partition(" ")
        verb_text, _, cards_text = rest.lstrip(" ").partition(" ")
        seat = _SEATS.get(seat_text)
        verb = _VERBS.get(verb_text)
        if seat is None or verb is None:
            raise NotationError("bad_move", "a move is SEAT VERB CARDS")
        cards = parse_cards(cards_text)
        if (verb in _WITHOUT_CARDS) == (cards != 0):
            raise NotationError("bad_move", f"{verb} is said {'without' if cards else 'with'} cards")
        return cls(seat, verb, cards)
