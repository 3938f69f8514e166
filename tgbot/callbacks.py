"""What buttons carry: at most 64 bytes each, and never more than a wish. Whether it may happen is asked again."""

from typing import Annotated

from aiogram.filters.callback_data import CallbackData
from pydantic import Field

Id = Annotated[int, Field(ge=0, lt=2**63)]
Small = Annotated[int, Field(ge=0, lt=1000)]
Mask = Annotated[int, Field(ge=0, lt=16)]
# A person's own program can send any data at all: numbers that no button of ours carries mean nothing.


class LobbyPress(CallbackData, prefix="l"):
    """`do`: sit, computer, empty, leave, shuffle, fill, start, cancel, pace, level; `arg`: a team, a seat for empty, the
    number of the pace or the level to set."""

    table: Id
    do: str
    arg: Small = 0


class RulePress(CallbackData, prefix="r"):
    """The value is the one to set, so that a double press changes nothing twice."""

    table: Id
    rule: str
    value: Small


class Pick(CallbackData, prefix="h"):
    """Show the hand with these cards chosen; bit i of `mask` is the i-th card of the sorted hand."""

    table: Id
    deal: Id
    ply: Small
    mask: Mask


class MovePress(CallbackData, prefix="m"):
    """Play at this ply; `mask` as in Pick, 0 where the verb takes no cards."""

    table: Id
    deal: Id
    ply: Small
    verb: str
    mask: Mask


class HandPress(CallbackData, prefix="o"):
    """Send the hand of this table anew."""

    table: Id


class AgainPress(CallbackData, prefix="a"):
    """After a series. `do`: again, seats."""

    table: Id
    series: Id
    do: str


class VotePress(CallbackData, prefix="v"):
    proposal: Id
    yes: bool


class LanguagePress(CallbackData, prefix="g"):
    """For the person himself in private, for the chat in a group."""

    code: str


class PagePress(CallbackData, prefix="p"):
    """A page of the rules."""

    page: Small


class SeatPress(CallbackData, prefix="s"):
    """Around a running series. `do`: back, wake, resume, pause, travel, pace, replace, leave, leave_now, take; `arg`: a
    seat, or the number of a pace."""

    table: Id
    do: str
    arg: Small = 0


class SettingPress(CallbackData, prefix="z"):
    """A person's own settings. `do`: home, regions, region, zone, quiet, start, end, none, reminders."""

    do: str
    arg: Small = 0
