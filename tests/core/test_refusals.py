"""Every reason for which a move is refused, and what a refusal gives away: nothing."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cards import NAMES
from core.deal import REASONS, Deal, Move, Verb, check, legal_moves, play
from core.errors import GoatError, IllegalMove, NotationError
from core.rules import Rules
from tests.core.scenes import after, positions, scene

T = TypeVar("T")

HANDS = ["6C 7C 8C JD", "6D 7D 8D 9D", "6H 7H 8H 9H", "JC JH JS QS"]

SCENES: list[tuple[str, list[str], Move | str]] = [
    ("not_your_turn", [], "1 lead 6D"),
    ("not_your_turn", ["0 lead 6C"], "0 pass 7C"),
    ("must_lead", [], "0 pass 6C"),
    ("must_lead", [], "0 beat 6C"),
    ("already_led", ["0 lead 6C"], "1 lead 6D"),
    ("not_your_cards", [], "0 lead 6H"),
    ("not_your_cards", ["0 lead 6C"], "1 pass 6C"),
    ("not_your_cards", [], Move(0, Verb.LEAD, 1 << 36)),
    ("not_your_cards", [], Move(0, Verb.LEAD, -1)),
    ("wrong_count", [], Move(0, Verb.LEAD, 0)),
    ("wrong_count", ["0 lead 6C 7C"], "1 pass 6D"),
    ("wrong_count", ["0 lead 6C 7C"], "1 beat 6D 7D 8D"),
    ("wrong_count", ["0 lead 6C"], Move(1, Verb.PASS, 0)),
    ("not_one_suit", [], "0 lead 6C JD"),
    ("does_not_beat", ["0 lead 6C"], "1 beat 9D"),
    ("unexpected_cards", [], Move(1, Verb.MOLODKA, 1)),
    ("unexpected_cards", ["2 molodka"], Move(1, Verb.DECLINE, 1)),
    ("not_asked", [], "1 decline"),
    ("answer_first", ["2 molodka"], "1 lead 6D"),
    ("no_molodka", [], "3 molodka"),
    ("already_acted", ["0 lead 6C", "1 pass 6D"], "1 molodka"),
    ("four_led", ["1 molodka"], "2 molodka"),
    ("unknown_move", [], Move(4, Verb.LEAD, 1)),
    ("unknown_move", [], Move(-1, Verb.MOLODKA)),
]


@pytest.mark.parametrize(("code", "moves", "move"), SCENES)
def test_a_refusal_says_why(code: str, moves: list[str], move: Move | str) -> None:
    deal = after(scene(HANDS), *moves)
    with pytest.raises(IllegalMove) as refused:
        play(deal, Move.parse(move) if isinstance(move, str) else move)
    assert refused.value.code == code


def test_the_rest_of_the_reasons() -> None:
    seen = {code for code, _, _ in SCENES}
    with pytest.raises(IllegalMove) as refused:
        check(scene(HANDS, rules=Rules(molodka=False)), Move(1, Verb.MOLODKA))
    seen.add(refused.value.code)
    with pytest.raises(IllegalMove) as refused:
        check(scene(HANDS, leader=1), Move(1, Verb.MOLODKA))
    seen.add(refused.value.code)
    with pytest.raises(IllegalMove) as refused:
        check(finished(), Move(0, Verb.LEAD, 1))
    seen.add(refused.value.code)
    assert seen == set(REASONS)


def answer_to(question: Callable[[], T]) -> T | GoatError:
    """What it returns, or the typed error; any other exception is the test's failure."""
    try:
        return question()
    except GoatError as refused:
        return refused


def finished() -> Deal:
    deal = scene(HANDS)
    while moves := legal_moves(deal):
        deal = play(deal, moves[0])
    return deal


def test_no_reason_and_no_repr_names_a_card() -> None:
    deal = after(scene(HANDS), "0 lead 6C", "1 pass 6D")
    move = Move.parse("2 pass 6H")
    for text in (*REASONS.values(), repr(deal), repr(deal.pack), repr(move), repr(deal.table)):
        assert not any(name in text.split() for name in NAMES), text
        assert "6H" not in text


@given(positions, st.integers(), st.sampled_from(Verb), st.integers())
def test_play_answers_every_move_with_a_state_or_an_illegal_move(
    deal: Deal, seat: int, verb: Verb, cards: int
) -> None:
    for move in (Move(seat, verb, cards), Move(seat % 4, verb, cards), Move(seat % 4, verb, cards % 2**36)):
        answer = answer_to(partial(play, deal, move))
        if isinstance(answer, GoatError):
            assert isinstance(answer, IllegalMove)
            assert str(answer) == REASONS[answer.code]
        else:
            assert answer.ply == deal.ply + 1


@given(
    st.text()
    | st.lists(st.sampled_from(["0", "3", "lead", "pass", "molodka", "6C", "10H", " ", "4"])).map(" ".join)
)
def test_every_text_is_a_move_or_a_notation_error(text: str) -> None:
    answer = answer_to(partial(Move.parse, text))
    if isinstance(answer, GoatError):
        assert isinstance(answer, NotationError)
        assert answer.code in {"bad_move", "bad_card", "duplicate_card"}
        assert str(answer).isascii()
    else:
        assert Move.parse(str(answer)) == answer


@pytest.mark.parametrize(
    "text",
    ["", " ", "0", "0 ", "lead 6C", "0 LEAD 6C", "0 lead", "0 pass", "0 lead 6c", "4 lead 6C", "-1 lead 6C", "00 lead 6C",
     "٠ lead 6C", "0 lead 6C,7C", "0\tlead\t6C", "0 lead 6C\n", "0 molodka 6C", "0 decline 6C", "0 fold"],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Move.parse(text)


def test_spaces_around_and_between_are_no_fault() -> None:
    assert Move.parse("2 molodka ") == Move(2, Verb.MOLODKA)
    assert Move.parse(" 0  lead  7C 6C ") == Move.parse("0 lead 6C 7C")


def test_an_error_without_a_text_reads_like_its_code() -> None:
    assert str(GoatError("team_full", free=1)) == "team full"
    assert GoatError("team_full", free=1).data == {"free": 1}
