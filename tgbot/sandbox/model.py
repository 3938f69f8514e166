"""What the sandbox remembers: plain data, saved and loaded as JSON by store.py."""

from dataclasses import dataclass, field
from typing import Any, Literal

ChatType = Literal["private", "group", "supergroup"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

ANONYMOUS_BOT_ID = 1087968824
"""GroupAnonymousBot: the sender that Telegram names when an admin writes as the group."""

ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
    "can_send_welcome_messages",
)


@dataclass
class Person:
    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = "en"
    color: str = "#3390ec"
    deleted: bool = False


@dataclass
class Member:
    status: Status
    anonymous: bool = False
    can_write: bool = True  # read only while restricted

    @property
    def present(self) -> bool:
        return self.status not in ("left", "kicked")

    @property
    def is_admin(self) -> bool:
        return self.status in ("creator", "administrator")


@dataclass
class Topic:
    id: int
    name: str
    icon_color: int = 7322096
    closed: bool = False
    icon_custom_emoji_id: str | None = None


@dataclass
class Message:
    chat_id: int
    message_id: int  # 0 for ephemeral messages
    date: int
    sender_id: int | None  # a person, the bot, or None for the group itself (anonymous admins)
    text: str | None = None
    entities: list[dict[str, Any]] = field(default_factory=list)
    caption: str | None = None
    caption_entities: list[dict[str, Any]] = field(default_factory=list)
    photo: str | None = None
    reply_markup: dict[str, Any] | None = None
    thread_id: int | None = None
    reply_to: int | None = None
    edit_date: int | None = None
    service: dict[str, Any] | None = None  # Telegram's own fields of a service message
    pinned: bool = False
    reactions: list[str] = field(default_factory=list)  # the bot's own
    receiver_id: int | None = None
    ephemeral_id: int | None = None
    follows: int | None = None  # an ephemeral message: the chat's newest message when it was sent
    extra: dict[str, Any] = field(default_factory=dict)  # passed through: link_preview_options, effect_id, …


@dataclass
class Chat:
    id: int
    type: ChatType
    title: str = ""
    started: bool = False  # private: the person pressed Start (and has not deleted the chat since)
    blocked: bool = False  # private: the person blocked the bot
    is_forum: bool = False
    all_can_write: bool = True
    topics: dict[int, Topic] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    ephemeral: dict[int, Message] = field(default_factory=dict)
    last_message_id: int = 0  # supergroups count their own messages; all other chats share the bot's counter
    last_ephemeral_id: int = 0
    upgraded_to: int | None = None
    upgraded_from: int | None = None


@dataclass
class Query:
    """A pressed callback button. Telegram takes an answer once and for a short time only."""

    id: str
    person_id: int
    chat_id: int
    message_id: int  # negative: an ephemeral message
    at: float
    row: int
    col: int
    answer: dict[str, Any] | None = None
    expired: bool = False


@dataclass
class Pending:
    """An update that the bot has not confirmed. Those of one queue are delivered strictly one after another."""

    update_id: int
    type: str
    body: dict[str, Any]
    queue: str
    expires: float


@dataclass
class Webhook:
    url: str = ""
    secret_token: str = ""
    max_connections: int = 40
    allowed_updates: list[str] | None = None  # None: all but those that must be asked for
    ip_address: str | None = None
    last_error_date: int | None = None
    last_error_message: str | None = None


@dataclass
class Bot:
    id: int
    name: str
    username: str
    token: str
    can_read_all: bool = False  # privacy mode off
    can_join_groups: bool = True
    commands: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # by "scope|language"
    names: dict[str, str] = field(default_factory=dict)  # by language code, "" the default
    descriptions: dict[str, str] = field(default_factory=dict)
    short_descriptions: dict[str, str] = field(default_factory=dict)


@dataclass
class Photo:
    id: str
    mime: str
    width: int
    height: int
    data: bytes


@dataclass
class Data:
    """Everything that survives a restart."""

    bot: Bot
    people: dict[int, Person] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    updates: list[Pending] = field(default_factory=list)
    queries: dict[str, Query] = field(default_factory=dict)
    webhook: Webhook = field(default_factory=Webhook)
    photos: dict[str, Photo] = field(default_factory=dict)
    clock_offset: float = 0.0
    last_update_id: int = 0
    last_message_id: int = 0
    last_id: int = 0  # people, groups, queries, photos
    met: set[int] = field(default_factory=set)  # people whom the bot could have seen
    limits_enforced: bool = False
