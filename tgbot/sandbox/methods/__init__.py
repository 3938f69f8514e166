"""The Bot API's methods. Each is a function (state, checked parameters) → result that raises Refused."""

from collections.abc import Callable
from typing import Any

from tgbot.sandbox.methods import chats, editing, ephemeral, me, reactions, sending, updates
from tgbot.sandbox.methods.checks import Params
from tgbot.sandbox.state import State

Method = Callable[[State, Params], Any]

METHODS: dict[str, Method] = {
    "getMe": me.get_me,
    "logOut": me.log_out,
    "close": me.log_out,
    "setMyName": me.set_my_name,
    "getMyName": me.get_my_name,
    "setMyDescription": me.set_my_description,
    "getMyDescription": me.get_my_description,
    "setMyShortDescription": me.set_my_short_description,
    "getMyShortDescription": me.get_my_short_description,
    "setMyCommands": me.set_my_commands,
    "getMyCommands": me.get_my_commands,
    "deleteMyCommands": me.delete_my_commands,
    "setWebhook": updates.set_webhook,
    "deleteWebhook": updates.delete_webhook,
    "getWebhookInfo": updates.get_webhook_info,
    "answerCallbackQuery": updates.answer_callback_query,
    "sendMessage": sending.send_message,
    "sendPhoto": sending.send_photo,
    "copyMessage": sending.copy_message,
    "sendChatAction": sending.send_chat_action,
    "setMessageReaction": reactions.set_message_reaction,
    "editMessageText": editing.edit_message_text,
    "editMessageCaption": editing.edit_message_caption,
    "editMessageReplyMarkup": editing.edit_message_reply_markup,
    "deleteMessage": editing.delete_message,
    "deleteMessages": editing.delete_messages,
    "pinChatMessage": editing.pin_chat_message,
    "unpinChatMessage": editing.unpin_chat_message,
    "unpinAllChatMessages": editing.unpin_all_chat_messages,
    "editEphemeralMessageText": ephemeral.edit_ephemeral_message_text,
    "editEphemeralMessageReplyMarkup": ephemeral.edit_ephemeral_message_reply_markup,
    "deleteEphemeralMessage": ephemeral.delete_ephemeral_message,
    "getChat": chats.get_chat,
    "getChatMember": chats.get_chat_member,
    "getChatAdministrators": chats.get_chat_administrators,
    "getChatMemberCount": chats.get_chat_member_count,
    "leaveChat": chats.leave_chat,
    "createForumTopic": chats.create_forum_topic,
    "editForumTopic": chats.edit_forum_topic,
    "closeForumTopic": chats.close_forum_topic,
    "reopenForumTopic": chats.reopen_forum_topic,
    "deleteForumTopic": chats.delete_forum_topic,
}
