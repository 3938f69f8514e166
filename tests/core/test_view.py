"""Views: nobody sees a hidden card, not even through its absence."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from core.cards import CARDS, FULL, NAMES, CardSet, card_set, cards_of
from core.deal import Deal, Move, Pack, Phase, Trick, Verb, legal_moves_of
from core.rules import Rules
from core.view import SeatView, view
from tests.core.scenes import after, offers, played, positions, scene, seeds

EYES = (0, 1, 2, 3, None)


def open_to(deal: Deal, seat: int | None) -> CardSet:
    """The cards whose place a seat knows, told from the rules and not from the view."""
    seen = 0 if seat is None else deal.hands[seat]
    moves = [*deal.table, *deal.recalled]
    for trick in deal.tricks_done:
        moves += [*trick.moves, *trick.recalled]
    for move in moves:
        if move.verb is not Verb.PASS or move.seat == seat or deal.rules.open_passes:
            seen |= move.cards
    return seen


def with_hidden_cards_permuted(deal: Deal, seat: int | None, rng: random.Random) -> Deal:
    """The same deal for that seat's eyes: the cards that it has not seen change places everywhere."""
    hidden = cards_of(FULL & ~open_to(deal, seat))
    becomes = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def moved(cards: CardSet) -> CardSet:
        return card_set([becomes.get(card, card) for card in cards_of(cards)])

    def moves(those: tuple[Move, ...]) -> tuple[Move, ...]:
        return tuple(Move(move.seat, move.verb, moved(move.cards)) for move in those)

    hands = [moved(hand) for hand in deal.hands]
    others = [card for card in rng.sample(range(CARDS), CARDS) if card != deal.pack.shown]
    indicator = rng.randrange(20)
    order = (*others[: 16 + indicator], deal.pack.shown, *others[16 + indicator :])
    first = rng.randint(0, 120)
    return deal._replace(
        pack=Pack(order, indicator, deal.pack.dealer, deal.pack.leader),
        hands=(hands[0], hands[1], hands[2], hands[3]),
        stock=tuple(becomes.get(card, card) for card in deal.stock),
        table=moves(deal.table),
        recalled=moves(deal.recalled),
        tricks_done=tuple(
            Trick(moves(trick.moves), trick.winner, trick.leader, moves(trick.recalled))
            for trick in deal.tricks_done
        ),
        # What the piles are worth is not known before the count either.
        points=(first, 120 - first),
    )


@given(positions | offers, st.sampled_from(EYES), st.randoms(use_true_random=False))
def test_a_view_is_byte_identical_when_the_cards_hidden_from_it_are_permuted(
    deal: Deal, seat: int | None, rng: random.Random
) -> None:
    assume(deal.phase is not Phase.OVER)
    other = with_hidden_cards_permuted(deal, seat, rng)
    assert view(other, seat).to_bytes() == view(deal, seat).to_bytes()


@given(positions, st.randoms(use_true_random=False))
def test_a_view_differs_when_a_card_that_it_shows_is_another(deal: Deal, rng: random.Random) -> None:
    """So that the test above can't pass with an empty view."""
    holding = [seat for seat in range(4) if deal.hands[seat]]
    assume(len(holding) > 1)
    seat, place = rng.sample(holding, 2)
    exchanged = 1 << rng.choice(cards_of(deal.hands[seat])) | 1 << rng.choice(cards_of(deal.hands[place]))
    swapped = [
        hand ^ exchanged if place_ in (seat, place) else hand for place_, hand in enumerate(deal.hands)
    ]
    other = deal._replace(hands=(swapped[0], swapped[1], swapped[2], swapped[3]))
    assert view(other, seat).to_bytes() != view(deal, seat).to_bytes()
    assert view(other, seat).hand != view(deal, seat).hand


@given(positions, st.sampled_from(EYES))
def test_the_unseen_cards_are_those_whose_place_the_seat_does_not_know(deal: Deal, seat: int | None) -> None:
    assume(deal.phase is not Phase.OVER)
    assert view(deal, seat).unseen == FULL & ~open_to(deal, seat)


@given(positions, st.sampled_from(EYES))
def test_known_cards_really_are_where_everybody_knows_them_to_be(deal: Deal, seat: int | None) -> None:
    seen = view(deal, seat)
    for place, cards in enumerate(seen.known):
        assert not cards & ~deal.hands[place]
        assert not cards & seen.unseen


@given(positions, st.integers(0, 3))
def test_a_view_offers_the_legal_moves_of_its_own_seat_only(deal: Deal, seat: int) -> None:
    assert view(deal, None).legal == ()
    assert list(view(deal, seat).legal) == legal_moves_of(deal, seat)


@given(offers, st.randoms(use_true_random=False))
def test_in_an_offer_others_learn_neither_who_declared_nor_who_is_asked(
    deal: Deal, rng: random.Random
) -> None:
    for seat in EYES:
        seen = view(deal, seat)
        assert seen.offered
        assert seen.turn == (seat if seat == deal.turn else None)
        assert seen.declared is (seat is not None and seat == deal.declarer)
        if seat not in (deal.turn, deal.declarer):
            asked, declarer = rng.sample([other for other in range(4) if other != seat], 2)
            other = deal._replace(turn=asked, declarer=declarer)
            assert view(other, seat).to_bytes() == seen.to_bytes()


@given(seeds)
def test_when_the_deal_is_over_the_piles_are_turned_up_for_everybody(seed: int) -> None:
    *_, deal = played(seed)
    for seat in EYES:
        seen = view(deal, seat)
        assert seen.result is not None
        assert seen.result.points == deal.points
        assert seen.unseen == 0
        assert all(move.cards is not None for trick in seen.past for move in trick.moves)


def test_until_then_points_stay_hidden_and_a_pass_is_a_number_of_backs() -> None:
    deal = after(
        scene(["6C 7C 8C JD", "AD 7D 8D 9D", "6H 7H 8H 9H", "JC JH JS QS"]), "0 lead 6C", "1 pass AD"
    )
    for seat in (0, 2, 3, None):
        passed = view(deal, seat).table[1]
        assert (passed.seat, passed.verb, passed.cards, passed.count) == (1, Verb.PASS, None, 1)
    assert view(deal, 1).table[1].cards == deal.table[1].cards
    assert view(deal, 0).result is None


def test_with_open_passes_everybody_sees_them() -> None:
    hands = ["6C 7C 8C JD", "AD 7D 8D 9D", "6H 7H 8H 9H", "JC JH JS QS"]
    deal = after(scene(hands, rules=Rules(open_passes=True)), "0 lead 6C", "1 pass AD")
    assert all(view(deal, seat).table[1].cards == deal.table[1].cards for seat in EYES)


@given(positions)
def test_a_views_repr_names_no_card(deal: Deal) -> None:
    for seat in EYES:
        seen: SeatView = view(deal, seat)
        for text in (repr(seen), repr(seen.table), repr(seen.past), repr(seen.legal)):
            assert not any(name in text for name in NAMES)
