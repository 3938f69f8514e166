"""What steady players pass face down and what they keep: how likely a hidden card lies in a certain place.

`goat tune --beliefs 20000 --seed 3` counted this. A row holds odds in hundredths, of the nine plain ranks and the
nine trumps, against a card of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from core.cards import FULL, CardSet, cards_of
from core.computer.playout import dealt
from core.computer.steady import Steady
from core.state import HAND, Pack

Odds: TypeAlias = tuple[float, ...]
"""For each of the 36 relabelled cards, relative to the likeliest: the chance to believe it when it is drawn."""

EARLY, MIDDLE, LATE = range(3)
_AGES: Final = 7


def stage_of(stock: int) -> int:
    """By the cards left in the stock before the trick."""
    return LATE if not stock else MIDDLE if stock < 12 else EARLY


def passing(friendly: bool, acted: int, stock: int, spare: int) -> int:
    """The row for passed cards. `friendly`: the passer's partner was winning; `acted`: how many had acted before
    him, 1..3; `spare`: how many cards he kept, 1..3."""
    place = 3 + acted - 2 if friendly else acted - 1
    return (place * 3 + stage_of(stock)) * 3 + spare - 1


def holding(ages: Iterable[int], stock: int) -> int:
    """The row for a hand. `ages`: of each card, in how many tricks it was not played."""
    return stage_of(stock) * _AGES + min(_AGES - 1, sum(ages))


def older(ages: tuple[int, ...], used: int, drawn: int) -> tuple[int, ...]:
    """The ages after a trick; which cards were played is not known, mostly the newest are."""
    return tuple([age + 1 for age in ages[: len(ages) - used]]) + (0,) * drawn


class Count:
    """How often cards came, and how often any unseen card would have."""

    def __init__(self, rows: int) -> None:
        self.came = [[0.0] * 18 for _ in range(rows)]
        self.expected = [[0.0] * 18 for _ in range(rows)]

    def add(self, row: int, cards: CardSet, unseen: CardSet) -> None:
        share = cards.bit_count() / unseen.bit_count()
        for card in cards_of(cards):
            self.came[row][_kind(card)] += 1
        for card in cards_of(unseen):
            self.expected[row][_kind(card)] += share

    def odds(self, row: int) -> list[float]:
        """A little drawn to 1, where little was seen."""
        return [
            (came + 5) / (expected + 5)
            for came, expected in zip(self.came[row], self.expected[row], strict=True)
        ]


def _kind(card: int) -> int:
    return card % 9 if card < 27 else card - 18


def count(packs: Iterable[Pack], player: Steady) -> tuple[Count, Count]:
    """Of what is passed and what is held, in deals among four such players."""
    passed, held = Count(45), Count(3 * _AGES)
    for pack in packs:
        position = dealt(pack)
        ages = (0,) * HAND
        while not position.over:
            for seat in position.claimants():
                if player.claims(position, seat):
                    position.claim(seat)
                    break
            unseen = FULL & ~position.seen
            hand = position.hands[position.turn]
            stock = len(position.stock) - position.top
            if not position.acted:
                for cards in position.hands:
                    if hidden := cards & unseen:
                        held.add(holding(ages, stock), hidden, unseen)
            option = player.best(position)
            spare = hand.bit_count() - option.cards.bit_count()
            if not option.face_up and spare:
                friendly = not (position.turn ^ position.best) & 1
                passed.add(passing(friendly, position.acted, stock, spare), option.cards, unseen)
            used = option.cards.bit_count()
            position.put(option.cards, option.face_up)
            if not position.acted:
                ages = older(ages, used, min(used, stock // 4))
    return passed, held


def show(name: str, counted: Count) -> str:
    """The table as it stands below."""
    rows = [
        " ".join([str(round(100 * one)) for one in counted.odds(row)]) for row in range(len(counted.came))
    ]
    return f'{name}: Final = _read("""\n' + "\n".join(rows) + '\n""")\n'


def _read(text: str) -> tuple[Odds, ...]:
    table = []
    for line in text.split("\n"):
        if line:
            odds = [int(number) for number in line.split()]
            most = max(odds)
            table.append(tuple([one / most for one in odds[:9] * 3 + odds[9:]]))
    return tuple(table)


PASSED: Final = _read("""
120 119 120 131 141 135 132 107 71 82 84 75 67 30 17 13 5 1
189 173 161 156 141 124 102 51 50 32 34 20 17 6 2 1 1 1
146 97 97 63 76 102 88 224 286 10 8 6 5 4 2 3 2 3
90 96 106 115 124 122 132 129 91 111 109 103 93 57 28 19 10 3
137 148 143 138 141 131 130 90 47 50 29 30 24 7 3 2 3 3
104 72 79 60 91 106 112 221 311 12 18 8 7 9 5 4 5 5
92 93 98 106 118 126 128 155 104 80 72 71 68 39 16 9 6 3
125 127 109 125 119 122 113 141 107 50 31 27 20 11 4 3 4 3
103 98 77 82 87 105 112 214 268 13 21 11 11 10 10 10 12 12
126 132 137 133 130 125 115 79 38 110 96 76 90 72 36 18 14 7
209 201 203 179 127 96 75 16 7 53 62 30 38 14 5 2 2 2
346 259 249 157 83 55 40 17 5 17 14 10 11 10 9 7 8 8
107 113 105 130 122 113 96 86 54 164 136 111 136 96 53 42 23 11
163 193 160 188 127 100 73 27 8 106 63 46 43 13 4 4 5 5
227 274 176 211 90 56 72 22 16 37 40 24 34 22 18 19 22 21
127 130 132 149 107 94 79 50 27 157 159 150 136 88 44 12 10 5
180 195 140 187 121 86 62 31 20 95 60 41 26 15 7 6 9 7
251 243 205 220 72 50 37 13 15 46 39 34 33 41 36 39 43 36
122 137 124 136 142 129 120 88 55 91 85 83 80 54 19 10 6 1
189 181 191 164 139 113 82 22 10 62 63 33 41 16 6 4 1 1
262 250 216 170 92 77 49 14 8 42 43 24 35 17 5 5 4 5
102 120 106 122 119 118 126 94 62 138 106 112 113 78 38 21 20 3
141 170 153 163 133 110 102 36 11 113 81 59 59 18 4 3 4 4
197 221 174 185 119 96 64 29 22 38 43 44 35 25 11 8 10 11
108 103 110 135 119 111 108 77 41 151 132 149 124 101 38 13 10 3
164 160 145 162 134 102 80 40 24 123 63 41 36 21 4 5 7 5
237 208 207 188 102 65 59 17 20 51 33 18 15 17 14 16 21 23
124 106 129 93 124 128 128 119 120 77 72 70 45 45 35 23 14 1
130 115 111 104 134 138 140 136 141 16 20 18 9 7 3 1 3 1
274 205 191 119 85 85 70 85 85 7 3 6 7 10 6 8 6 4
100 108 93 113 111 110 111 113 103 133 109 120 76 92 64 36 39 3
105 95 96 92 116 146 140 152 138 62 49 41 25 19 9 4 4 3
214 195 161 152 108 97 92 85 82 12 6 8 14 10 6 8 9 8
81 101 102 85 107 113 112 117 136 117 103 102 74 89 64 57 34 4
100 137 69 86 111 126 135 153 148 57 48 36 21 22 10 4 5 5
171 139 103 126 106 113 140 126 129 12 12 13 13 14 14 15 17 18
102 71 98 96 113 127 136 150 150 85 60 87 47 47 22 28 49 7
66 64 59 76 126 153 177 205 217 11 21 19 4 13 5 2 9 2
70 43 49 40 101 167 150 245 306 12 14 12 13 9 11 9 12 10
73 86 77 99 118 114 122 143 136 113 116 107 77 101 56 31 30 11
57 52 55 64 105 138 173 221 214 54 36 29 11 21 6 6 8 5
64 43 62 51 89 158 154 236 278 20 24 24 29 22 22 23 27 26
49 68 75 70 91 107 125 152 206 132 118 102 72 104 51 41 26 6
53 71 36 58 102 126 171 220 223 53 38 30 14 25 8 7 11 7
67 35 57 48 96 110 194 234 249 36 36 37 36 46 41 44 49 41
""")
"""By `passing`."""

HELD: Final = _read("""
103 103 103 103 103 103 102 103 103 92 90 90 92 92 92 92 91 92
100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100
83 85 89 91 94 96 100 110 111 113 110 113 114 116 122 118 115 114
86 92 92 101 104 102 108 106 106 107 108 102 99 102 103 106 92 85
100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100
100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100
78 84 88 98 103 103 108 106 101 119 115 115 108 110 116 114 92 88
99 99 97 98 97 96 100 100 95 104 106 107 108 103 107 109 104 103
83 89 86 91 86 85 89 101 112 112 114 111 114 129 137 136 141 146
84 88 83 87 84 86 88 96 106 115 108 120 130 136 144 150 152 148
100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100 100
73 81 79 88 89 91 97 107 108 127 125 130 134 136 141 143 138 139
69 84 83 88 91 97 101 109 105 127 123 124 126 126 134 133 124 116
66 80 78 89 94 97 103 106 98 133 130 132 133 134 137 137 124 125
91 94 96 96 96 100 97 91 91 113 110 112 117 120 114 119 131 125
73 72 78 73 79 77 81 102 111 134 137 127 163 158 163 177 209 223
74 75 83 83 82 86 89 99 109 116 128 130 132 144 160 165 170 183
73 74 78 80 79 80 83 95 109 117 124 132 142 156 180 189 193 206
56 54 66 64 63 69 74 98 123 126 149 160 186 211 275 303 303 352
53 56 68 65 70 72 79 102 120 142 161 176 202 208 256 279 274 313
59 65 69 74 80 83 89 103 109 151 160 170 180 188 199 204 200 207
""")
"""By `holding`."""
