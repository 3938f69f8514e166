"""Cards, their notation, and rule 11 against a slow reference of its own."""

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cards import (
    CARDS,
    FULL,
    NAMES,
    beats_in,
    card_name,
    card_set,
    cards_of,
    parse_card,
    parse_cards,
    points_of,
    rank_of,
    set_beats,
    show_cards,
    subsets,
    suit_of,
)
from core.errors import NotationError

STRENGTH = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]
card_sets = st.integers(0, FULL)


def reference_beats(x: str, y: str, trump: str) -> bool:
    """Rule 5 on names, without the engine's tables."""
    if x[-1] == y[-1]:
        return STRENGTH.index(x[:-1]) > STRENGTH.index(y[:-1])
    return x[-1] == trump


def reference_set_beats(candidate: list[str], standing: list[str], trump: str) -> bool:
    """Rule 11 word for word: some one-to-one pairing in which every card beats its partner."""
    return len(candidate) == len(standing) and any(
        all(reference_beats(x, y, trump) for x, y in zip(candidate, order, strict=True))
        for order in permutations(standing)
    )


def test_one_card_against_one_agrees_with_rule_5_for_every_pair_and_trump() -> None:
    for trump in range(4):
        for x in range(CARDS):
            for y in range(CARDS):
                expected = reference_beats(NAMES[x], NAMES[y], "CDHS"[trump])
                assert set_beats(1 << x, 1 << y, trump) is expected


def test_two_cards_against_two_agree_with_the_reference_for_every_pair_of_pairs() -> None:
    beaten = {(x, y): reference_beats(NAMES[x], NAMES[y], "S") for x in range(CARDS) for y in range(CARDS)}
    pairs = list(combinations(range(CARDS), 2))
    for a, b in pairs:
        mine = 1 << a | 1 << b
        for y, z in pairs:
            expected = (beaten[a, y] and beaten[b, z]) or (beaten[a, z] and beaten[b, y])
            assert set_beats(mine, 1 << y | 1 << z, 3) is expected


def clash(seed: int) -> tuple[list[str], list[str], str]:
    """Two disjoint sets of up to four cards, from few suits, so that many of them do beat; and a trump."""
    rng = random.Random(seed)
    suits = rng.sample("CDHS", rng.randint(1, 3))
    names = [rank + suit for rank in STRENGTH for suit in suits]
    rng.shuffle(names)
    size = rng.randint(1, 4)
    other = rng.choice([size, size, size, size, 1, 2, 3, 4])
    return names[:size], names[size : size + other], rng.choice(suits)


clashes = st.builds(clash, st.integers(0, 2**32))


@given(clashes)
def test_the_pairing_agrees_with_trying_every_permutation(clash: tuple[list[str], list[str], str]) -> None:
    candidate, standing, trump = clash
    answer = set_beats(parse_cards(" ".join(candidate)), parse_cards(" ".join(standing)), "CDHS".index(trump))
    assert answer is reference_set_beats(candidate, standing, trump)


@given(clashes, st.integers(0, 4))
def test_the_beats_found_in_a_hand_are_all_of_them(
    clash: tuple[list[str], list[str], str], trump: int
) -> None:
    hand, standing, _ = clash
    trump %= 4
    need = len(standing)
    found = beats_in(parse_cards(" ".join(hand)), parse_cards(" ".join(standing)), need, trump)
    expected = [
        parse_cards(" ".join(chosen))
        for chosen in combinations(hand, need)
        if reference_set_beats(list(chosen), standing, "CDHS"[trump])
    ]
    assert sorted(found) == sorted(expected)


def test_the_order_of_cards_is_the_order_in_which_they_are_printed() -> None:
    assert show_cards(FULL).split() == [rank + suit for suit in "CDHS" for rank in STRENGTH]
    assert [card_name(card) for card in range(CARDS)] == show_cards(FULL).split()
    assert (suit_of(parse_card("10H")), rank_of(parse_card("10H"))) == (2, 7)


def test_a_suit_holds_30_points_and_the_pack_120() -> None:
    assert [points_of(parse_cards(" ".join(rank + suit for rank in STRENGTH))) for suit in "CDHS"] == [30] * 4
    assert points_of(FULL) == 120
    assert [points_of(parse_cards(rank + "D")) for rank in STRENGTH] == [0, 0, 0, 0, 2, 3, 4, 10, 11]


@given(card_sets)
def test_a_set_of_cards_survives_being_written_and_read(cards: int) -> None:
    assert parse_cards(show_cards(cards)) == cards
    assert card_set(cards_of(cards)) == cards
    assert list(cards_of(cards)) == sorted(cards_of(cards))


@given(st.sets(st.integers(0, CARDS - 1), max_size=6), st.integers(1, 4))
def test_subsets_are_all_subsets_of_a_size(cards: set[int], size: int) -> None:
    expected = [card_set(chosen) for chosen in combinations(sorted(cards), size)]
    assert sorted(subsets(card_set(cards), size)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    ["", "1H", "10", "H10", "10h", "11H", "6X", "６C", "6C ", "6\u200bC", "\ud800", "6C6D", "X" * 9999],
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_card(text)
    assert refused.value.code == "bad_card"
    assert str(refused.value).isascii()
    assert len(str(refused.value)) < 120


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(NotationError) as refused:
        parse_cards("6C 7C 6C")
    assert refused.value.code == "duplicate_card"
    assert "6C" not in str(refused.value)
