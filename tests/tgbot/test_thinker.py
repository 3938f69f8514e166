"""Strong players think elsewhere, and nobody waits for them longer than he wants to."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import pytest

from core.computer import strong, worker
from core.deal import holders, start
from core.shuffle import shuffle
from core.table import Occupant
from core.view import SeatView
from tgbot import thinker
from tgbot.services.deals import Question, questions
from tgbot.thinker import Thinker

FOUR = (Occupant(computer="strong"),) * 4


@pytest.fixture
async def thinking() -> AsyncIterator[Thinker]:
    one = Thinker()
    yield one
    await one.close()


def lead_of(seed: int = 1) -> Question:
    """What a strong player leads to the first trick of a deal."""
    (question,) = questions(FOUR, start(shuffle(random.Random(seed), 0, 1)))
    return question


def claim() -> Question:
    """Whether a strong player claims his molodka before anything is led."""
    deals = (start(shuffle(random.Random(seed), 0, 1)) for seed in range(10_000))
    asked = questions(FOUR, next(deal for deal in deals if holders(deal)))
    assert [question.claim for question in asked] == [True, False]
    return asked[0]


def process_of(thinking: Thinker) -> asyncio.subprocess.Process:
    process = thinking._process
    assert process is not None
    return process


async def warm(thinking: Thinker) -> asyncio.subprocess.Process:
    """The process, once it has answered."""
    assert await thinking.think([lead_of()], 20)
    return process_of(thinking)


async def test_the_process_plays_what_the_strong_player_plays(thinking: Thinker) -> None:
    lead, molodka = lead_of(), claim()
    thoughts = await thinking.think([lead, molodka], 20)
    assert thoughts[lead] == strong.choose(lead.view, random.Random(lead.seed))
    wants = strong.declares(molodka.view, random.Random(molodka.seed))
    assert thoughts[molodka] == (molodka.claimed() if wants else None)
    assert process_of(thinking).returncode is None


async def test_a_process_that_dies_in_mid_thought_has_no_answer_and_the_next_question_starts_another(
    thinking: Thinker,
) -> None:
    dead = await warm(thinking)
    os.kill(dead.pid, signal.SIGSTOP)
    asked = asyncio.create_task(thinking.think([lead_of(2)], 20))
    await asyncio.sleep(0.05)
    os.kill(dead.pid, signal.SIGKILL)
    assert await asked == {}
    assert (await warm(thinking)).pid != dead.pid


async def test_a_process_that_hangs_is_replaced(thinking: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    hung = await warm(thinking)
    os.kill(hung.pid, signal.SIGSTOP)
    monkeypatch.setattr(thinker, "PATIENCE", 0.2)
    assert await thinking.think([lead_of(2)], 20) == {}
    assert hung.returncode is not None
    assert (await warm(thinking)).pid != hung.pid


async def test_who_cannot_wait_gets_no_answer_and_nobody_gets_his(thinking: Thinker) -> None:
    await warm(thinking)
    one, other = lead_of(2), lead_of(3)
    assert await thinking.think([one], 0) == {}
    thoughts = await thinking.think([other], 20)
    assert set(thoughts) == {other}
    assert thoughts[other] in set(other.view.legal) - set(one.view.legal)


async def test_a_question_that_nobody_waits_for_any_more_is_not_asked(
    thinking: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = await warm(thinking)
    put, asked = worker.question, []

    def note(what: str, view: SeatView, seed: int | str, budget: int) -> bytes:
        asked.append(seed)
        return put(what, view, seed, budget)

    monkeypatch.setattr(worker, "question", note)
    os.kill(stopped.pid, signal.SIGSTOP)
    first, given_up, last = [lead_of(seed) for seed in (2, 3, 4)]
    answers = asyncio.create_task(thinking.think([first], 20))
    await asyncio.sleep(0.01)
    assert await thinking.think([given_up], 0.05) == {}
    os.kill(stopped.pid, signal.SIGCONT)
    assert len(await answers) == 1
    assert len(await thinking.think([last], 20)) == 1
    assert asked == [first.seed, last.seed]


async def test_of_a_crowd_only_so_many_wait(thinking: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "QUEUE", 2)
    asked = [lead_of(seed) for seed in range(8)]
    answers = await asyncio.gather(*[thinking.think([question], 20) for question in asked])
    assert [len(thoughts) for thoughts in answers] == [1, 1, 0, 0, 0, 0, 0, 0]


async def test_closing_in_mid_thought_takes_no_time_and_leaves_no_process(thinking: Thinker) -> None:
    stopped = await warm(thinking)
    os.kill(stopped.pid, signal.SIGSTOP)
    asked = asyncio.create_task(thinking.think([lead_of(2)], 20))
    await asyncio.sleep(0.05)
    await thinking.close()
    assert await asked == {}
    assert stopped.returncode == -signal.SIGKILL


def test_what_is_asked_says_nothing_of_cards_that_the_seat_does_not_see() -> None:
    question = lead_of()
    assert question.view.hand.bit_count() == 4
    assert set(question.seed) <= set("0123456789abcdef")
    assert len(question.seed) == 64  # a digest
    assert "♠" not in repr(question)
    assert str(question.view.hand) not in repr(question)


def test_the_process_ends_when_whoever_asked_is_gone_but_not_by_ctrl_c() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", worker.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        question = lead_of()
        frame = worker.question("choose", question.view, question.seed, 10)
        process.stdin.write(frame)
        process.stdin.flush()
        process.stdout.read(worker.LENGTH.size)
        for number in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
        process.stdin.write(frame)
        process.stdin.flush()
        process.stdout.close()  # as when the bot is killed while it waits for this answer
        process.stdin.close()
        begun = time.monotonic()
        while process.poll() is None and time.monotonic() - begun < 20:
            time.sleep(0.01)
        assert (process.returncode, process.stderr.read()) == (0, b"")


def test_the_process_does_not_load_the_bot() -> None:
    code = "import core.computer.worker, sys; print([m for m in ('tgbot', 'db', 'aiogram', 'asyncio') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
