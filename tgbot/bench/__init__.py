"""`goat bench`: what goat costs, each figure beside a yardstick that is measured in turns with it.

Every part is a module here with `run(options: Options) -> Report`, imported only when it runs; `report` has both.
"""

PARTS = {
    "press": "throughput and delay of button presses, from HTTP to the commit",
    "calls": "calls to Telegram a move, and how many tables one token holds",
    "engine": "random deals by the rules alone, on one core",
    "start": "the time to the first press answered, and memory",
    "thinking": "computer players, and the webhook while fifty tables of strong ones think",
    "profile": "where the time of a move goes",
    "growth": "the same acts on a small database and on one that has seen years",
}
