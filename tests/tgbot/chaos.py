"""Everything breaks while people play: processes are killed, updates come twice and late, Telegram and PostgreSQL fail.

At the end nothing is lost, nothing happened twice, nobody peeked. `python -m tests.tgbot.chaos --kills 1000`.
"""

import argparse
import asyncio
import os
import random
import re
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from core.record import final
from db import deals, embedded, migrate, screens
from db.pool import Pool, open_pool
from tests.tgbot.clocks import FastClock
from tests.tgbot.club import CARD, MOVE
from tests.tgbot.eavesdrop import Eavesdropper, knowledge, leaks
from tests.tgbot.fleet import Balancer, Fleet, Relay, fleet_of, through
from tgbot.callbacks import MovePress
from tgbot.rendering import Renderer
from tgbot.sandbox import server
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import Chat, Message
from tgbot.sandbox.world import World

ACCEPTED = {"You led.": "lead", "You beat.": "beat", "You passed.": "pass", "Molodka!": "molodka"}
ACCEPTED |= {"You declined.": "decline"}
NAMES = (
    "Ada",
    "Bo",
    "Cleo",
    "Dan",
    "Eve",
    "Flo",
    "Gus",
    "Hal",
    "Ivy",
    "Jo",
    "Kim",
    "Leo",
    "Mia",
    "Ned",
    "Oz",
    "Pia",
)
FAULTS = ("429", "500", "502", "timeout", "drop", "delay")
SPEED = 20.0
PLIES = re.compile(r"h:|m:")


@dataclass
class Press:
    person: int
    data: str
    query: str


@dataclass
class Tally:
    seed: int
    seconds: float = 0.0
    kills: int = 0
    cuts: int = 0
    restarts: int = 0
    presses: int = 0
    accepted: int = 0
    moves: int = 0
    deals: int = 0
    duplicates: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    answers: dict[int, int] = field(default_factory=dict)
    looks: int = 0
    orphans: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{name}: {value}" for name, value in vars(self).items() if name != "problems"]
        return "\n".join(
            [*lines, *(f"PROBLEM {problem}" for problem in self.problems), "ok" if not self.problems else ""]
        )


@dataclass
class Chaos:
    """One run. `kill_every`: seconds on average between two kills."""

    sandbox: server.Running
    fleet: Fleet
    balancer: Balancer
    relay: Relay
    folder: Path
    postgres: embedded.Server
    rng: random.Random
    tally: Tally
    tables: int
    kill_every: float
    restarts: int
    presses: list[Press] = field(default_factory=list)
    groups: list[Chat] = field(default_factory=list)
    stopping: bool = False

    @property
    def world(self) -> World:
        return self.sandbox.world

    def people(self) -> None:
        world = self.world
        for number in range(self.tables):
            first, second = (world.new_person(NAMES[(2 * number + i) % 16] + str(number)) for i in (0, 1))
            group = world.add_group(first, f"Table {number}")
            world.join(second, group)
            world.add_bot(first, group)
            self.groups.append(group)
            for person in (first, second):
                world.start(person)

    def buttons(self, message: Message) -> list[dict[str, Any]]:
        return [b for row in (message.reply_markup or {}).get("inline_keyboard", []) for b in row]

    def find(self, chat: Chat, *labels: str) -> tuple[Message, dict[str, Any]] | None:
        for message in reversed(list(chat.messages.values())):
            if message.sender_id == self.world.bot.id:
                for button in self.buttons(message):
                    if "callback_data" in button and any(label in button["text"] for label in labels):
                        return message, button
        return None

    async def press(self, person: int, chat: Chat, message: Message, button: dict[str, Any]) -> None:
        try:
            query = self.world.press(person, chat, message.message_id, button["callback_data"])
        except Impossible:
            return
        self.tally.presses += 1
        if button["callback_data"].startswith(MOVE):
            self.presses.append(Press(person, button["callback_data"], query))
        with suppress(TimeoutError, KeyError):
            answer = await self.world.answer_to(query, 4)
            self.count(person, button["callback_data"], answer)

    def count(self, person: int, data: str, answer: dict[str, Any]) -> None:
        verb = ACCEPTED.get(str(answer.get("text")))
        if verb is not None:
            self.tally.accepted += 1
            self.accepted.add((person, data, verb))

    accepted: set[tuple[int, str, str]] = field(default_factory=set)

    async def play(self, group: Chat, rng: random.Random) -> None:
        """The two people of a table: they sit down, play, and play again."""
        people = [who for who, member in group.members.items() if who != self.world.bot.id]
        while not self.stopping:
            await asyncio.sleep(rng.uniform(0.02, 0.15))
            person = rng.choice(people)
            chat = self.world.chat(person)
            hand = next(
                (
                    m
                    for m in reversed(list(chat.messages.values()))
                    if any(PLIES.match(str(b.get("callback_data", ""))) for b in self.buttons(m))
                ),
                None,
            )
            if hand is not None:
                buttons = self.buttons(hand)
                actions = [b for b in buttons if str(b.get("callback_data", "")).startswith(MOVE)]
                cards = [b for b in buttons if str(b.get("callback_data", "")).startswith(CARD)]
                choice = actions if actions and (not cards or rng.random() < 0.7) else cards
                if choice:
                    await self.press(person, chat, hand, rng.choice(choice))
                    continue
            found = self.find(group, "Play again", "Play now")
            if found is not None:
                await self.press(person, group, *found)
            elif self.find(group, "Sit here") is None and not any(
                m.text and "Deal" in m.text for m in group.messages.values()
            ):
                self.world.say(person, group, "/goat")
                await asyncio.sleep(1)

    async def kill(self) -> None:
        while not self.stopping:
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.kill_every)
            slot = self.rng.randrange(len(self.fleet.ports))
            if not self.fleet.alive(slot):
                await self.fleet.start(slot)  # it gave up while its world was broken, as systemd would see
                continue
            await self.fleet.kill(slot)
            self.tally.kills += 1
            await self.fleet.start(slot)
            if self.rng.random() < 0.8:
                with suppress(TimeoutError):
                    await self.fleet.healthy(slot, 5)

    async def trouble(self) -> None:
        """Telegram's and the network's."""
        faults = self.sandbox.faults
        while not self.stopping:
            await asyncio.sleep(self.rng.uniform(0.1, 0.6))
            kind = self.rng.choice(FAULTS)
            chat = self.rng.choice([None, *self.world.data.chats])
            count = self.rng.randint(1, 12 if kind == "429" else 3)
            method = self.rng.choice(("*", "*", "editMessageText", "sendMessage", "answerCallbackQuery"))
            if len(faults.waiting) < 6:
                faults.add(kind, method, chat, count, self.rng.choice((0.3, 1.0, 2.0)))
                self.tally.faults[kind] += count
            if len(faults.waiting) >= 6 and self.rng.random() < 0.2:
                faults.clear(faults.waiting[0].id)
            if self.rng.random() < 0.02:
                self.relay.cut()
                self.tally.cuts += 1

    async def restart_postgres(self, seconds: float) -> None:
        for _ in range(self.restarts):
            await asyncio.sleep(seconds / (self.restarts + 1))
            await self.relay.refuse()
            await asyncio.to_thread(self.postgres.stop)
            self.postgres = await asyncio.to_thread(embedded.start, self.folder, durable=False)
            self.relay.upstream = self.postgres.port
            await asyncio.sleep(self.rng.uniform(0, 1))
            await self.relay.open()
            self.tally.restarts += 1

    async def run(self, kills: int, seconds: float) -> None:
        begin = time.monotonic()
        ear = Eavesdropper(self.world, self.fleet.clock)
        self.people()
        self.balancer.twice, self.balancer.late = 0.1, 0.1
        jobs = [
            self.kill(),
            self.trouble(),
            *(self.play(g, random.Random(self.rng.random())) for g in self.groups),
        ]
        tasks = [asyncio.create_task(job) for job in jobs]
        postgres = asyncio.create_task(self.restart_postgres(seconds))
        while self.tally.kills < kills and time.monotonic() - begin < max(60.0, seconds * 3):
            await asyncio.sleep(0.2)
            for task in (*tasks, postgres):
                if task.done():
                    task.result()
        await postgres
        self.stopping = True
        await asyncio.gather(*tasks)
        self.sandbox.faults.clear()
        self.balancer.twice = self.balancer.late = 0.0
        for slot in range(len(self.fleet.ports)):
            if not self.fleet.alive(slot):
                await self.fleet.start(slot)
            await self.fleet.healthy(slot)
        async with await open_pool(through(self.postgres.dsn, self.relay.port)) as pool:
            await self.settled(pool)
            await self.check(pool, ear)
        self.tally.seconds = round(time.monotonic() - begin, 1)
        self.tally.duplicates = self.balancer.duplicates
        self.tally.answers = dict(sorted(self.balancer.answers.items()))

    async def settled(self, pool: Pool) -> None:
        """Nobody presses any more; computers finish, and what is out of date is painted."""
        async with asyncio.timeout(60):
            while True:
                await asyncio.sleep(0.3)
                async with pool.acquire() as db:
                    behind = await db.fetchval("SELECT count(*) FROM screens WHERE wanted > shown")
                    thinking = await db.fetchval(
                        "SELECT count(*) FROM tables WHERE act_at < $1 AND state = 'playing'",
                        self.fleet.clock() + timedelta(seconds=60),
                    )
                if not behind and not thinking and not self.world.data.updates:
                    return

    async def check(self, pool: Pool, ear: Eavesdropper) -> None:
        tally = self.tally
        async with pool.acquire() as db:
            rows = await db.fetch("SELECT * FROM moves ORDER BY deal_id, ply")
            moves = {(row["deal_id"], row["ply"]): row for row in rows}
            tally.moves = len(rows)
            for person, data, verb in self.accepted:
                press = MovePress.unpack(data)
                row = moves.get((press.deal, press.ply))
                if row is None or row["player_id"] != person or row["move"].split()[1] != verb:
                    tally.problems.append(
                        f"an accepted press is not in the record: {data} {verb} by {person}"
                    )
            made = {
                (p.person, press.deal, press.ply) for p in self.presses if (press := MovePress.unpack(p.data))
            }
            for (deal, ply), row in moves.items():
                if row["made_by"] == "person" and (row["player_id"], deal, ply) not in made:
                    tally.problems.append(f"deal {deal} ply {ply} was played by nobody's press")
            await self.check_records(db)
            await self.check_screens(db)
            known = await knowledge(db)
        tally.looks = len(ear.seen)
        tally.problems += leaks(ear.seen, known, self.world)[:20]
        if not self.accepted:
            tally.problems.append("nobody played")

    async def check_records(self, db: Any) -> None:
        """Every record replays, and the totals are those of the records."""
        tally = self.tally
        for row in await db.fetch("SELECT * FROM deals ORDER BY id"):
            record = await deals.record_of(db, row["id"])
            assert record is not None
            state = final(record)  # raises when it does not replay
            plies = await db.fetch("SELECT ply FROM moves WHERE deal_id = $1 ORDER BY ply", row["id"])
            if [one["ply"] for one in plies] != list(range(len(plies))):
                tally.problems.append(f"deal {row['id']} has gaps")
            if row["ended_at"] is not None:
                tally.deals += 1
                if (row["points_0"], row["points_1"]) != tuple(state.points):
                    tally.problems.append(f"deal {row['id']}: stored points differ from its record's")
        for row in await db.fetch(
            """
            SELECT s.id, s.loss_0, s.loss_1, coalesce(sum(d.loss_0), 0) AS sum_0, coalesce(sum(d.loss_1), 0) AS sum_1
            FROM series s LEFT JOIN deals d ON d.series_id = s.id AND d.ended_at IS NOT NULL GROUP BY s.id
            """
        ):
            if (row["loss_0"], row["loss_1"]) != (row["sum_0"], row["sum_1"]):
                tally.problems.append(f"series {row['id']}: totals differ from its deals'")

    async def check_screens(self, db: Any) -> None:
        """What stands in the chats is what a rendering of the present state gives."""
        renderer = Renderer(self.world.bot.username, "en")
        live = set()
        for row in await db.fetch("SELECT id FROM screens WHERE NOT final"):
            screen = await screens.get(db, row["id"])
            assert screen is not None
            painting = await renderer.render(db, screen)
            message = self.world.chat(screen.chat_id).messages.get(screen.message_id or 0)
            if painting is None:
                continue
            if message is None:
                self.tally.problems.append(f"screen {screen.kind} of table {screen.table_id} stands nowhere")
                continue
            live.add((screen.chat_id, message.message_id))
            plain = re.sub(r"<[^>]+>", "", painting.text).replace("&lt;", "<").replace("&amp;", "&")
            if (message.text or "").split() != plain.split():
                self.tally.problems.append(
                    f"screen {screen.kind} of table {screen.table_id} is old: {message.text!r}, not {plain!r}"
                )
        for chat in self.world.data.chats.values():
            for message in chat.messages.values():
                playable = any(PLIES.match(str(b.get("callback_data", ""))) for b in self.buttons(message))
                if playable and (chat.id, message.message_id) not in live:
                    self.tally.orphans += 1


async def chaos(
    seed: int, *, kills: int, seconds: float, tables: int = 8, kill_every: float = 1.0, restarts: int = 2
) -> Tally:
    """`seconds`: over which PostgreSQL's restarts are spread; the run ends with the last kill."""
    tally = Tally(seed)
    with tempfile.TemporaryDirectory(prefix="goat-chaos-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.chmod(folder, 0o755)  # PostgreSQL runs as somebody else when we are root
        postgres = await asyncio.to_thread(embedded.start, folder / "postgres", durable=False)
        await migrate.upgrade(postgres.dsn)
        relay = Relay(postgres.port)
        await relay.open()
        sandbox = await server.start(World(), retry_unit=0.1)
        run = None
        try:
            dsn = through(postgres.dsn, relay.port)
            async with fleet_of(sandbox, dsn, folder, FastClock(SPEED, time.time()), seed=seed) as (
                fleet,
                balancer,
            ):
                run = Chaos(
                    sandbox, fleet, balancer, relay, folder / "postgres", postgres, random.Random(seed),
                    tally, tables, kill_every, restarts,
                )  # fmt: skip
                try:
                    await run.run(kills, seconds)
                finally:
                    for slot in range(2):
                        tally.problems += faults_in(fleet.log(slot))
                    if tally.problems:
                        keep_logs(fleet, seed)
        finally:
            await sandbox.stop()
            await relay.refuse()
            (run.postgres if run else postgres).stop()
    return tally


DECK = re.compile(r"(?:\b(?:10|[6-9JQKA])[CDHS]\b ?){3}")


# asyncpg gives back a cut connection in a task of its own and nobody asks that one how it went.
CUT = ("ConnectionResetError", "asyncpg.exceptions.ConnectionDoesNotExistError")


def keep_logs(fleet: Fleet, seed: int) -> None:
    for slot in range(len(fleet.ports)):
        kept = Path(tempfile.gettempdir(), f"goat-chaos-{seed}-{slot}.log")
        kept.write_bytes(fleet.log(slot).read_bytes())


def faults_in(log: Path) -> list[str]:
    """Tracebacks and cards have no place in a log."""
    lines = log.read_text(errors="replace").splitlines()
    found = [line for line in lines if DECK.search(line)]
    for index, line in enumerate(lines):
        if line.startswith("Traceback"):
            found.append(
                next((other for other in lines[index + 1 :] if not other.startswith((" ", "\t"))), line)
            )
    return [f"log: {line[:300]}" for line in dict.fromkeys(found) if not line.startswith(CUT)][:10]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two kills, more or less")
    parser.add_argument("--minutes", type=float, default=60.0, help="when to stop at the latest")
    arguments = parser.parse_args()
    tally = asyncio.run(
        chaos(
            arguments.seed,
            kills=arguments.kills,
            seconds=arguments.minutes * 20,
            kill_every=arguments.every,
        )
    )
    print(tally)
    return 1 if tally.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
