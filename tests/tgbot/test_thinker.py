"""Strong players think elsewhere, and a table never waits for them."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from core import computer
from core.computer import strong
from core.deal import start
from core.shuffle import shuffle
from core.view import SeatView, view
from tgbot import thinker
from tgbot.thinker import Thinker


@pytest.fixture
async def thinking() -> AsyncIterator[Thinker]:
    one = Thinker()
    yield one
    await one.close()


def first_view(seed: int = 1) -> SeatView:
    deal = start(shuffle(random.Random(seed), 0, 1))
    return view(deal, 1)


def process_of(thinking: Thinker) -> asyncio.subprocess.Process:
    process = thinking._process
    assert process is not None
    return process


async def test_the_process_plays_what_the_strong_player_plays(thinking: Thinker) -> None:
    seen = first_view()
    move = await thinking.choose(seen, "seed", "strong", deadline=20)
    assert move == strong.choose(seen, random.Random("seed"))
    assert process_of(thinking).returncode is None


async def test_a_dead_process_costs_the_steady_move_and_the_next_one_is_strong_again(
    thinking: Thinker,
) -> None:
    seen = first_view()
    strongs = await thinking.choose(seen, 1, "strong", deadline=20)
    dead = process_of(thinking)
    os.kill(dead.pid, signal.SIGSTOP)
    asked = asyncio.create_task(thinking.choose(seen, 1, "strong", deadline=20))
    await asyncio.sleep(0.05)
    os.kill(dead.pid, signal.SIGKILL)
    assert await asked == computer.choose(seen, random.Random(1), "steady")
    assert await thinking.choose(seen, 1, "strong", deadline=20) == strongs
    assert process_of(thinking).pid != dead.pid


async def test_a_process_that_hangs_is_replaced(thinking: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = first_view()
    await thinking.choose(seen, 1, "strong", deadline=20)
    hung = process_of(thinking)
    os.kill(hung.pid, signal.SIGSTOP)
    monkeypatch.setattr(thinker, "PATIENCE", 0.2)
    assert await thinking.choose(seen, 1, "strong", 20) == computer.choose(seen, random.Random(1), "steady")
    assert hung.returncode is not None
    monkeypatch.setattr(thinker, "PATIENCE", 20)
    await thinking.choose(seen, 1, "strong", deadline=20)
    assert process_of(thinking).pid != hung.pid


async def test_who_cannot_wait_gets_the_steady_move_and_nobody_gets_his_answer(thinking: Thinker) -> None:
    one, other = first_view(1), first_view(2)
    assert await thinking.choose(one, 1, "strong", deadline=0) == computer.choose(
        one, random.Random(1), "steady"
    )
    move = await thinking.choose(other, 1, "strong", deadline=20)
    assert move in other.legal


async def test_a_crowd_is_answered_at_once_by_the_steady_player(
    thinking: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinker, "QUEUE", 2)
    views = [first_view(seed) for seed in range(8)]
    moves = await asyncio.gather(*[thinking.choose(seen, 1, "strong", deadline=20) for seen in views])
    assert all(move in seen.legal for move, seen in zip(moves, views, strict=True))
    assert moves[4:] == [computer.choose(seen, random.Random(1), "steady") for seen in views[4:]]


async def test_other_levels_need_no_process(thinking: Thinker) -> None:
    seen = first_view()
    assert await thinking.choose(seen, 1, "steady", deadline=0) in seen.legal
    assert await thinking.choose(seen, 1, "easy", deadline=0) in seen.legal
    assert thinking._process is None


async def test_nobody_declares_without_four_of_a_suit(thinking: Thinker) -> None:
    seen = first_view()
    assert not await thinking.declares(seen, 1, "strong", deadline=5)
    assert thinking._process is None


def test_the_process_does_not_load_the_bot() -> None:
    code = "import core.computer.worker, sys; print([m for m in ('tgbot', 'db', 'aiogram', 'asyncio') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
