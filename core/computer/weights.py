"""What the steady player weighs. All values are card points unless said otherwise."""

from __future__ import annotations

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """`will`, `will_point`: how willingly an opponent who can beat does, and more for each point that lies
    there. `rescue`: how often a partner takes back what an opponent took, as a factor of the chance that he
    could have beaten ours; `again`: the opponent's chance after that. `fat`, `lean`: the points of a card
    passed on a partner's or an opponent's trick. `trick`, `lead`: what a trick for the team, and leading the
    next one oneself, is worth beside that. `kept`: factor of what is kept (`core.computer.values`). `claim`:
    how much a molodka must gain after the lead; `claim_early`: how much it must be worth before it.
    """

    will: float = 0.6
    will_point: float = 0.03
    rescue: float = 0.8
    again: float = 0.5
    fat: float = 5.0
    lean: float = 1.5
    trick: float = 1.0
    lead: float = 2.0
    kept: float = 1.0
    claim: float = 0.0
    claim_early: float = 0.0


TUNED: Final = Weights()
"""Set by hand. `goat tune --rounds 60 --deals 100 --step 0.3` went nowhere from here (-1.0 to +0.5 points a deal), and
no single weight, changed by a half, gained more than chance over 3,000 duplicate deals."""
