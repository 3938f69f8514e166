"""A world with a chat for every refusal that Telegram knows."""

from dataclasses import dataclass
from typing import Any

from tgbot.sandbox.model import Chat, Message, Person
from tgbot.sandbox.world import World


@dataclass
class Scene:
    world: World
    you: Person  # pressed Start
    anna: Person  # never did, but is in the club
    boris: Person  # started, then blocked the bot
    chidi: Person  # started, then deleted his account
    stranger: Person  # shares no chat with the bot
    club: Chat  # a basic group with the bot as a member
    mine: Message  # the bot's message in the club, text «Table», one button «Go»
    yours: Message  # your command in the club
    service: Message  # the service message of the bot's coming
    kicked: Chat
    kicked_super: Chat
    left: Chat
    foreign: Chat  # the bot was never there
    old: Chat  # a group that became `new`
    new: Chat
    mute: Chat  # a supergroup where the bot may not write
    mute_group: Chat  # a basic group where only admins may
    forum: Chat  # with the bot as an admin
    plain_forum: Chat  # with the bot as a member
    topic: int
    closed_topic: int
    photo: Message  # the bot's picture in your private chat

    def id_of(self, name: str) -> int:
        return int(getattr(self, name).id)


def group(world: World, you: Person, title: str, kind: Any = "group") -> Chat:
    chat = world.add_group(you, title, kind)
    world.add_bot(you, chat)
    return chat


def built(world: World) -> Scene:
    you, anna, boris, chidi = (world.person(name) for name in ("You", "Anna", "Борис", "Chidi"))
    stranger = world.new_person("Stranger")
    club = world.chat("Goat club")
    world.start(you)
    world.start(boris)
    world.block(boris)
    world.start(chidi)
    world.delete_account(chidi)
    yours = world.say(you, club, "/goat")
    markup = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    mine = world.new_message(club, world.bot.id, text="Table", reply_markup=markup)
    kicked, kicked_super = group(world, you, "kicked"), group(world, you, "kicked super", "supergroup")
    world.remove_bot(you, kicked)
    world.remove_bot(you, kicked_super)
    left = group(world, you, "left")
    world.set_member(left, world.bot.id, world.bot.id, status="left")
    old = group(world, you, "old")
    mute, mute_group = group(world, you, "mute", "supergroup"), group(world, you, "mute group")
    world.restrict_bot(you, mute, False)
    world.restrict_bot(you, mute_group, False)
    forum, plain_forum = (group(world, you, title, "supergroup") for title in ("forum", "plain forum"))
    world.promote(forum, world.bot.id)
    world.enable_topics(you, forum)
    world.enable_topics(you, plain_forum)
    closed = world.create_topic(you, plain_forum, "Closed")
    closed.closed = True
    picture = world.new_photo(b"picture", "image/png", 1, 1)
    return Scene(
        world=world,
        you=you,
        anna=anna,
        boris=boris,
        chidi=chidi,
        stranger=stranger,
        club=club,
        mine=mine,
        yours=yours,
        service=next(iter(club.messages.values())),
        kicked=kicked,
        kicked_super=kicked_super,
        left=left,
        foreign=world.add_group(you, "foreign"),
        old=old,
        new=world.upgrade_to_supergroup(old),
        mute=mute,
        mute_group=mute_group,
        forum=forum,
        plain_forum=plain_forum,
        topic=world.create_topic(you, forum, "Cards").id,
        closed_topic=closed.id,
        photo=world.new_message(world.private_chat(you), world.bot.id, photo=picture.id),
    )
