"""What buttons carry: at most 64 bytes each, and never more than a wish. Whether it may happen is asked again."""

from aiogram.filters.callback_data import CallbackData


class LobbyPress(CallbackData, prefix="l"):
    """`do`: sit, computer, empty, leave, shuffle, fill, start, cancel; `arg`: a team, or a seat for empty."""

    table: int
    do: str
    arg: int = 0


class RulePress(CallbackData, prefix="r"):
    """The value is the one to set, so that a double press changes nothing twice."""

    table: int
    rule: str
    value: int


class Pick(CallbackData, prefix="h"):
    """Show the hand with these cards chosen; bit i of `mask` is the i-th card of the sorted hand."""

    table: int
    deal: int
    ply: int
    mask: int


class MovePress(CallbackData, prefix="m"):
    """Play at this ply; `mask` as in Pick, 0 where the verb takes no cards."""

    table: int
    deal: int
    ply: int
    verb: str
    mask: int


class HandPress(CallbackData, prefix="o"):
    """Send the hand of this table anew."""

    table: int


class AgainPress(CallbackData, prefix="a"):
    """After a series. `do`: again, seats."""

    table: int
    series: int
    do: str


class VotePress(CallbackData, prefix="v"):
    proposal: int
    yes: bool


class LanguagePress(CallbackData, prefix="g"):
    """For the person himself in private, for the chat in a group."""

    code: str


class PagePress(CallbackData, prefix="p"):
    """A page of the rules."""

    page: int
