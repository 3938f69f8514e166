"""A choice among a hand's cards as a small number: bit i stands for the i-th card of the sorted hand."""

from core.cards import CardSet, card_set, cards_of


def chosen(hand: CardSet, mask: int) -> CardSet:
    """Bits beyond the hand stand for nothing."""
    return card_set(card for bit, card in enumerate(cards_of(hand)) if mask >> bit & 1)
