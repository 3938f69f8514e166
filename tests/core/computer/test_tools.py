"""The arena, the explainer and the tuner as commands."""

import argparse
import io
import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("deals", ["0", "-1", "many"])
def test_the_arena_says_what_is_wrong_with_a_number(deals: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(arena, "steady", "steady", f"--deals={deals}")
    assert f"'{deals}' is no whole number from 1 on" in capsys.readouterr().err


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


def test_every_legal_move_is_explained_from_the_seat_s_view(tmp_path: Path) -> None:
    record = played_record(12)
    deal = list(replay(record))[6]
    found = explain.explain(record, 6, 1)
    assert set(found.choices) == {"easy", "steady", "strong"}
    assert {one.move for one in found.worths} == {move for move in found.view.legal if move.cards}
    assert found.view.seat == deal.turn
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(record.to_json()))
    out = io.StringIO()
    assert explain.run(parsed(explain, str(file), "--ply", "6"), out) == 0
    assert out.getvalue().splitlines()[0].startswith(f"seat {deal.turn} holds ")


@pytest.mark.parametrize(("ply", "words"), [(99, "20 moves"), (20, "deal is over")])
def test_a_moment_that_is_not_in_the_record_is_refused_in_one_line(
    tmp_path: Path, ply: int, words: str
) -> None:
    record = played_record(12)
    assert isinstance(record, Record)
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(record.to_json()))
    err = io.StringIO()
    assert explain.run(parsed(explain, str(file), "--ply", str(ply)), io.StringIO(), err) == 1
    assert words in err.getvalue()
    assert err.getvalue().count("\n") == 1


def test_a_file_that_is_no_record_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text("{")
    err = io.StringIO()
    assert explain.run(parsed(explain, str(file), "--ply", "1"), io.StringIO(), err) == 1
    assert err.getvalue().count("\n") == 1


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


@pytest.mark.parametrize("words", ["--judge=19", "--judge=many", "--rounds=0", "--epochs=0", "--jobs=-1"])
def test_the_tuner_says_what_is_wrong_with_a_number(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(tune, words)
    assert "is no whole number from" in capsys.readouterr().err


def test_least_squares_finds_the_weights_that_made_the_data() -> None:
    system = [[4.0, 1.0, 9.0], [1.0, 3.0, 5.0]]
    assert learn.solve(system, ridge=0.0) == pytest.approx([2.0, 1.0])


def test_weights_that_make_no_sense_lose_on_duplicate_deals() -> None:
    careless = Steady(TUNED._replace(will=0.0, will_point=0.0, lead=60.0))
    deals = packs(3, 150)
    assert sum(margin(pack, STEADY, careless) for pack in deals) / len(deals) > 3
