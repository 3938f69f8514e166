"""The text record of a deal (docs/record.md): enough to replay it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.cards import SUITS, card_name, parse_card, show_cards
from core.deal import Deal, Pack, Phase, legal_moves, loss, next_leader, play, start
from core.errors import NotationError, RecordError
from core.moves import Move
from core.rules import Rules

FORMAT: Final = "goat-deal/1"
_OWN_KEYS = ("format", "deck", "indicator", "dealer", "leader", "moves", "rules")


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A pack and what was played. `extra`: the record's other keys (seed, players, …) as they were."""

    pack: Pack
    rules: Rules = field(default_factory=Rules)
    moves: tuple[Move, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Record {len(self.moves)} moves>"

    def to_json(self) -> dict[str, object]:
        """A JSON object. `rules` is written only when the house plays other than by default."""
        record: dict[str, object] = {
            "format": FORMAT,
            "deck": " ".join([card_name(card) for card in self.pack.cards]),
            "indicator": self.pack.indicator,
            "dealer": self.pack.dealer,
            "leader": self.pack.leader,
            "moves": [str(move) for move in self.moves],
        }
        if self.rules != Rules():
            record["rules"] = self.rules.to_json()
        return record | dict(self.extra)

    @classmethod
    def from_json(cls, value: object) -> Record:
        """Reads a parsed JSON object. Raises RecordError, or NotationError for a malformed move.

        Whether the moves are legal is not checked here: `replay` does.
        """
        pack, rules, moves = read_head(value)
        assert isinstance(value, dict)
        extra = {key: item for key, item in value.items() if key not in _OWN_KEYS}
        return cls(pack, rules, tuple([read_move(move) for move in moves]), extra)


def read_head(value: object) -> tuple[Pack, Rules, list[object]]:
    """The pack, the house rules and the still unread moves of a parsed JSON object. Raises RecordError."""
    if not isinstance(value, dict):
        raise RecordError("not_an_object", "a record is a JSON object")
    if value.get("format") != FORMAT:
        raise RecordError("unknown_format", f'format must be "{FORMAT}"')
    for key in ("deck", "indicator", "dealer", "leader", "moves"):
        if key not in value:
            raise RecordError("missing_key", f"{key} is missing", key=key)
    deck = value["deck"]
    if not isinstance(deck, str):
        raise RecordError("bad_deck", "deck must be a string")
    try:
        cards = tuple([parse_card(name) for name in deck.split(" ") if name])
    except NotationError as error:
        raise RecordError("bad_deck", f"deck: {error}") from None
    pack = Pack(cards, value["indicator"], value["dealer"], value["leader"])
    rules = Rules.from_json(value["rules"]) if "rules" in value else Rules()
    moves = value["moves"]
    if not isinstance(moves, list):
        raise RecordError("bad_moves", "moves must be a list")
    return pack, rules, moves


def read_move(value: object) -> Move:
    """One entry of a record's `moves`. Raises NotationError."""
    if not isinstance(value, str):
        raise NotationError("bad_move", "a move is a string")
    return Move.parse(value)


def replay(record: Record) -> Iterator[Deal]:
    """The start and the state after each move. Raises IllegalMove at the first move that the rules refuse."""
    deal = start(record.pack, record.rules)
    yield deal
    for move in record.moves:
        deal = play(deal, move)
        yield deal


def final(record: Record) -> Deal:
    """The state after the last move. Raises IllegalMove."""
    return _after(record.pack, record.rules, record.moves)


# Whoever plays, paints or is asked wants the state of the same few deals again, each time a move longer.
@lru_cache(maxsize=1024)
def _after(pack: Pack, rules: Rules, moves: tuple[Move, ...]) -> Deal:
    return play(_after(pack, rules, moves[:-1]), moves[-1]) if moves else start(pack, rules)


def snapshot(deal: Deal, legal: bool = False) -> dict[str, object]:
    """One line of `goat replay`, its keys in docs/record.md's order. Shows every card: never for players."""
    line: dict[str, object] = {
        "ply": deal.ply,
        "phase": deal.phase.value,
        "turn": deal.turn,
        "trump": SUITS[deal.trump],
        "need": deal.need,
        "hands": [show_cards(hand) for hand in deal.hands],
        "stock": len(deal.stock),
        "table": [str(move) for move in deal.table],
        "best": deal.best,
        "tricks": deal.tricks,
        "points": deal.points,
    }
    if deal.phase is Phase.OVER:
        line["loss"] = loss(deal)
        line["next_leader"] = next_leader(deal)
    if legal:
        line["legal"] = sorted([str(move) for move in legal_moves(deal)])
    return line
