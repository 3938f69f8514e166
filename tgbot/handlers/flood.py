"""How many presses and commands of one person are taken: enough for anybody who plays, too few to drown a table."""

from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rate:
    """`a_second` in the long run, `burst` at once."""

    a_second: float = 5.0
    burst: float = 20.0


@dataclass(slots=True)
class Flood:
    """A token bucket for each person, in this process. Times are seconds of one monotonic clock."""

    rate: Rate = Rate()
    most: int = 10_000
    _left: OrderedDict[int, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, person: int, now: float) -> bool:
        """False when this one is too many. Who was not heard of for longest is forgotten first."""
        left, at = self._left.pop(person, (self.rate.burst, now))
        left = min(self.rate.burst, left + (now - at) * self.rate.a_second)
        taken = left >= 1.0
        self._left[person] = (left - 1.0 if taken else left, now)
        if len(self._left) > self.most:
            self._left.popitem(last=False)
        return taken
