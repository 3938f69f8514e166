"""The house rules of a series: chosen before it starts, frozen afterwards."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from core.errors import RecordError

SERIES_LENGTHS = (6, 8, 12, 16, 24)


@dataclass(frozen=True, slots=True)
class Rules:
    """All of them off is the game as docs/rules.md tells it.

    `series_length` in loss points; `open_passes`: passed cards lie face up; `balls_doubled`: the next
    decisive deal after a 60-60 counts double; `molodka`: whether one may be declared at all.
    """

    series_length: int = 12
    open_passes: bool = False
    balls_doubled: bool = False
    molodka: bool = True

    def __post_init__(self) -> None:
        """Raises RecordError(bad_rules)."""
        if type(self.series_length) is not int or self.series_length not in SERIES_LENGTHS:
            raise RecordError("bad_rules", f"series_length must be one of {SERIES_LENGTHS}")
        for name in ("open_passes", "balls_doubled", "molodka"):
            if type(getattr(self, name)) is not bool:
                raise RecordError("bad_rules", f"{name} must be true or false")

    @classmethod
    def from_json(cls, value: object) -> Rules:
        """Reads a record's `rules`. Unknown keys are ignored, absent ones are the default.

        Raises RecordError(bad_rules) for anything but an object, and for a known key of a wrong type.
        """
        if not isinstance(value, dict):
            raise RecordError("bad_rules", "rules must be an object")
        return cls(**{field.name: value[field.name] for field in fields(cls) if field.name in value})

    def to_json(self) -> dict[str, object]:
        return asdict(self)
