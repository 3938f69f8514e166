"""What holds in every deal, whatever is played."""

import random

from hypothesis import given
from hypothesis import strategies as st

from core.cards import CARDS, FULL, NAMES, card_set, cards_of, points_of, subsets
from core.deal import Deal, Move, Phase, Verb, legal_moves, legal_moves_of, loss, next_leader, play
from core.errors import IllegalMove
from tests.core.scenes import CARD_VERBS, everywhere, played, positions, seeds
from tests.core.test_cards import reference_beats


@given(seeds)
def test_the_36_cards_are_somewhere_at_every_step(seed: int) -> None:
    for deal in played(seed):
        union = total = 0
        for place in everywhere(deal):
            union |= place
            total += place.bit_count()
        assert union == FULL
        assert total == CARDS


@given(seeds)
def test_a_deal_ends_with_120_points_and_3_to_9_tricks(seed: int) -> None:
    *_, deal = played(seed)
    assert deal.phase is Phase.OVER
    assert sum(deal.points) == 120
    assert 3 <= sum(deal.tricks) == len(deal.tricks_done) <= 9
    assert deal.hands == (0, 0, 0, 0)
    assert deal.stock == ()
    assert next_leader(deal) == deal.tricks_done[-1].winner


@given(seeds)
def test_hands_and_stock_follow_rule_15_between_tricks(seed: int) -> None:
    for deal in played(seed):
        if deal.table or deal.phase is Phase.OFFER:
            continue
        used = sum(trick.moves[0].cards.bit_count() for trick in deal.tricks_done)
        assert [hand.bit_count() for hand in deal.hands] == [min(4, 9 - used)] * 4
        assert len(deal.stock) == 4 * max(0, 5 - used)


@given(seeds)
def test_the_count_agrees_with_counting_the_piles_by_hand(seed: int) -> None:
    *_, deal = played(seed)
    worth = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
    points, tricks = [0, 0], [0, 0]
    for trick in deal.tricks_done:
        # Rule 13, told from the moves alone: the last who beat, or else the leader.
        winner = [move.seat for move in trick.moves if move.verb is not Verb.PASS][-1]
        assert trick.winner == winner
        team = 0 if winner in (0, 2) else 1
        tricks[team] += 1
        for move in trick.moves:
            points[team] += sum(worth.get(name[:-1], 0) for name in str(move).split()[2:])
    assert (tuple(points), tuple(tricks)) == (deal.points, deal.tricks)
    loser = min((0, 1), key=lambda team: points[team])
    if points[0] == points[1]:
        expected = [0, 0]
    else:
        award = 6 if not tricks[loser] else 4 if points[loser] <= 30 else 2
        expected = [award if team == loser else 0 for team in (0, 1)]
    assert list(loss(deal)) == expected


@given(seeds)
def test_a_trick_is_led_by_the_winner_of_the_last_and_beaten_card_by_card(seed: int) -> None:
    *_, deal = played(seed)
    trump = "CDHS"[deal.trump]
    leader = deal.pack.leader
    for trick in deal.tricks_done:
        assert trick.leader == leader or trick.recalled or trick.moves[0].cards.bit_count() == 4
        lead = trick.moves[0]
        assert len({name[-1] for name in str(lead).split()[2:]}) == 1
        stands = [NAMES[card] for card in cards_of(lead.cards)]
        for move in trick.moves[1:]:
            names = [NAMES[card] for card in cards_of(move.cards)]
            assert len(names) == len(stands)
            if move.verb is Verb.BEAT:
                # All or nothing (11): each card beats something, and each that stands is beaten.
                assert all(any(reference_beats(x, y, trump) for y in stands) for x in names)
                assert all(any(reference_beats(x, y, trump) for x in names) for y in stands)
                stands = names
        leader = trick.winner


def moves_of_the_alphabet(deal: Deal, rng: random.Random) -> set[Move]:
    """Every seat, verb and set of up to four cards out of the seat's own and three others; and nonsense."""
    moves: set[Move] = set()
    for seat in range(4):
        own = deal.hands[seat]
        others = [card for card in range(CARDS) if not own >> card & 1]
        pool = own | card_set(rng.sample(others, 3))
        sets = [0, pool, *[cards for size in range(1, 5) for cards in subsets(pool, size)]]
        moves.update([Move(seat, verb, cards) for verb in CARD_VERBS for cards in sets])
        for cards in (0, own, own & -own, 1 << rng.choice(others)):
            moves.update([Move(seat, Verb.MOLODKA, cards), Move(seat, Verb.DECLINE, cards)])
    for seat in (-1, 4, 99):
        moves.update([Move(seat, verb, cards) for verb in Verb for cards in (0, deal.hands[0])])
    moves.update([Move(seat, verb, cards) for seat in range(4) for verb in Verb for cards in (-1, 1 << 36)])
    return moves


def accepts(deal: Deal, move: Move) -> bool:
    try:
        play(deal, move)
    except IllegalMove:
        return False
    return True


@given(positions, st.randoms(use_true_random=False))
def test_the_legal_moves_are_exactly_what_play_accepts(deal: Deal, rng: random.Random) -> None:
    listed = legal_moves(deal)
    alphabet = moves_of_the_alphabet(deal, rng)
    assert len(set(listed)) == len(listed)
    assert alphabet.issuperset(listed)
    assert {move for move in alphabet if accepts(deal, move)} == set(listed)


@given(positions)
def test_somebody_can_always_move_until_the_deal_is_over(deal: Deal) -> None:
    moves = legal_moves(deal)
    assert bool(moves) is (deal.phase is not Phase.OVER)
    assert (deal.turn is None) is (deal.phase is Phase.OVER)
    if deal.turn is not None:
        assert legal_moves_of(deal, deal.turn)
    for seat in range(4):
        out_of_turn = [] if seat == deal.turn else legal_moves_of(deal, seat)
        assert out_of_turn in ([], [Move(seat, Verb.MOLODKA)])


@given(positions)
def test_a_move_adds_one_ply_and_leaves_the_state_before_it_alone(deal: Deal) -> None:
    before = everywhere(deal)
    for move in legal_moves(deal):
        assert play(deal, move).ply == deal.ply + 1
    assert everywhere(deal) == before


@given(positions)
def test_in_the_middle_of_a_deal_points_are_those_of_the_finished_tricks(deal: Deal) -> None:
    piles = [0, 0]
    for trick in deal.tricks_done:
        for move in trick.moves:
            piles[trick.winner % 2] |= move.cards
    assert deal.points == (points_of(piles[0]), points_of(piles[1]))


def test_with_all_sets_of_up_to_four_of_the_36_cards_too() -> None:
    """The whole alphabet, 200,000 sets and verbs a seat, for a lead, a reply and an offer."""
    everything = [0, *[cards for size in range(1, 5) for cards in subsets(FULL, size)]]
    wanted = {Phase.LEAD: 1, Phase.REPLY: 1, Phase.OFFER: 1}
    for seed in range(100):
        for deal in played(seed):
            if wanted.get(deal.phase, 0) and (deal.phase is not Phase.REPLY or deal.need == 2):
                wanted[deal.phase] -= 1
                accepted = {
                    move
                    for seat in range(4)
                    for verb in Verb
                    for cards in (everything if verb in CARD_VERBS else (0, 1, deal.hands[seat]))
                    if accepts(deal, move := Move(seat, verb, cards))
                }
                assert accepted == set(legal_moves(deal))
        if not any(wanted.values()):
            return
    raise AssertionError(f"not met: {wanted}")
