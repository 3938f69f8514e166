"""What every service call is given besides the database: the time, chance, and nothing global."""

import random
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Moment:
    """`now` is UTC. `rng` is the system's own randomness in service, seeded in tests."""

    now: datetime
    rng: random.Random
