"""Cards and names as people read them."""

import unicodedata
from collections.abc import Mapping

from markupsafe import Markup, escape

from core.cards import CardSet, cards_of, rank_of, suit_of
from core.table import Seats
from db.tables import Sitter
from tgbot.texts import Texts, marked

SUITS = ("♣️", "♦️", "♥️", "♠️")
BACK = "🂠"
TEAMS = ("🔵", "🟠")

RANKS = ("6", "7", "8", "9", marked("J"), marked("Q"), marked("K"), "10", marked("A"))

COMPASS = (marked("North"), marked("East"), marked("South"), marked("West"))
"""Computer players are called by their seat."""

LEVEL_NAMES = {"easy": marked("easy"), "steady": marked("steady"), "strong": marked("strong")}
"""How well computer players play."""

LEVEL_MEANINGS = {
    "easy": marked("Easy: forgets cards and misjudges now and then, as people do."),
    "steady": marked("Steady: counts cards and chances, and helps the partner."),
    "strong": marked("Strong: also tries out how the deal may go on. The hardest to beat."),
}

LONGEST_NAME = 32

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing, by which people hide their names."""

JOINER = "\u200d"
JOINERS = "\u200d\ufe0e\ufe0f"
"""What shapes the sign before it, and is nothing by itself."""

# Left-to-right isolation keeps a name written from right to left, or with marks in it, from turning its sentence.
ISOLATE, POP = "\u2068", "\u2069"


def card(value: int, t: Texts) -> str:
    rank = RANKS[rank_of(value)]
    return f"{rank if rank.isdigit() else t.plain(rank)}{SUITS[suit_of(value)]}"


def cards(chosen: CardSet, t: Texts) -> str:
    return " ".join(card(value, t) for value in cards_of(chosen))


def backs(count: int) -> str:
    return " ".join([BACK] * count)


def clean(name: str) -> str:
    """A person's name on one line, without what is invisible or turns the text, at most 32 characters."""
    visible = "".join(
        " " if unicodedata.category(sign) in ("Zs", "Zl", "Zp", "Cc") else sign
        for sign in name
        if sign not in BLANK
        and (unicodedata.category(sign) not in ("Cf", "Cs", "Co", "Cn") or sign == JOINER)
    )
    short = " ".join(visible.split())
    if not short.strip(JOINERS):
        return "…"
    return short if len(short) <= LONGEST_NAME else f"{short[: LONGEST_NAME - 1]}…"


def isolated(name: str) -> str:
    return f"{ISOLATE}{name}{POP}"


def names(seats: Seats, people: Mapping[int, Sitter], t: Texts) -> dict[int, str]:
    """Seat → name in plain text. Two people of one name are told apart by username, else by a number."""
    called: dict[int, str] = {}
    for seat, who in enumerate(seats):
        if who is None:
            continue
        if who.person is not None:
            called[seat] = clean(people[who.person].name)
        else:
            called[seat] = f"🤖 {t.plain(COMPASS[seat])}"
    told_apart: dict[int, str] = {}
    for seat, name in called.items():
        alike = [other for other in called if _seen(called[other]) == _seen(name)]
        who = seats[seat]
        if len(alike) > 1 and who is not None and who.person is not None:
            username = people[who.person].username
            mark = f"@{username}" if username else str(alike.index(seat) + 1)
            told_apart[seat] = f"{isolated(name)} ({mark})"
        else:
            told_apart[seat] = isolated(name)
    return told_apart


def _seen(name: str) -> str:
    """Names that look alike are equal by this."""
    return unicodedata.normalize("NFKC", name).casefold().translate(dict.fromkeys(map(ord, JOINERS)))


def level_name(level: str, t: Texts) -> str:
    return t.plain(LEVEL_NAMES[level])


def level_means(level: str, t: Texts) -> str:
    return t.plain(LEVEL_MEANINGS[level])


def html(name: str) -> Markup:
    return escape(name)
