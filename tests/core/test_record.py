"""The text record: there and back again."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.deal import Move, Phase, legal_moves
from core.errors import GoatError, NotationError, RecordError
from core.record import Record, final, replay, snapshot
from core.rules import Rules
from tests.core.scenes import pack_of, records

HANDS = ["6C 7C 8C JD", "6D 7D 8D 9D", "6H 7H 8H 9H", "JC JH JS QS"]
RECORD = Record(pack_of(HANDS), moves=(Move.parse("0 lead 6C 7C"), Move.parse("1 pass 6D 9D")))

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(records)
def test_record_to_replay_to_record_is_the_identity(record: Record) -> None:
    written = json.dumps(record.to_json())
    read = Record.from_json(json.loads(written))
    assert read == record
    assert json.dumps(read.to_json()) == written
    states = list(replay(read))
    assert states[-1] == final(record)
    # A state tells the moves that led to it: the finished tricks, what was taken back, and what lies there.
    told = [move for trick in states[-1].tricks_done for move in (*trick.recalled, *trick.moves)]
    told += [*states[-1].recalled, *states[-1].table]
    spoken = [move for move in record.moves if move.cards]
    assert [move for move in told if move in spoken] == spoken


def test_it_is_written_as_record_md_says() -> None:
    written = RECORD.to_json()
    assert list(written) == ["format", "deck", "indicator", "dealer", "leader", "moves"]
    assert written["format"] == "goat-deal/1"
    assert written["moves"] == ["0 lead 6C 7C", "1 pass 6D 9D"]
    assert str(written["deck"]).startswith("6C 6D 6H JC 7C 7D 7H JH ")


def test_the_deal_in_the_docs_is_a_whole_one() -> None:
    text = (Path(__file__).parents[2] / "docs" / "deal.json").read_text(encoding="utf-8")
    assert final(Record.from_json(json.loads(text))).phase is Phase.OVER


def test_house_rules_and_unknown_keys_are_kept() -> None:
    value = RECORD.to_json() | {"rules": {"molodka": False}, "seed": "ab", "players": ["a", None], "x": 1}
    record = Record.from_json(value)
    assert record.rules == Rules(molodka=False)
    assert record.extra == {"seed": "ab", "players": ["a", None], "x": 1}
    assert Record.from_json(record.to_json()) == record


def refusal(value: object) -> GoatError:
    with pytest.raises(GoatError) as refused:
        Record.from_json(value)
    return refused.value


DECK = str(RECORD.to_json()["deck"])


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("unknown_format", {"format": "goat-deal/2"}),
        ("unknown_format", {"format": None}),
        ("unknown_format", {"format": ["goat-deal/1"]}),
        ("bad_deck", {"deck": DECK[3:]}),
        ("bad_deck", {"deck": DECK + " 6C"}),
        ("bad_deck", {"deck": "6C " + DECK[3:].replace("6D", "6C")}),
        ("bad_deck", {"deck": DECK.replace("6C", "6X")}),
        ("bad_deck", {"deck": DECK.lower()}),
        ("bad_deck", {"deck": DECK.split(" ")}),
        ("bad_deck", {"deck": None}),
        ("bad_indicator", {"indicator": 20}),
        ("bad_indicator", {"indicator": -1}),
        ("bad_indicator", {"indicator": 1.0}),
        ("bad_indicator", {"indicator": "1"}),
        ("bad_indicator", {"indicator": 10**400}),
        ("bad_dealer", {"dealer": True}),
        ("bad_dealer", {"dealer": 4}),
        ("bad_dealer", {"dealer": None}),
        ("bad_leader", {"leader": False}),
        ("bad_leader", {"leader": [0]}),
        ("bad_rules", {"rules": None}),
        ("bad_moves", {"moves": None}),
        ("bad_moves", {"moves": "0 lead 6C"}),
        ("bad_moves", {"moves": {"0": "0 lead 6C"}}),
        ("bad_move", {"moves": [1]}),
        ("bad_move", {"moves": [["0", "lead", "6C"]]}),
        ("bad_move", {"moves": ["0 shout 6C"]}),
        ("duplicate_card", {"moves": ["0 lead 6C 6C"]}),
    ],
)
def test_a_record_of_a_wrong_kind_is_refused(code: str, change: dict[str, object]) -> None:
    error = refusal(RECORD.to_json() | change)
    assert error.code == code
    assert isinstance(error, RecordError | NotationError)


@pytest.mark.parametrize("key", ["format", "deck", "indicator", "dealer", "leader", "moves"])
def test_every_key_but_the_optional_ones_must_be_there(key: str) -> None:
    value = RECORD.to_json()
    del value[key]
    assert refusal(value).code == ("unknown_format" if key == "format" else "missing_key")


@given(json_values)
def test_no_json_value_raises_anything_but_a_typed_error(value: object) -> None:
    with pytest.raises(RecordError):
        Record.from_json(value)


@given(
    records,
    st.sampled_from(["format", "deck", "indicator", "dealer", "leader", "moves", "rules"]),
    json_values,
)
def test_a_record_with_one_value_replaced_is_read_or_refused(record: Record, key: str, value: object) -> None:
    try:
        read = Record.from_json(record.to_json() | {key: value})
    except (RecordError, NotationError):
        return
    assert read.to_json()[key if key != "rules" else "format"] is not None


@given(records)
def test_a_snapshot_has_its_keys_in_order_and_over_the_result(record: Record) -> None:
    keys = ["ply", "phase", "turn", "trump", "need", "hands", "stock", "table", "best", "tricks", "points"]
    for deal in replay(record):
        over = ["loss", "next_leader"] if deal.phase is Phase.OVER else []
        assert list(snapshot(deal)) == keys + over
        with_legal = snapshot(deal, legal=True)
        assert list(with_legal) == [*keys, *over, "legal"]
        assert with_legal["legal"] == sorted(str(move) for move in legal_moves(deal))


def test_a_records_repr_names_no_card() -> None:
    assert repr(RECORD) == "<Record 2 moves>"
