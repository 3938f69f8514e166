"""`goat replay`: golden answers, and what files from elsewhere may hold."""

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.deal import legal_moves, play, start
from core.record import Record, replay, snapshot
from core.replay import run
from tests.core.scenes import pack_of, records
from tests.core.test_record import json_values

HANDS = ["6C 7C 8C JD", "6D 7D 8D 9D", "6H 7H 8H 9H", "JC JH JS QS"]
PACK = pack_of(HANDS, stock="10C 10D 10H 10S")

GOLDEN = [
    '{"ply":0,"phase":"lead","turn":0,"trump":"S","need":0,'
    '"hands":["6C 7C 8C JD","6D 7D 8D 9D","6H 7H 8H 9H","JC JH JS QS"],"stock":20,"table":[],"best":null,'
    '"tricks":[0,0],"points":[0,0]}',
    '{"ply":1,"phase":"reply","turn":1,"trump":"S","need":1,'
    '"hands":["6C 7C 8C","6D 7D 8D 9D","6H 7H 8H 9H","JC JH JS QS"],"stock":20,"table":["0 lead JD"],"best":0,'
    '"tricks":[0,0],"points":[0,0]}',
    '{"ply":2,"phase":"offer","turn":1,"trump":"S","need":1,'
    '"hands":["6C 7C 8C","6D 7D 8D 9D","6H 7H 8H 9H","JC JH JS QS"],"stock":20,"table":["0 lead JD"],"best":0,'
    '"tricks":[0,0],"points":[0,0]}',
    '{"ply":3,"phase":"reply","turn":3,"trump":"S","need":4,'
    '"hands":["6C 7C 8C JD","6D 7D 8D 9D","","JC JH JS QS"],"stock":20,"table":["2 lead 6H 7H 8H 9H"],"best":2,'
    '"tricks":[0,0],"points":[0,0]}',
    '{"ply":4,"phase":"reply","turn":0,"trump":"S","need":4,'
    '"hands":["6C 7C 8C JD","6D 7D 8D 9D","",""],"stock":20,'
    '"table":["2 lead 6H 7H 8H 9H","3 pass JC JH JS QS"],"best":2,"tricks":[0,0],"points":[0,0]}',
]
MOVES = ["0 lead JD", "2 molodka", "1 decline", "3 pass QS JS JH JC"]


def text_of(moves: list[Any], **changes: Any) -> str:
    return json.dumps(Record(PACK).to_json() | {"moves": moves} | changes)


def goat_replay(stdin: bytes | str = b"", *paths: str, legal: bool = False) -> tuple[list[str], int, str]:
    """Output lines, exit status, stderr."""
    given_bytes = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = io.StringIO(), io.StringIO()
    status = run(paths or ["-"], legal, io.BytesIO(given_bytes), out, err)
    assert out.getvalue() == "" or out.getvalue().endswith("\n")
    return out.getvalue().split("\n")[:-1], status, err.getvalue()


def errors(lines: list[str]) -> list[tuple[int, str]]:
    return [(line["ply"], line["error"]) for line in map(json.loads, lines) if "error" in line]


def test_every_state_is_a_line_of_compact_json_with_the_keys_in_order() -> None:
    assert goat_replay(text_of(MOVES)) == (GOLDEN, 0, "")


def test_with_legal_the_line_ends_with_every_legal_move_of_every_seat_sorted_as_strings() -> None:
    lines, status, _ = goat_replay(text_of(MOVES[:3]), legal=True)
    assert status == 0
    expected = [
        '["0 lead 6C","0 lead 6C 7C","0 lead 6C 7C 8C","0 lead 6C 8C","0 lead 7C","0 lead 7C 8C","0 lead 8C",'
        '"0 lead JD","1 molodka","2 molodka"]',
        '["1 molodka","1 pass 6D","1 pass 7D","1 pass 8D","1 pass 9D","2 molodka"]',
        '["1 decline","1 molodka"]',
        '["3 pass JC JH JS QS"]',
    ]
    assert lines == [
        f'{line[:-1]},"legal":{moves}}}' for line, moves in zip(GOLDEN[:4], expected, strict=True)
    ]


def test_the_end_of_a_deal_tells_loss_and_next_leader_before_the_legal_moves() -> None:
    whole = json.dumps(WHOLE.to_json())
    lines, status, _ = goat_replay(whole, legal=True)
    assert status == 0
    assert lines[-1] == (
        '{"ply":12,"phase":"over","turn":null,"trump":"S","need":0,"hands":["","","",""],"stock":0,"table":[],'
        '"best":null,"tricks":[3,0],"points":[120,0],"loss":[0,6],"next_leader":0,"legal":[]}'
    )
    moves = WHOLE.to_json()["moves"]
    assert isinstance(moves, list)
    after_the_end = json.dumps(WHOLE.to_json() | {"moves": [*moves, "0 lead 6C"]})
    assert errors(goat_replay(after_the_end)[0]) == [(12, "deal_over")]


def whole_deal() -> Record:
    """Three tricks of four, four and one: seat 0 leads a whole suit each time and nobody can beat it."""
    hands = ["JS QS KS AS", "6C 7D 8H 6D", "7C 8D 9H 6H", "8C 9D JH 7H"]
    stock = "6S 9C JD KH 7S JC QD 10H 8S QC KD AH 9S KC 10D QH 10S 10C AD AC"
    deal = start(pack_of(hands, stock=stock))
    moves = []
    while deal.turn is not None:
        own = [move for move in legal_moves(deal) if move.seat == deal.turn and move.verb in ("lead", "pass")]
        moves.append(max(own, key=lambda move: (move.cards.bit_count(), move.cards)))
        deal = play(deal, moves[-1])
    return Record(deal.pack, moves=tuple(moves))


WHOLE = whole_deal()


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("1 pass 6D 7D", "wrong_count"),
        ("1 beat 6D", "does_not_beat"),
        ("1 pass 6C", "not_your_cards"),
        ("2 pass 6H", "not_your_turn"),
        ("1 lead 6D", "already_led"),
        ("1 decline", "not_asked"),
        ("3 molodka", "no_molodka"),
        ("1 shout 6D", "bad_move"),
        ("1 pass 6d", "bad_card"),
        ("1 pass 6D 6D", "duplicate_card"),
        ("\ud800", "bad_move"),
        ("1 pass \ud800", "bad_card"),
        ("١ pass 6D", "bad_move"),
        ("", "bad_move"),
        (None, "bad_move"),
        (17, "bad_move"),
        (["1 pass 6D"], "bad_move"),
    ],
)
def test_a_bad_move_comes_after_the_good_ones_and_stops_its_record_only(bad: Any, code: str) -> None:
    lines, status, err = goat_replay(text_of([MOVES[0], bad, MOVES[1]]) + "\n" + text_of(MOVES))
    assert lines[:2] == GOLDEN[:2]
    line = json.loads(lines[2])
    assert list(line) == ["ply", "error", "message"]
    assert (line["ply"], line["error"]) == (1, code)
    assert line["message"]
    assert lines[3:] == GOLDEN
    assert (status, err) == (1, "")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"{", "bad_json"),
        (b"nonsense", "bad_json"),
        (b"\xff\xfe{\x00}\x00", "bad_json"),
        (b'{"format": "\xc3\x28"}', "bad_json"),
        (b'{"format": NaN}', "bad_json"),
        (b'{"format": -Infinity}', "bad_json"),
        (b'{"format": ' + b"9" * 5000 + b"}", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "bad_json"),
        (b"\x00", "bad_json"),
        (b"[]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'"goat-deal/1"', "not_an_object"),
        (b"{}", "unknown_format"),
        (b'{"format": "goat-deal/2"}', "unknown_format"),
        (b'{"format": "goat-deal/1"}', "missing_key"),
        (text_of([], deck="6C").encode(), "bad_deck"),
        (text_of([], indicator=20).encode(), "bad_indicator"),
        (text_of([], dealer=True).encode(), "bad_dealer"),
        (text_of([], leader="0").encode(), "bad_leader"),
        (text_of([], rules=[]).encode(), "bad_rules"),
        (text_of([], rules={"series_length": 13}).encode(), "bad_rules"),
        (text_of([]).replace('"moves": []', '"moves": "0 lead JD"').encode(), "bad_moves"),
    ],
)  # fmt: skip
def test_a_record_that_can_not_be_read_is_one_error_at_ply_0(text: bytes, code: str) -> None:
    for stdin in (text, text + b"\n" + text_of(MOVES).encode(), text_of(MOVES).encode() + b"\n" + text):
        lines, status, err = goat_replay(stdin)
        assert errors(lines) == [(0, code)]
        assert [line for line in lines if "error" not in line] == (GOLDEN if len(stdin) > len(text) else [])
        assert (status, err) == (1, "")
        assert all(line.isascii() for line in lines)


def test_lines_blank_lines_crlf_and_a_byte_order_mark_are_read() -> None:
    one = text_of(MOVES)
    assert goat_replay(f"\ufeff\n\r\n  {one}\r\n \t\n{one}")[0] == GOLDEN * 2
    assert goat_replay("")[:2] == ([], 0)
    assert goat_replay(" \n\n")[:2] == ([], 0)


def test_only_a_line_feed_ends_a_line() -> None:
    note = text_of(MOVES, note="a\u2028b\x85c").encode().decode("unicode_escape")
    assert goat_replay(note)[0] == GOLDEN


def test_one_object_may_spread_over_many_lines() -> None:
    pretty = json.dumps(json.loads(text_of(MOVES)), indent=2)
    assert goat_replay(f"\n{pretty}\n\n")[0] == GOLDEN
    assert errors(goat_replay(pretty[:-1])[0]) == [(0, "bad_json")]
    assert errors(goat_replay(pretty.replace('"goat-deal/1"', "goat"))[0]) == [(0, "bad_json")]


def test_broken_lines_are_counted_one_by_one() -> None:
    good = text_of(MOVES)
    lines, status, _ = goat_replay(f"{good[:50]}\n{good[:-1]}\n{good}\nx\n")
    assert errors(lines) == [(0, "bad_json")] * 3
    assert [line for line in lines if "error" not in line] == GOLDEN
    assert status == 1
    assert errors(goat_replay("x\ny\n")[0]) == [(0, "bad_json")] * 2


def test_house_rules_and_unknown_keys_of_a_record() -> None:
    moves = [*MOVES[:2], "0 lead 6C"]
    lines, _, _ = goat_replay(text_of(moves, rules={"molodka": False, "colour": "red"}, colour={"a": [None]}))
    assert errors(lines) == [(1, "molodka_off")]


def test_files_are_read_in_order_and_an_unreadable_one_costs_a_line_on_stderr(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(text_of(MOVES))
    missing, folder = str(tmp_path / "missing"), str(tmp_path)
    lines, status, err = goat_replay(text_of([]), str(good), missing, "-", folder, str(good), "no\0name")
    assert lines == [*GOLDEN, GOLDEN[0], *GOLDEN]
    assert status == 1
    assert [line.split(": ")[1] for line in err.splitlines()] == [missing, folder, "no\0name"]
    assert "Traceback" not in err


def test_a_reader_who_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text((text_of(MOVES) + "\n") * 3000)
    program = (
        "import sys; from core.replay import run;"
        "sys.exit(run([sys.argv[1]], False, sys.stdin, sys.stdout, sys.stderr))"
    )
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": root},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().decode() == GOLDEN[0] + "\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0


def test_a_record_is_answered_before_the_next_one_comes() -> None:
    class Conversation(io.BytesIO):
        answered: list[int]

        def readline(self, size: int | None = -1, /) -> bytes:
            self.answered.append(out.getvalue().count("\n"))
            return super().readline(size)

        def __next__(self) -> bytes:
            line = self.readline()
            if not line:
                raise StopIteration
            return line

    out = io.StringIO()
    stdin = Conversation((text_of(MOVES) + "\n").encode() * 3)
    stdin.answered = []
    run(["-"], False, stdin, out, io.StringIO())
    assert stdin.answered == [0, 5, 10, 15]


def checked(lines: list[str], status: int, err: str) -> None:
    assert status in (0, 1)
    assert err == ""
    failed = False
    for line in lines:
        assert line.isascii()
        value = json.loads(line)
        failed = failed or "error" in value
        assert list(value) == ["ply", "error", "message"] or list(value)[:3] == ["ply", "phase", "turn"]
    assert status == (1 if failed else 0)


@given(records)
def test_it_prints_what_the_engine_replays(record: Record) -> None:
    lines, status, _ = goat_replay(json.dumps(record.to_json()), legal=True)
    states = [json.loads(json.dumps(snapshot(deal, legal=True))) for deal in replay(record)]
    assert [json.loads(line) for line in lines] == states
    assert status == 0


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_whatever_raise_anything(stdin: bytes) -> None:
    checked(*goat_replay(stdin))


@given(records, st.data())
def test_no_change_to_a_record_raises_anything(record: Record, data: st.DataObject) -> None:
    value = record.to_json()
    moves = value["moves"]
    assert isinstance(moves, list)
    if data.draw(st.booleans()):
        moves.insert(data.draw(st.integers(0, len(moves))), data.draw(json_values))
    if data.draw(st.booleans()):
        value[data.draw(st.sampled_from(sorted(value)))] = data.draw(json_values)
    text = bytearray(json.dumps(value).encode())
    for _ in range(data.draw(st.integers(0, 2))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    checked(*goat_replay(bytes(text), legal=data.draw(st.booleans())))


def test_each_of_several_broken_lines_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"format":"goat\n{"format":"go\n{"for\n')
    out, err = io.StringIO(), io.StringIO()
    assert run([str(broken)], False, None, out, err) == 1
    assert [json.loads(line)["error"] for line in out.getvalue().splitlines()] == ["bad_json"] * 3


def test_a_closed_standard_input_is_told_in_a_line() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert run(["-"], False, None, out, err) == 1
    assert err.getvalue() == "goat replay: -: standard input is closed\n"


class Full(io.StringIO):
    """A file on a full disk."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_once_and_ends_the_work() -> None:
    source, err = io.BytesIO(b"{}\n{}\n{}\n"), io.StringIO()
    assert run(["-", "no such file"], False, source, Full(), err) == 1
    assert err.getvalue() == "goat replay: standard output: No space left on device\n"
