"""A small network in plain Python: two layers of rectified sums over inputs of which most are nothing."""

from __future__ import annotations

from operator import mul

Row = list[float]

Inputs = tuple[list[int], list[float]]
"""Indices whose input is 1, and the numbers that follow all those."""


def sums(rows: list[Row], seen: Inputs, start: Row) -> Row:
    """What reaches each unit of the first layer. `rows`: the weights of each input; `start`: what is there already."""
    marks, numbers = seen
    offset = len(rows) - len(numbers)
    parts = [start]
    parts += [rows[mark] for mark in marks]
    for place, number in enumerate(numbers, offset):
        if number:
            parts.append([number * weight for weight in rows[place]])
    return [sum(column) for column in zip(*parts, strict=True)]


def result(reached: Row, second: list[Row], second_bias: Row, last: Row) -> float:
    """What both layers make of what reached the first. `second`: a row for each unit of the second layer."""
    first = [one if one > 0.0 else 0.0 for one in reached]
    total = 0.0
    for row, bias, weight in zip(second, second_bias, last, strict=True):
        unit = sum(map(mul, row, first)) + bias
        if unit > 0.0:
            total += unit * weight
    return total
