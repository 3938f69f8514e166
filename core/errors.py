"""Everything that core refuses, as one small tree.

An error carries a `code` that callers translate for people, and `data` for the translation's placeholders.
`str(error)` is short technical English. Neither code, data nor text ever names a card that somebody holds:
errors are logged and answered to whoever asked.
"""

from __future__ import annotations


class GoatError(Exception):
    """The root. `code` is stable, lower case, with underscores."""

    def __init__(self, code: str, message: str = "", **data: object) -> None:
        super().__init__(message or code.replace("_", " "))
        self.code = code
        self.data = data


class NotationError(GoatError):
    """A text that is no card, no list of cards or no move. Codes: bad_card, duplicate_card, bad_move."""


class RecordError(GoatError):
    """A record that can't be read. Codes: bad_json, not_an_object, unknown_format, missing_key, bad_deck,
    bad_indicator, bad_dealer, bad_leader, bad_moves, bad_rules."""


class IllegalMove(GoatError):
    """A move that the rules don't allow now. The codes stand in `core.deal.REASONS`."""


class DealError(GoatError):
    """A question that the state of the deal has no answer to. Codes: deal_not_over, series_over."""


class TableError(GoatError):
    """Something that the table does not allow in its present state."""
