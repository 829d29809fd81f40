"""Playing by lines of text through a pipe, as a program or a language model does."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session
from bdgame_env.experiments.play.text_play import TextGame
from bdgame_env.games.bdgame.cards import HOPPER, STANDARD_DECK, read_deck
from bdgame_env.records.game_record import GameRecord
from tests.support import bots
from tests.support.toy_game import GAME as TOY


def talk(
    session: Session,
    *lines: str,
    agents: dict[int, Any] | None = None,
    ending: str = "\n",
    saves: Path | None = None,
) -> tuple[bool, str]:
    """Play with these input lines; returns whether the game ended, and everything printed."""
    out = io.StringIO()
    hinter = make_agent("random", session.match.game, session.match.config, seed=1)
    game = TextGame(session, agents or {}, hinter, hinter, io.StringIO("\n".join(lines) + ending), out, saves=saves)
    return game.play(), out.getvalue()


def toy(*seats: str, seed: int = 1, **options: Any) -> Session:
    return Session(Match(TOY, seed=seed, players=len(seats), **options), seats)


def test_moves_by_name_and_by_number_until_the_end() -> None:
    session = toy("human:Ann", "human", max_rounds=1)
    over, said = talk(session, "draw", "2", "  PASS", "pass")
    assert over and [move.move for move in session.record().moves] == ["draw", "take swap", "pass"]
    assert "seat 0 Ann to move; 2 legal moves:\n    1  draw\n    2  pass\n" in said
    assert "error: 'PASS' is neither a move nor a command" in said
    assert "truncated\nrank 1: seat " in said


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("roll", "'roll' is neither a move nor a command"),
        ("take keep", "'take keep' is not legal now; legal moves: draw, pass"),
        ("0", "there is no move 0; numbers are 1 to 2"),
        ("99", "there is no move 99"),
        ("9" * 100_000, "is neither a move nor a command"),
        ("\x00\x1b[2J\ud7ff", "is neither a move nor a command"),
        ("undo", "nothing to undo"),
        ("save /nowhere/at/all/\x00", "cannot be written"),
        ("save .", "'.' cannot be written"),
        ("save", "'save' is neither"),
    ],
)
def test_what_cannot_be_done_is_answered_with_one_line_and_changes_nothing(line: str, answer: str) -> None:
    session = toy("human", "human")
    over, said = talk(session, line, "moves")
    assert not over and session.changes == 0
    errors = [told for told in said.splitlines() if "error:" in told]
    assert len(errors) == 1 and answer in errors[0] and len(errors[0]) < 200
    assert said.count("seat 0 human to move") == 2, "the moves are listed once, and when they are asked for"


def test_an_illegal_move_gets_its_reason() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    cost = read_deck(STANDARD_DECK).cost[HOPPER]
    _, said = talk(session, "fulfil 0", "split 3", "buy hopper")
    errors = [line.removeprefix("> ") for line in said.splitlines() if "error: " in line]
    assert errors == [
        "error: 'fulfil 0' is not legal now: No order here yet: accept one from the row above. (B23)",
        "error: 'split 3' is not legal now: No splitter is waiting for an answer. (B35)",
        f"error: 'buy hopper' is not legal now: The hopper costs {cost}: first pay cubes from your storage. (B24)",
    ]
    assert said.count("to move;") == 1 and session.changes == 0


def test_turns_are_told_when_they_are_over_and_all_of_them_on_request() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human:Ann", "human"))
    _, said = talk(session, "collect", "end", "collect", "log")
    assert said.count("seat 0 Ann collected 2 Yellow, skipped 2 actions\n") == 2
    assert said.count("seat 1 human collected 2 Yellow\n") == 1, "a turn that goes on is told on request"


def test_commands(tmp_path: Path) -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    file = tmp_path / "game.txt"
    over, said = talk(
        session,
        *("collect", "undo", "hint", "help", "", "position", "load Y@0", f"save {file}", "quit", "end"),
        saves=tmp_path,
    )
    assert not over and "hint from random: " in said and f"written: {file}" in said and "a move or its number" in said
    assert GameRecord.from_text(file.read_text("utf-8")) == session.record()
    assert [move.move for move in session.record().moves] == ["load Y@0"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../new.txt", "it is outside the folder for saves"),
        ("sub/../../new.txt", "it is outside the folder for saves"),
        ("{outside}/new.txt", "it is outside the folder for saves"),
        ("there.txt", "it exists already; only new files"),
        ("there.txt/new.txt", "File exists"),
        ("link.txt", "it is outside the folder for saves"),
        ("dangling.txt", "it is outside the folder for saves"),
        ("linked/new.txt", "it is outside the folder for saves"),
        ("a\0b", "null"),
    ],
)
def test_a_record_is_saved_as_a_new_file_below_the_folder_for_saves(tmp_path: Path, name: str, why: str) -> None:
    """A program that plays by lines must not reach other files of the user who runs the game."""
    folder, outside = tmp_path / "saves", tmp_path / "outside"
    for made in (folder, folder / "sub", outside):
        made.mkdir()
    (folder / "there.txt").write_text("mine")
    (outside / "other.txt").write_text("mine")
    (folder / "link.txt").symlink_to(outside / "other.txt")
    (folder / "dangling.txt").symlink_to(outside / "new.txt")
    (folder / "linked").symlink_to(outside)
    before = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}
    _, said = talk(toy("human", "human"), f"save {name.format(outside=outside)}", saves=folder)
    errors = [line for line in said.splitlines() if "error:" in line]
    assert len(errors) == 1 and "cannot be written: " in errors[0] and why in errors[0] and len(errors[0]) < 200
    assert before == {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}


def test_a_record_is_saved_where_the_game_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, said = talk(toy("human", "human"), "draw", "save games/one.txt", "save games/one.txt")
    assert "written: games/one.txt" in said and said.count("it exists already; only new files") == 1
    assert GameRecord.from_text((tmp_path / "games" / "one.txt").read_text("utf-8")).moves


def test_a_last_line_without_an_end_counts() -> None:
    session = toy("human", "human")
    over, _ = talk(session, "pass", "draw", ending="")
    assert not over and session.number == 2


def test_agents_move_in_between_and_one_that_fails_forfeits() -> None:
    session = toy("human", "first", "crashes", seed=2)
    config = session.match.config
    over, said = talk(session, "pass", agents={1: bots.First(TOY, config), 2: bots.Crashes(TOY, config)})
    assert over and "seat 1 first draw, take keep\n" in said
    assert "forfeited by seat 2: raised RuntimeError: lost my way" in said
    assert "rank 3: seat 2 crashes" in said


@pytest.mark.parametrize("game_id", list_games())
def test_a_whole_game_through_a_pipe(game_id: str, tmp_path: Path) -> None:
    """A program that answers every prompt with the last of the numbered moves; its record replays."""
    file = tmp_path / "game.txt"
    command = [sys.executable, "-m", "experiments", "play", game_id, "--text", "--seats", "human,random", "--seed", "4"]
    command += ["--record", str(file)]
    if "max_rounds" in get_game(game_id).options:
        command += ["--option", "max_rounds=3"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as program:
        assert program.stdin is not None and program.stdout is not None
        listed, said, text = 0, "", ""
        while letter := program.stdout.read(1):
            said += letter
            text += letter
            if text.endswith("\n> ") or text == "> ":
                listed = int(said.rsplit(" legal moves:", 1)[0].rsplit(" ", 1)[1])
                program.stdin.write(f"{listed}\n")
                program.stdin.flush()
                said = text = ""
        assert program.wait() == 0
    record = GameRecord.from_text(file.read_text("utf-8"))
    assert record.ending is not None and record.ending.how in ("over", "truncated") and listed
    assert f"{record.ending.how}\nrank 1: seat " in said
    *_, match = record.play(get_game(game_id))
    assert match.over and {move.seat for move in record.moves} == {0, 1}
    again = subprocess.run([sys.executable, "-m", "experiments", "replay", str(file)], capture_output=True, text=True)
    assert again.returncode == 0 and again.stdout.count("\n") > len(record.moves)


def test_a_game_is_resumed_from_its_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    command = [sys.executable, "-m", "experiments", "play", "bdgame-v3", "--text", "--seats", "human,human"]

    def say(*more: str, lines: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *more], input=lines, capture_output=True, text=True)

    assert say("--record", str(file), "--option", "max_rounds=1", lines="collect\nload Y@0\n").returncode == 0
    first = GameRecord.from_text(file.read_text("utf-8"))
    copy = tmp_path / "copy.txt"
    copy.write_bytes(file.read_bytes())
    assert say("--resume", str(file), lines="end\n").returncode == 0
    record = GameRecord.from_text(file.read_text("utf-8"))
    assert record.moves[:2] == first.moves and [move.move for move in record.moves[2:]] == ["end"]
    assert record.game_seed == first.game_seed and record.options["max_rounds"] == 1
    ended = say("--resume", str(file), lines="end\n" * 20)
    assert "truncated\nrank 1: " in ended.stdout
    again = say("--resume", str(file), lines="")
    assert again.returncode == 2 and again.stderr == f"error: --resume {file}: the game is over\n"
    alone = [sys.executable, "-m", "experiments", "play", "--text", "--resume", str(copy)]
    known = subprocess.run(alone, input="", capture_output=True, text=True)
    assert "seat 0 human to move" in known.stdout, "the record knows the game and who played"
    other = subprocess.run([*command[:-1], "human,human,human", "--resume", str(file)], capture_output=True, text=True)
    assert other.returncode == 2 and "a game of bdgame-v3 with 2 seats" in other.stderr
