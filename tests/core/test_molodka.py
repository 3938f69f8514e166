"""Molodka: rules 16 to 20, scene by scene."""

import pytest

from core.cards import parse_cards
from core.deal import Move, Phase, check, holders
from core.errors import IllegalMove
from core.rules import Rules
from core.view import view
from tests.core.scenes import after, legal, scene, shown

# Each seat holds four of a suit.
ALL_FOUR = ["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"]
# Seats 1, 2 and 3 do, the leader does not.
THREE = ["6C 7C 8C JD", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"]


def code(deal_moves: list[str], move: str, hands: list[str] | None = None, rules: Rules | None = None) -> str:
    deal = after(scene(hands or THREE, rules=rules), *deal_moves)
    with pytest.raises(IllegalMove) as refused:
        check(deal, Move.parse(move))
    return refused.value.code


def test_the_right_exists_from_the_deal_on_and_out_of_turn() -> None:
    deal = scene(THREE)
    assert holders(deal) == (1, 2, 3)
    assert [move for move in legal(deal) if "molodka" in move] == ["1 molodka", "2 molodka", "3 molodka"]


def test_the_right_ends_with_the_own_play() -> None:
    led = after(scene(THREE), "0 lead 6C")
    assert holders(led) == (1, 2, 3)
    assert holders(after(led, "1 pass 6D")) == (2, 3)
    assert holders(after(led, "1 pass 6D", "2 pass 6H")) == (3,)


def test_a_seat_whose_turn_it_is_to_reply_may_declare_instead() -> None:
    led = after(scene(THREE), "0 lead 6C")
    assert "1 molodka" in legal(led)
    declared = after(led, "1 molodka")
    assert [str(move) for move in declared.table] == ["1 lead 6D 7D 8D 9D"]


def test_a_leader_who_has_not_led_does_not_declare_he_leads() -> None:
    assert code([], "0 molodka", ALL_FOUR) == "just_lead"
    deal = scene(ALL_FOUR)
    assert "0 molodka" not in legal(deal)
    assert "0 lead 6C 7C 8C 9C" in legal(deal)


def test_an_unopposed_declarer_leads_at_once_and_the_other_three_reply_clockwise() -> None:
    deal = after(scene(THREE), "0 lead 6C", "1 pass 6D", "2 pass 6H", "3 molodka")
    assert (deal.phase, deal.turn, deal.need, deal.best, deal.leader) == (Phase.REPLY, 0, 4, 3, 3)
    assert [str(move) for move in deal.table] == ["3 lead 6S 7S 8S 9S"]
    assert shown(deal.hands) == [*shown(scene(THREE).hands)[:3], ""]
    done = after(deal, "0 pass 6C 7C 8C JD", "1 pass 6D 7D 8D 9D", "2 pass 6H 7H 8H 9H")
    assert done.tricks_done[-1].winner == 3
    assert [str(move) for move in done.tricks_done[-1].recalled] == ["0 lead 6C", "1 pass 6D", "2 pass 6H"]
    assert done.turn == 3


def test_earlier_tricks_are_untouched() -> None:
    # Trump is spades, so seat 3 wins and draws first; everybody draws a card of his own suit again.
    deal = scene(ALL_FOUR, stock="10S 10C 10D 10H")
    done = after(deal, "0 lead 6C", "1 pass 6D", "2 pass 6H", "3 beat 6S")
    declared = after(done, "3 lead 7S", "0 pass 7C", "2 molodka", "1 decline")
    assert [str(move) for move in declared.table] == ["2 lead 7H 8H 9H 10H"]
    assert declared.tricks == done.tricks == (0, 1)
    assert declared.points == done.points
    assert declared.tricks_done == done.tricks_done


def test_nearer_holders_are_asked_nearest_first_until_one_accepts() -> None:
    asked_1 = after(scene(THREE), "3 molodka")
    assert (asked_1.phase, asked_1.turn, asked_1.declarer) == (Phase.OFFER, 1, 3)
    asked_2 = after(asked_1, "1 decline")
    assert (asked_2.phase, asked_2.turn, asked_2.declarer) == (Phase.OFFER, 2, 3)
    accepted = after(asked_2, "2 molodka")
    assert [str(move) for move in accepted.table] == ["2 lead 6H 7H 8H 9H"]
    assert accepted.declarer is None
    assert accepted.turn == 3


def test_when_all_decline_the_declarer_leads() -> None:
    deal = after(scene(ALL_FOUR), "3 molodka", "0 decline", "1 decline", "2 decline")
    assert [str(move) for move in deal.table] == ["3 lead 6S 7S 8S 9S"]


def test_a_holder_farther_than_the_declarer_is_not_asked() -> None:
    assert after(scene(THREE), "1 molodka").phase is Phase.REPLY


def test_nearness_counts_from_the_leader_of_the_trick() -> None:
    deal = scene(ALL_FOUR, leader=2)
    deal = after(deal, "1 molodka")
    asked = []
    while deal.phase is Phase.OFFER:
        assert deal.turn is not None
        asked.append(deal.turn)
        deal = after(deal, f"{deal.turn} decline")
    assert asked == [2, 3, 0]


def test_a_holder_who_has_acted_is_not_asked() -> None:
    deal = after(scene(THREE), "0 lead 6C", "1 pass 6D", "3 molodka")
    assert (deal.phase, deal.turn) == (Phase.OFFER, 2)


def test_in_an_offer_only_the_asked_seat_may_act() -> None:
    moves = ["0 lead 6C", "3 molodka"]
    assert legal(after(scene(THREE), *moves)) == ["1 decline", "1 molodka"]
    assert code(moves, "2 molodka") == "not_your_turn"
    assert code(moves, "3 molodka") == "not_your_turn"
    assert code(moves, "2 decline") == "not_your_turn"
    assert code(moves, "0 pass 7C") == "not_your_turn"
    assert code(moves, "1 pass 6D") == "answer_first"


def test_an_offer_before_the_lead_needs_nothing_and_one_after_it_leaves_the_table_standing() -> None:
    before = after(scene(THREE), "2 molodka")
    assert (before.phase, before.need, before.best, before.table) == (Phase.OFFER, 0, None, ())
    led = (
        after(scene(THREE), "0 lead 6C 7C", "1 beat 6D 7D") if False else after(scene(THREE), "0 lead 6C 7C")
    )
    asked = after(led, "2 molodka")
    assert (asked.need, asked.best, asked.table) == (2, 0, led.table)


def test_nobody_declares_over_a_four_card_lead_declared_or_ordinary() -> None:
    assert code(["0 lead 6C 7C 8C 9C"], "2 molodka", ALL_FOUR) == "four_led"
    assert code(["2 molodka", "1 decline"], "3 molodka") == "four_led"


def test_without_a_molodka_there_is_nothing_to_declare_and_nothing_to_decline() -> None:
    assert code([], "0 molodka", THREE) == "no_molodka"
    assert code([], "1 decline") == "not_asked"
    assert code(["0 lead 6C"], "0 molodka", ALL_FOUR) == "already_acted"
    assert code([], "1 molodka", rules=Rules(molodka=False)) == "molodka_off"
    assert holders(scene(ALL_FOUR, rules=Rules(molodka=False))) == ()


def test_a_beat_against_a_declared_four_may_win_the_trick() -> None:
    hands = ["6C 7C 8C JD", "6H 7H 8H 9H", "6D 7D 8D 9D", "6S 7S 8S 9S"]
    deal = after(scene(hands), "1 molodka", "2 pass 6D 7D 8D 9D", "3 beat 6S 7S 8S 9S", "0 pass 6C 7C 8C JD")
    assert deal.tricks_done[-1].winner == 3
    assert deal.tricks == (0, 1)


def test_everybody_remembers_the_open_cards_that_went_back_and_nobody_the_passed_ones() -> None:
    hands = ["6C 7C 8C JD", "9C 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"]
    deal = after(scene(hands, trump="D"), "0 lead 6C", "1 beat 9C", "2 pass 6H", "3 molodka")
    for seat in (None, 0, 1, 3):
        assert view(deal, seat).known == (parse_cards("6C"), parse_cards("9C"), 0, 0)
        assert view(deal, seat).recalled[2].cards is None
    assert view(deal, 2).recalled[2].cards == parse_cards("6H")
    answered = after(deal, "0 pass 6C 7C 8C JD")
    assert view(answered, 2).known == (0, parse_cards("9C"), 0, 0)
    assert not view(answered, 2).unseen & parse_cards("6C 9C")
