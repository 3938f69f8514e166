"""Numbers on the command line: what is wrong with one is said in a line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import inf


def at_least(least: int, most: int = 10**9) -> Callable[[str], int]:
    """For argparse: a whole number from there on, up to the most (19 digits)."""

    def parse(text: str) -> int:
        if not (text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number from {least} to {most}")
        return int(text)

    return parse


def positive(text: str) -> float:
    """For argparse: a number above 0, not infinite."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number above 0")
    return number
