"""The worked examples of docs/rules.md, one test each. Trump is spades unless said."""

from itertools import permutations

import pytest

from core.cards import beats, card_set, parse_card, parse_cards, set_beats
from core.deal import (
    Deal,
    Move,
    Phase,
    holders,
    is_molodka,
    legal_moves,
    loss_of,
    play,
)
from core.errors import IllegalMove
from core.rules import Rules
from core.series import Series, score
from tests.core.scenes import after, legal, scene, shown

C, D, H, S = range(4)


def card_beats(x: str, y: str, trump: int = S) -> bool:
    return beats(parse_card(x), parse_card(y), trump)


def put_beats(candidate: str, standing: str, trump: int = S) -> bool:
    """Asks the pairing rule, whichever way the cards are named."""
    answers = {
        set_beats(parse_cards(" ".join(named)), parse_cards(standing), trump)
        for named in permutations(candidate.split())
    }
    assert len(answers) == 1
    return answers.pop()


def refusal(deal: Deal, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        play(deal, Move.parse(move))
    assert Move.parse(move) not in legal_moves(deal)
    return refused.value.code


def test_01_trumps_beat_plain_cards_and_plain_suits_never_compare() -> None:
    assert card_beats("6H", "AS", trump=H)
    assert not card_beats("AS", "6H", trump=H)
    assert not card_beats("AS", "10D", trump=H)
    assert not card_beats("10D", "AS", trump=H)
    assert card_beats("10C", "KC")
    assert card_beats("10C", "QC")
    assert not card_beats("10C", "AC")


def test_02_a_lead_is_of_one_suit_and_a_reply_of_as_many_cards() -> None:
    deal = scene(["7C KC AC 7D", "AH 6S 9C 9D", "6C 6D 6H 7H", "8C 8D 8H 8S"], stock="10H AS")
    play(deal, Move.parse("0 lead 7C KC AC"))
    assert refusal(deal, "0 lead 7C 7D") == "not_one_suit"
    other = deal._replace(turn=1, leader=1)
    assert refusal(other, "1 lead AH 6S") == "not_one_suit"
    two_led = after(deal, "0 lead 7C KC")
    assert refusal(two_led, "1 beat 6S") == "wrong_count"
    assert refusal(two_led, "1 pass 9D") == "wrong_count"
    assert refusal(two_led, "1 beat 6S 9C AH") == "wrong_count"
    assert refusal(two_led, "1 pass 6S 9C AH") == "wrong_count"


def test_03_a_lead_of_two_is_beaten_pair_by_pair_or_not_at_all() -> None:
    assert put_beats("9H 6S", "7H 8H")
    assert put_beats("JH KH", "7H 8H")
    assert not put_beats("9H 6H", "7H 8H")
    assert not put_beats("AD AC", "7H 8H")
    deal = scene(["7H 8H 6C 6D", "9H 6H 7C 7D", "8C 8D 9C 9D", "JC JD QC QD"])
    led = after(deal, "0 lead 7H 8H")
    assert refusal(led, "1 beat 6H 9H") == "does_not_beat"
    play(led, Move.parse("1 pass 9H 6H"))


def test_04_what_stands_is_the_latest_beat_and_no_longer_the_lead() -> None:
    assert not put_beats("KH JH", "9H 6S")
    assert put_beats("KH JH", "7H 8H")
    assert put_beats("JH 7S", "9H 6S")
    assert put_beats("7S 8S", "9H 6S")
    assert not put_beats("8H AS", "9H 6S")
    deal = scene(["7H 8H 6C 6D", "9H 6S 7C 7D", "KH JH 7S 8S", "JC JD QC QD"])
    beaten = after(deal, "0 lead 7H 8H", "1 beat 9H 6S")
    assert refusal(beaten, "2 beat KH JH") == "does_not_beat"
    assert "2 beat JH 7S" in legal(beaten)
    assert "2 beat 7S 8S" in legal(beaten)


def test_05_the_order_in_which_cards_are_named_does_not_matter() -> None:
    assert put_beats("10H 8H", "7H 9H")
    assert not put_beats("JH 9H", "10H 8H")
    assert put_beats("8S 10H", "9H 7S")


def test_06_three_cards_against_a_mixed_beat() -> None:
    assert put_beats("9C QC 7S", "8C JC 6S")
    assert put_beats("9C 7S 8S", "8C JC 6S")
    assert not put_beats("9C 10C AC", "8C JC 6S")
    assert not put_beats("7C 7S 8S", "8C JC 6S")


def test_07_a_trump_lead_is_beaten_by_higher_trumps_only() -> None:
    assert put_beats("8S 9S", "6S 7S")
    assert not put_beats("8S AH", "6S 7S")


def test_08_a_beat_is_measured_against_what_stands_not_against_hidden_passes() -> None:
    deal = scene(["7H 6C 7C 8C", "KH 6D 7D 8D", "9H 9C 9D 6S", "AD JC JD 7S"])
    done = after(deal, "0 lead 7H", "1 pass KH", "2 beat 9H", "3 pass AD")
    assert done.tricks_done[-1].winner == 2
    assert done.points == (15, 0)
    assert done.turn == 2


def test_09_the_winner_takes_all_cards_leads_and_draws_first() -> None:
    stock = "6C 7C 8C 9C JC QC JD AC"
    hands = ["10H AH 6H 7H", "6D 7D 8D 9D", "10C KC QD KD", "6S 7S 8S 9S"]
    deal = scene(hands, stock=stock)
    done = after(deal, "0 lead 10H AH", "1 pass 6D 7D", "2 pass KC 10C", "3 beat 6S 7S")
    assert done.points == (0, 35)
    assert done.turn == 3
    drawn = [parse_cards(name) for name in stock.split()]
    expected = [0, 0, 0, 0]
    for seat, card in zip((3, 0, 1, 2, 3, 0, 1, 2), drawn, strict=True):
        expected[seat] |= card
    left = [parse_cards(hand) for hand in ("6H 7H", "8D 9D", "QD KD", "8S 9S")]
    assert list(done.hands) == [kept | new for kept, new in zip(left, expected, strict=True)]


def test_10_overtaking_the_partner_is_legal() -> None:
    deal = scene(["QH 6C 7C 8C", "6D 7D 8D 9D", "AH 9C JC 6S", "JD QD KD 7S"])
    done = after(deal, "0 lead QH", "1 pass 6D", "2 beat AH", "3 pass JD")
    assert done.tricks_done[-1].winner == 2


def test_11_who_has_acted_may_not_claim_his_four_any_more_in_this_trick() -> None:
    deal = scene(["6H 7H 8H 9H", "6D 7D 8D 6C", "9D JD 7C 8C", "JC QC KC AC"])
    led = after(deal, "0 lead 6H 7H")
    assert holders(led) == (3,)
    declared = after(led, "3 molodka")
    assert declared.phase is Phase.REPLY
    assert [str(move) for move in declared.table] == ["3 lead JC QC KC AC"]
    assert shown([declared.hands[0]]) == ["6H 7H 8H 9H"]
    assert refusal(declared, "0 molodka") == "four_led"
    assert refusal(led, "0 molodka") == "already_acted"


def test_12_the_nearer_holder_is_asked_first_and_may_decline() -> None:
    deal = scene(["6H 7D 8H 9C", "6C 7C 8C JC", "9D JD 7H 9H", "JH QH KH AH"])
    asked = after(deal, "3 molodka")
    assert (asked.phase, asked.turn) == (Phase.OFFER, 1)
    led = after(asked, "1 decline")
    assert [str(move) for move in led.table] == ["3 lead JH QH KH AH"]
    assert led.turn == 0


def test_13_a_leader_who_has_not_led_is_asked_too() -> None:
    deal = scene(["6H 7H 8H 9H", "6C 7D 8C JC", "9D JD 7C 9C", "6S 7S 8S 9S"])
    asked = after(deal, "3 molodka")
    assert (asked.phase, asked.turn) == (Phase.OFFER, 0)
    assert [str(move) for move in after(asked, "0 molodka").table] == ["0 lead 6H 7H 8H 9H"]


@pytest.mark.parametrize(("trump", "beats_it"), [("S", False), ("H", True)])
def test_14_nobody_declares_over_a_lead_of_four_but_he_may_beat_it(trump: str, beats_it: bool) -> None:
    deal = scene(["6C 7C 8C 9C", "JH QH KH AH", "6D 7D 8D 6S", "9D JD QD 7S"], trump=trump, stock="6H 8S")
    led = after(deal, "0 lead 6C 7C 8C 9C")
    assert refusal(led, "1 molodka") == "four_led"
    assert ("1 beat JH QH KH AH" in legal(led)) is beats_it


def test_15_three_cards_of_a_suit_are_no_molodka() -> None:
    assert not is_molodka(parse_cards("6H 7H 8H"))
    deal = scene(["6C 7D 8C 9C", "6H 7H 8H 9H", "9D JD 7C JC", "6S 7S 8S JH"])
    hands = parse_cards("6C 7D 8C"), parse_cards("6H 7H 8H"), parse_cards("9D JD 7C"), parse_cards("6S 7S JH")
    hands_of_three = deal._replace(hands=hands, stock=())
    assert holders(hands_of_three) == ()
    assert refusal(hands_of_three, "1 molodka") == "no_molodka"


@pytest.mark.parametrize(
    ("hands", "moves", "winner", "size"),
    [
        (
            ("6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"),
            ("0 lead 6C 7C 8C 9C", "1 pass 6D 7D 8D 9D", "2 pass 6H 7H 8H 9H", "3 beat 6S 7S 8S 9S"),
            3,
            1,
        ),
        (
            ("6C 7C 8C 9C", "6D 7D 8D 9D", "9S JC 6H 7H", "6S 7S 8S 9H"),
            ("0 lead 6C 7C", "1 pass 6D 7D", "2 beat 9S JC", "3 pass 6S 7S"),
            2,
            3,
        ),
    ],
)
def test_16_a_stock_of_four_gives_everybody_one_card(
    hands: tuple[str, ...], moves: tuple[str, ...], winner: int, size: int
) -> None:
    whole = scene(hands, stock="10C 10D 10H 10S")
    four = whole.stock[:4]
    done = after(whole._replace(stock=four), *moves)
    assert done.turn == winner
    assert done.stock == ()
    assert [hand.bit_count() for hand in done.hands] == [size] * 4
    for place, card in enumerate(four):
        assert done.hands[(winner + place) % 4] & card_set([card])


@pytest.mark.parametrize(
    ("points", "tricks", "expected"),
    [
        ((61, 59), (4, 4), (0, 2)),
        ((60, 60), (4, 4), (0, 0)),
        ((89, 31), (5, 3), (0, 2)),
        ((90, 30), (5, 3), (0, 4)),
        ((120, 0), (6, 1), (0, 4)),
        ((120, 0), (7, 0), (0, 6)),
    ],
)
def test_17_the_count(points: tuple[int, int], tricks: tuple[int, int], expected: tuple[int, int]) -> None:
    assert loss_of(points, tricks) == expected
    assert loss_of(points[::-1], tricks[::-1]) == expected[::-1]
    deal = scene(["6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S"])
    over = deal._replace(phase=Phase.OVER, turn=None, points=points, tricks=tricks)
    series = Series(Rules(), loss=(0, 0), balls=0, doubled=False, deals=0, dealer=3, leader=0)
    series, result = score(series, over)
    assert series.loss == result.loss == expected
    assert series.balls == (1 if points == (60, 60) else 0)
