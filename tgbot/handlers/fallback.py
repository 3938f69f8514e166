"""Buttons that nobody knows any more still get an answer."""

from aiogram import Router
from aiogram.types import CallbackQuery

from core.errors import TableError

router = Router()


@router.callback_query()
async def unknown_button(query: CallbackQuery) -> None:
    raise TableError("bad_button")
