"""Records of games: written, read back, replayed; and what is said of those that are damaged or of another game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from bdgame_env.records.game_record import FORFEITED, BadRecord, Ending, GameRecord, RecordedMove
from tests.support.decks import with_hopper_at
from tests.support.toy_game import GAME as TOY

TEXT = """\
# game record 2
# toy-v1 {"max_rounds": 3, "players": 2, "rolling": false, "target": 8}
# seed 7; cards 00000000
# seats ["Ann", "mcts:sims=8"]
# decision, seat, move, number of legal moves, remarks
  1 0 draw  (2)
  2 0 take keep  (2)
  3 1 pass  (2)  {"value": 0.25, "visits": {"draw": 3, "pass": 5}}
"""


def played(game: Game, decisions: int, **options: Any) -> tuple[GameRecord, Match]:
    """A record of the first decisions of a game of arbitrary moves, or all of them."""
    match = Match(game, seed=4, **options)
    record, moves = GameRecord.begun(match, [f"seat {k}" for k in range(match.players)]), []
    while not match.over and len(moves) < decisions:
        legal = match.legal_moves()
        seat, move = match.seat, legal[len(moves) * 7919 % len(legal)]
        match.play(move)
        moves.append(RecordedMove(seat, move, len(legal), {"value": 0.5} if len(moves) % 3 == 0 else {}))
    return replace(record, moves=tuple(moves), ending=Ending.of_match(match)), match


def toy(**changes: Any) -> GameRecord:
    """A whole game of the toy."""
    return replace(played(TOY, 100, max_rounds=4)[0], **changes)


def replay(record: GameRecord, game: Game = TOY, **options: Any) -> Match:
    """The match at the end."""
    return list(record.play(game, **options))[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "players"),
    [(game_id, seats) for game_id in list_games() for seats in sorted({*get_game(game_id).seats})],
)
def test_every_game_is_written_read_back_and_replayed(game_id: str, players: int) -> None:
    game = get_game(game_id)
    record, match = played(game, 10_000, players=players, **short(game))
    again = GameRecord.from_text(record.to_text())
    assert again == record and again.to_text() == record.to_text() and again.cut == ""
    assert match.over and again.ending is not None and again.ending.points == tuple(match.points())
    states = [position.get_state() for position in again.play(game)]
    assert states[-1] == match.get_state() and len(states) == len(record.moves) + 1


def short(game: Game) -> dict[str, int]:
    """Options for a game that ends soon."""
    return {"max_rounds": 2} if "max_rounds" in game.options else {}


def test_a_game_known_by_its_actions_has_the_same_record() -> None:
    record, match = played(TOY, 100)
    actions = [match.string_to_action(move.move) for move in record.moves]
    plain = GameRecord.of_actions(TOY, match.config, match.game_seed, record.seats, actions)
    assert [move.move for move in plain.moves] == [move.move for move in record.moves]
    assert [move.choices for move in plain.moves] == [move.choices for move in record.moves]
    assert plain.ending == record.ending
    with pytest.raises(BadRecord, match=r"decision 2: .*not legal"):
        GameRecord.of_actions(TOY, match.config, match.game_seed, record.seats, [1, 2])


def test_the_text_reads_like_this() -> None:
    lines = toy().to_text().splitlines()
    assert lines[0] == "# game record 2"
    assert lines[1].startswith('# toy-v1 {"max_rounds": 4, "players": 2')
    assert lines[3] == '# seats ["seat 0", "seat 1"]'
    assert lines[5] == '  1 0 draw  (2)  {"value": 0.5}'
    assert lines[-1].startswith("# over; points [") or lines[-1].startswith("# truncated; points [")


@pytest.mark.parametrize("keep", [0, 1, 3, 5])
def test_a_game_left_in_the_middle_is_a_record_too(keep: int) -> None:
    record, match = played(TOY, keep)
    assert record.ending is not None and record.ending.how == "to be continued"
    assert replay(GameRecord.from_text(record.to_text())).get_state() == match.get_state()


def test_a_record_cut_off_anywhere_is_good_up_to_there() -> None:
    text = toy().to_text()
    whole = GameRecord.from_text(text)
    for length in range(len(text)):
        part = text[:length]
        if part.count("\n") < 4:
            with pytest.raises(BadRecord, match="cut off in line" if part else "line 1: ''"):
                GameRecord.from_text(part)
            continue
        record = GameRecord.from_text(part)
        assert record.moves == whole.moves[: len(record.moves)]
        if record.ending is None:
            assert record.cut == (
                f"the record is cut off after decision {len(record.moves)}, in line {part.count(chr(10)) + 1}"
            )
            if part.endswith(("\n", ")")):
                assert len(list(record.play(TOY))) == len(record.moves) + 1
        else:
            assert length == len(text) - 1 and record == whole


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# game record 2", "# game record 1", "line 1: '# game record 1' where '# game record 2' is wanted"),
        ("# toy-v1 ", "# toy ", "line 2: .* where the game and its options should be"),
        ('"max_rounds": 3', '"max_rounds": NaN', "line 2: .* is no JSON"),
        ('{"max_rounds": 3, ', '{"max_rounds" 3, ', "line 2: .* is no JSON"),
        ("# seed 7; cards 00000000", "# seed 99999999999999999999", "line 3: .* more than 64 bits"),
        ("# seed 7; cards 00000000", "# seed seven", "line 3: .* where the seed should be"),
        ('["Ann", ', "[3, ", "line 4: seats are named by texts"),
        ("  2 0 take", "  3 0 take", "line 7: decision 3 where decision 2 should be"),
        ("  2 0 take", "  2 5 take", "line 7: there is no seat 5"),
        ("  2 0 take keep  (2)", "\x00\xff", "line 7: .* where decision 2 should be"),
        ('{"value": 0.25, ', "{0.25, ", "line 8: .* is no JSON"),
        ('{"value": 0.25, ', '{"value": -1e999, ', "line 8: .* is no JSON"),
        ("  3 1 pass", "# over; points [1]; ranks [1, 2]\n  3 1 pass", "line 8: the end is not of 2 seats"),
        ("  3 1 pass", "# over; points [1, 0]; ranks [1, 2]\n  3 1 pass", "line 9: there is more after the end"),
        ("  3 1 pass", '# over; points [1, 0]; ranks [1, 2]; seat 1 "late"\n', "line 8: a forfeit needs"),
        ("  3 1 pass", "# this and that\n", "line 8: .* where a decision or the end should be"),
    ],
)
def test_a_damaged_text_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    text = TEXT.replace("; config 0", "; config 01234567")
    old, new = old.replace("; config 0", "; config 01234567"), new
    assert old in text
    GameRecord.from_text(text)
    with pytest.raises(BadRecord, match=message) as caught:
        GameRecord.from_text(text.replace(old, new))
    assert "\n" not in str(caught.value)


STRANGE = ["\ud800", "a\x00b", "\x1b[2J", "\u202eevil\u200f", "a\nb\r\u2028c", "x" * 1_000_000]


@pytest.mark.parametrize("text", STRANGE, ids=lambda text: ascii(text[:20]))
def test_names_and_remarks_in_any_letters_can_be_stored(text: str, tmp_path: Path) -> None:
    record = toy()
    moves = (replace(record.moves[0], remarks={text: [text]}), *record.moves[1:])
    ending = Ending(FORFEITED, (0, 0), (2, 1), 0, text)
    record = replace(record, seats=(text, "b"), moves=moves, ending=ending, options={**record.options, "deck": text})
    assert all(name.isprintable() for name in (*record.seats, ending.reason))
    (tmp_path / "x.txt").write_text(record.to_text(), encoding="utf-8", newline="\n")
    again = GameRecord.from_text((tmp_path / "x.txt").read_text(encoding="utf-8"))
    assert again == record and again.moves[0].remarks == {text: [text]}


@pytest.mark.parametrize("text", ["", "\n", "garbage", "\x00" * 1000, "# game record 2\n" + "[" * 100_000 + "\n"])
def test_garbage_is_no_record(text: str) -> None:
    with pytest.raises(BadRecord):
        GameRecord.from_text(text)


def test_a_move_that_is_not_legal_is_told_with_its_line_and_why() -> None:
    record = GameRecord.from_text(re.sub(r"  2 0 take \w+", "  2 0 draw", toy().to_text()))
    positions = record.play(TOY)
    assert next(positions).legal_moves() == ["draw", "pass"]
    assert next(positions).legal_moves() == ["take keep", "take swap"]
    with pytest.raises(
        BadRecord, match=r"^line 7, decision 2: toy-v1: 'draw' is not legal now \(T1\); legal moves: take"
    ):
        next(positions)


def test_what_does_not_fit_is_told() -> None:
    record = toy()
    first = record.moves[0]
    cases = [
        (replace(record, moves=(replace(first, seat=1), *record.moves[1:])), "said to be seat 1's, but seat 0 decides"),
        (
            replace(record, moves=(replace(first, choices=9), *record.moves[1:])),
            "9 moves are said to be legal, there are",
        ),
        (replace(record, moves=(replace(first, move="jump"), *record.moves[1:])), "'jump' is no move of this game"),
        (replace(record, moves=(*record.moves, first)), "comes after the end of the game"),
        (replace(record, moves=record.moves[:-1]), "the game is at its end to be continued, the record says"),
        (replace(record, game_seed=record.game_seed + 1), "the game is at its end|legal"),
    ]
    assert record.ending is not None
    cases.append((replace(record, ending=replace(record.ending, points=(99, 0))), r"the record says \[99, 0\]"))
    for wrong, message in cases:
        with pytest.raises(BadRecord, match=message):
            replay(wrong)


def test_a_forfeit_ends_a_game_anywhere() -> None:
    record, match = played(TOY, 3)
    lost = replace(record, ending=Ending("forfeited", tuple(match.points()), (2, 1), 0, 'took "too" long; points [1]'))
    assert GameRecord.from_text(lost.to_text()) == lost
    assert replay(lost).get_state() == match.get_state()


def test_another_version_or_game_is_named() -> None:
    with pytest.raises(BadRecord, match=r"the record is of toy-v9, this is toy-v1"):
        replay(toy(game="toy-v9"))
    with pytest.raises(BadRecord, match="unknown option 'speed'"):
        replay(toy(options={**toy().options, "speed": 3}))
    with pytest.raises(BadRecord, match="allowed: "):
        replay(toy(options={**toy().options, "max_rounds": "many"}))
    with pytest.raises(BadRecord, match="3 seats are named, 2 play"):
        replay(toy(seats=("a", "b", "c")))
    for name in ("self", "game", "seed"):
        with pytest.raises(BadRecord):
            replay(toy(options={**toy().options, name: 3}))


@pytest.mark.slow
def test_other_cards_are_named_where_they_matter(tmp_path: Path) -> None:
    game = get_game("bdgame-v3")
    dear = tmp_path / "dear.toml"
    dear.write_text(with_hopper_at(1), "utf-8")
    record, match = played(game, 200, deck=str(dear), max_rounds=4)
    assert replay(GameRecord.from_text(record.to_text()), game).get_state() == match.get_state()
    with pytest.raises(BadRecord, match=rf"options are refused: .*{tmp_path / 'gone.toml'}"):
        replay(record, game, deck=str(tmp_path / "gone.toml"))
    with pytest.raises(
        BadRecord, match=r"played with other cards: config \w{8} in the record, \w{8} here \(deck=None\)"
    ):
        replay(replace(record, ending=None), game, deck=None)  # cut off: nothing proves that it is the same game


def test_other_cards_that_make_no_difference_are_passed_over() -> None:
    record = toy()
    assert replay(replace(record, config="01234567")).over
    with pytest.raises(BadRecord, match="other cards"):
        replay(replace(record, config="01234567", moves=record.moves[:-1]))
