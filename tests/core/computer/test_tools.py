"""The arena, the explainer and the tuner as commands."""

import argparse
import io
import json
from pathlib import Path

import pytest

from core.cards import show_cards
from core.computer import arena, explain, learn, tune
from core.computer.selfplay import margin, packs
from core.computer.steady import STEADY, Steady
from core.computer.weights import TUNED
from core.record import Record, replay
from tests.core.scenes import played_record


def parsed(module: object, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    return parser.parse_args(words)


def test_a_player_against_itself_is_a_draw_on_duplicate_deals() -> None:
    out = io.StringIO()
    assert arena.run(parsed(arena, "steady", "steady", "--deals", "30"), out) == 0
    lines = out.getvalue().splitlines()
    assert lines[0] == "steady against steady: 30 packs, each played both ways"
    assert lines[1].split()[3:6] == ["+0.00", "±", "0.00"]


@pytest.mark.parametrize("deals", ["0", "-1", "many", "10000001"])
def test_the_arena_says_what_is_wrong_with_a_number(deals: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(arena, "steady", "steady", f"--deals={deals}")
    assert f"'{deals}' is no whole number from 1 to 10000000" in capsys.readouterr().err


def test_the_arena_does_not_depend_on_how_the_work_is_cut() -> None:
    whole = arena.play_chunk("easy", "rules", 3, 0, 8)
    halves = [arena.play_chunk("easy", "rules", 3, first, 4) for first in (0, 4)]
    assert whole.played == halves[0].played + halves[1].played


def test_steady_is_clearly_better_than_easy() -> None:
    played = arena.play_chunk("steady", "easy", 11, 0, 80).played
    assert sum(sum(one.points) for one in played) / 160 > 5


def test_series_are_counted_once_for_each_way_round() -> None:
    lost = arena.Played((10, -10), (0, 6), (6, 0))
    assert arena.series_won([lost] * 4) == (2, 4)


def test_the_arena_says_the_same_by_several_processes() -> None:
    out = [io.StringIO(), io.StringIO()]
    for jobs, one in enumerate(out, 1):
        arena.run(parsed(arena, "easy", "rules", "--deals", "30", "--jobs", str(jobs)), one)
    plain, spread = [[line for line in one.getvalue().splitlines() if "CPU" not in line] for one in out]
    assert plain == spread


def explained(words: str, text: str | bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Status, output and errors of `goat explain - ...` with that standard input."""
    found = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(found)))
    out, err = io.StringIO(), io.StringIO()
    status = explain.run(parsed(explain, "-", *words.split()), out, err)
    return status, out.getvalue(), err.getvalue()


def written(record: Record, **changes: object) -> str:
    return json.dumps(record.to_json() | changes)


def test_every_legal_move_is_explained_from_the_seat_s_view(tmp_path: Path) -> None:
    record = played_record(12)
    deal = list(replay(record))[6]
    found = explain.explain(explain.deal_at(record.to_json(), 6), 1)
    assert set(found.choices) == {"easy", "steady", "strong"}
    assert {one.move for one in found.worths} == {move for move in found.view.legal if move.cards}
    assert found.view.seat == deal.turn
    file = tmp_path / "deal.json"
    file.write_text(written(record))
    out = io.StringIO()
    assert explain.run(parsed(explain, str(file), "--ply", "6"), out) == 0
    assert out.getvalue().splitlines()[0].startswith(f"seat {deal.turn} holds ")


def test_any_record_of_many_can_be_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """`goat records` writes a line for each deal."""
    records = [played_record(seed) for seed in (12, 13)]
    lines = "\n".join(map(written, records))
    for number, record in enumerate(records, 1):
        deal = list(replay(record))[3]
        assert deal.turn is not None
        status, told, _ = explained(f"--ply 3 --record {number}", lines, monkeypatch)
        assert status == 0
        assert told.startswith(f"seat {deal.turn} holds {show_cards(deal.hands[deal.turn])}\n")
    assert "holds only 2" in explained("--ply 3 --record 3", lines, monkeypatch)[2]


@pytest.mark.parametrize(
    ("ply", "words"), [(99, "20 moves: ply must be from 0 to 20"), (-1, "from 0 to 20"), (20, "deal is over")]
)
def test_a_moment_that_is_not_in_the_record_is_refused_in_one_line(
    ply: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, told, line = explained(f"--ply {ply}", written(played_record(12)), monkeypatch)
    assert (status, told, line.count("\n")) == (1, "", 1)
    assert words in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no record"),
        ("{", "no JSON"),
        ("[" * 200_000, "nested too deep"),
        (b"\xff", "not UTF-8"),
        ("9" * 5000, "not a number"),
        ("[]", "a record is a JSON object"),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(
    text: str | bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, told, line = explained("--ply 1", text, monkeypatch)
    assert (status, told, line.count("\n")) == (1, "", 1)
    assert line.startswith("goat explain: -: ")
    assert words in line


def test_a_record_may_begin_with_a_byte_order_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    assert explained("--ply 1", "\ufeff" + written(played_record(12)), monkeypatch)[0] == 0


def test_only_a_wrong_move_before_the_moment_is_refused_and_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played_record(12)
    moves = [str(move) for move in record.moves]
    for wrong in ("garbage", moves[0]):
        text = written(record, moves=[*moves[:4], wrong, *moves[5:]])
        assert explained("--ply 4", text, monkeypatch)[0] == 0
        assert explained("--ply 5", text, monkeypatch)[2].startswith("goat explain: -: move 5: ")


def test_a_closed_standard_input_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    err = io.StringIO()
    assert explain.run(parsed(explain, "-", "--ply", "1"), io.StringIO(), err) == 1
    assert err.getvalue() == "goat explain: -: standard input is closed\n"


def test_the_tuner_prints_weights_as_they_stand_in_the_code() -> None:
    out = io.StringIO()
    assert tune.run(parsed(tune, "--rounds", "1", "--deals", "1"), out) == 0
    assert "TUNED: Final = Weights(\n    will=" in out.getvalue()


def test_the_tuner_prints_values_as_they_stand_in_the_code() -> None:
    out = io.StringIO()
    assert tune.run(parsed(tune, "--values", "4"), out) == 0
    assert out.getvalue().count('Final = _read("""') == 2


def test_the_tuner_prints_beliefs_as_they_stand_in_the_code() -> None:
    out = io.StringIO()
    assert tune.run(parsed(tune, "--beliefs", "4"), out) == 0
    assert out.getvalue().count('Final = _read("""') == 2


def test_a_judge_is_not_taught_without_numpy_and_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tune, "find_spec", lambda name: None)
    out, err = io.StringIO(), io.StringIO()
    assert tune.run(parsed(tune, "--judge", "20"), out, err) == 1
    assert out.getvalue() == ""
    assert "numpy" in err.getvalue()
    assert "`make setup`" in err.getvalue()
    assert err.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "--judge=19",
        "--judge=many",
        "--rounds=0",
        "--epochs=0",
        "--jobs=-1",
        "--jobs=1000",
        "--deals=0",
        "--values=0",
        "--beliefs=-1",
        f"--deals={'9' * 5000}",
    ],
)
def test_the_tuner_says_what_is_wrong_with_a_number(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(tune, words)
    assert "is no whole number from" in capsys.readouterr().err


@pytest.mark.parametrize("step", ["0", "-1", "nan", "inf", "much"])
def test_a_step_of_the_tuner_has_a_size(step: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(tune, f"--step={step}")
    assert "is no number above 0" in capsys.readouterr().err


def test_the_tuner_does_one_thing_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(tune, "--values=9", "--judge=20")
    assert "not allowed with" in capsys.readouterr().err


def test_least_squares_finds_the_weights_that_made_the_data() -> None:
    system = [[4.0, 1.0, 9.0], [1.0, 3.0, 5.0]]
    assert learn.solve(system, ridge=0.0) == pytest.approx([2.0, 1.0])


def test_weights_that_make_no_sense_lose_on_duplicate_deals() -> None:
    careless = Steady(TUNED._replace(will=0.0, will_point=0.0, lead=60.0))
    deals = packs(3, 150)
    assert sum(margin(pack, STEADY, careless) for pack in deals) / len(deals) > 3
