"""setMessageReaction."""

from typing import Any

from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import Params, open_to_bot
from tgbot.sandbox.state import State

_EMOJI = """
❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾
💋 🖕 😈 😴 😭 🤓 👻 👨\u200d💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘
💊 🙊 😎 👾 🤷\u200d♂ 🤷 🤷\u200d♀ 😡
"""
ALLOWED = frozenset(_EMOJI.split())
"""Source: the Bot API's ReactionTypeEmoji."""


def set_message_reaction(state: State, params: Params) -> Any:
    chat = open_to_bot(state, params["chat_id"])
    message = chat.messages.get(params["message_id"])
    if message is None:
        raise bad_request("message to react not found")
    wanted = params.get("reaction") or []
    if len(wanted) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(one["type"] != "emoji" or one["emoji"] not in ALLOWED for one in wanted):
        raise bad_request("REACTION_INVALID")
    message.reactions = [one["emoji"] for one in wanted]
    state.emit("edit", message=message)
    return True
