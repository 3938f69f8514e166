"""Goat as a process to be pressed that tells, at its end, how long its strong players took: `thoughtful FILE`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from core.moves import Move
from tgbot.bench import goat
from tgbot.services.deals import Question
from tgbot.thinker import Thinker


@dataclass(slots=True)
class Told:
    """`answered`: milliseconds from the question to the answer, waiting for others included; `missed`: questions
    that were not answered in time."""

    answered: list[float] = field(default_factory=list)
    missed: int = 0


class Timed(Thinker):
    def __init__(self, told: Told) -> None:
        super().__init__()
        self._told = told

    async def think(self, questions: Sequence[Question], seconds: float) -> dict[Question, Move | None]:
        begun = perf_counter()
        thoughts = await super().think(questions, seconds)
        if len(thoughts) == len(questions):
            self._told.answered += [1000 * (perf_counter() - begun)] * bool(questions)
        else:
            self._told.missed += 1
        return thoughts


def main(file: Path) -> None:
    told = Told()
    goat.main(lambda: Timed(told))
    file.write_text(json.dumps(asdict(told)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
