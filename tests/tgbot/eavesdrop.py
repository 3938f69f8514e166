"""Everything that ever stood in a chat, and the proof that a card was only shown where the rules let it be seen."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.cards import CardSet, card_set, cards_of, parse_card
from core.deal import play
from core.moves import Verb
from core.record import Record
from core.state import Deal, start
from db import deals
from db.connection import Connection
from tgbot.sandbox.model import Chat
from tgbot.sandbox.world import World

RANKS = {"6": "6", "7": "7", "8": "8", "9": "9", "10": "10"} | dict(zip("JQKA", "JQKA", strict=True))
RANKS |= {"В": "J", "Д": "Q", "К": "K", "Т": "A"}
SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
CARD = re.compile(rf"(10|[6-9JQKAВДКТ])([{''.join(SUITS)}])")
NUMBER = re.compile(r"\b(?:[Dd]eal|[Рр]оздача|[Сс]дача|[Кк]он) (\d+)")


def cards_in(text: str) -> CardSet:
    return card_set({parse_card(RANKS[rank] + SUITS[suit]) for rank, suit in CARD.findall(text)})


@dataclass(frozen=True)
class Seen:
    """What stood in a chat at a time of the house's clock; in a toast for one person his id is the chat."""

    at: datetime
    chat_id: int
    text: str
    cards: CardSet


@dataclass
class Eavesdropper:
    """Listens to a world. `clock` is the clock of the house."""

    world: World
    clock: Any
    seen: list[Seen] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world.listeners.append(self._heard)

    def _heard(self, kind: str, what: dict[str, Any]) -> None:
        if kind in ("message", "edit"):
            message = what["message"]
            if message.sender_id == self.world.bot.id and message.text:
                keyboard = (message.reply_markup or {}).get("inline_keyboard", [])
                labels = " ".join(button["text"] for row in keyboard for button in row)
                self._add(message.chat_id, f"{message.text}\n{labels}")
        elif kind == "toast" and what["query"].answer:
            self._add(what["query"].person_id, str(what["query"].answer.get("text") or ""))

    def _add(self, chat_id: int, text: str) -> None:
        cards = cards_in(text)
        if cards:
            self.seen.append(Seen(self.clock(), chat_id, text, cards))


@dataclass(frozen=True)
class Knowledge:
    """What may be known of one deal: since when which card, for everybody and for each seat."""

    chat_id: int
    number: int
    started: datetime
    public: dict[int, datetime]
    own: dict[int, dict[int, datetime]]
    """person → card → since when."""


async def knowledge(db: Connection) -> list[Knowledge]:
    """From the records alone."""
    rows = await db.fetch(
        """
        SELECT d.id, d.number, d.started_at, t.chat_id, t.id AS table_id FROM deals d
        JOIN series s ON s.id = d.series_id JOIN tables t ON t.id = s.table_id ORDER BY d.id
        """
    )
    found = []
    for row in rows:
        record = await deals.record_of(db, row["id"])
        assert record is not None
        times = [
            move["at"]
            for move in await db.fetch("SELECT at FROM moves WHERE deal_id = $1 ORDER BY ply", row["id"])
        ]
        tenures = await db.fetch("SELECT seat, player_id FROM seats WHERE table_id = $1", row["table_id"])
        holders = defaultdict(set)
        for tenure in tenures:
            if tenure["player_id"] is not None:
                holders[tenure["seat"]].add(tenure["player_id"])
        found.append(_known(record, times, row, holders))
    return found


def _known(record: Record, times: list[datetime], row: Any, holders: dict[int, set[int]]) -> Knowledge:
    state: Deal = start(record.pack, record.rules)
    public: dict[int, datetime] = {record.pack.shown: row["started_at"]}
    own: dict[int, dict[int, datetime]] = {}

    def learn(state: Deal, at: datetime) -> None:
        for seat, people in holders.items():
            for person in people:
                mine = own.setdefault(person, {})
                for card in cards_of(state.hands[seat]):
                    mine.setdefault(card, at)

    learn(state, row["started_at"])
    for move, at in zip(record.moves, times, strict=True):
        if move.verb in (Verb.LEAD, Verb.BEAT) or (move.verb is Verb.PASS and record.rules.open_passes):
            for card in cards_of(move.cards):
                public.setdefault(card, at)
        state = play(state, move)
        # A molodka, or the last decline before it, puts four cards on the table.
        for trick_move in state.table:
            if trick_move.verb in (Verb.LEAD, Verb.BEAT):
                for card in cards_of(trick_move.cards):
                    public.setdefault(card, at)
        learn(state, at)
    return Knowledge(row["chat_id"], row["number"], row["started_at"], public, own)


def leaks(
    seen: Iterable[Seen], known: list[Knowledge], world: World, moved: dict[int, int] | None = None
) -> list[str]:
    """Each showing of a card that no deal of that number, begun by then, let that chat see."""
    moved = moved or {}
    titles = {chat.title: chat for chat in world.data.chats.values() if chat.type != "private"}
    by_place: dict[tuple[int, int], list[Knowledge]] = defaultdict(list)
    for one in known:
        by_place[one.chat_id, one.number].append(one)
    found = []
    for look in seen:
        number = NUMBER.search(look.text)
        person = look.chat_id if look.chat_id > 0 else None
        group: Chat | None = (
            world.data.chats[look.chat_id]
            if look.chat_id < 0
            else next((titles[title] for title in titles if f"\u2068{title}\u2069" in look.text), None)
        )
        if number is None or group is None:
            found.append(f"cards outside of a deal in chat {look.chat_id}: {look.text!r}")
            continue
        place = (moved.get(group.id, group.id), int(number[1]))
        if not any(_allowed(look, deal, person) for deal in by_place[place]):
            found.append(f"chat {look.chat_id} at {look.at}: {look.text!r}")
    return found


def _allowed(look: Seen, deal: Knowledge, person: int | None) -> bool:
    own = deal.own.get(person, {}) if person is not None else {}
    return all(
        min(
            deal.public.get(card, datetime.max.replace(tzinfo=look.at.tzinfo)),
            own.get(card, datetime.max.replace(tzinfo=look.at.tzinfo)),
        )
        <= look.at
        for card in cards_of(look.cards)
    )
