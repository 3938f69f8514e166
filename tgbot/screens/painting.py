"""What a screen looks like: HTML and buttons."""

import hashlib
from dataclasses import dataclass

from aiogram.filters.callback_data import CallbackData
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup


@dataclass(frozen=True, slots=True)
class Painting:
    text: str
    keyboard: InlineKeyboardMarkup | None = None

    def digest(self) -> str:
        """Equal for paintings that look and act the same."""
        keyboard = self.keyboard.model_dump_json(exclude_none=True) if self.keyboard else ""
        return hashlib.blake2b(f"{self.text}\0{keyboard}".encode(), digest_size=16).hexdigest()


def button(
    text: str, press: CallbackData | None = None, *, url: str | None = None, style: str | None = None
) -> InlineKeyboardButton:
    """`style`: primary, success or danger, Telegram's own."""
    return InlineKeyboardButton(
        text=text, callback_data=press.pack() if press is not None else None, url=url, style=style
    )


def keyboard(*rows: list[InlineKeyboardButton]) -> InlineKeyboardMarkup | None:
    """Empty rows are left out."""
    filled = [row for row in rows if row]
    return InlineKeyboardMarkup(inline_keyboard=filled) if filled else None
