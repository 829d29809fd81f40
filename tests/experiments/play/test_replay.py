"""Replaying records and all games of a tournament, in the terminal and as one page."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game
from bdgame_env.engine.match import Match
from bdgame_env.experiments.arena.outcome import Outcome
from bdgame_env.experiments.arena.settings import Settings
from bdgame_env.experiments.arena.tournament import Place
from bdgame_env.experiments.arena.tournament import run as run_tournament
from bdgame_env.experiments.play.game_records import play_through, tournament_record
from bdgame_env.experiments.play.replay import replay_lines, turned
from bdgame_env.experiments.play.replay_page import pack, replay_in_pieces, replay_page
from bdgame_env.experiments.play.session import Session
from bdgame_env.records.game_record import FORFEITED, GameRecord
from tests.experiments.conftest import Run
from tests.support.bid_game import GAME as BID
from tests.support.toy_game import GAME as TOY

BOTS = "tests.support.bots"
pytestmark = pytest.mark.usefixtures("small_games")


@pytest.fixture
def record() -> GameRecord:
    """A complete toy game, in which one seat records what it expects."""
    session = Session(Match(TOY, seed=3, max_rounds=3), ("human:<b>Ann</b>", "mcts"))
    while (seat := session.to_move) is not None:
        moves = session.match.legal_moves()
        remarks = {"value": 0.25, "visits": {moves[0]: 7}} if seat == 1 else {}
        session.play(seat, moves[session.number % len(moves)], remarks=remarks)
    return session.record()


@pytest.fixture
def file(record: GameRecord, tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(record.to_text(), "utf-8")
    return path


# Tournaments


def play(out: Path, *agents: str, games: int = 3, count: int = 1) -> Outcome:
    config = TOY.config(max_rounds=4)
    settings = Settings("toy-v1", dict(config.options), list(agents), games, batch=4)
    return run_tournament(settings, TOY, config, out, place=Place(count))


@pytest.mark.parametrize("count", [1, 2])
def test_every_game_of_a_tournament_is_replayed(tmp_path: Path, count: int) -> None:
    """Including games that an agent lost by a fault or by taking its process down."""
    bad = [f"{BOTS}:Crashes", f"{BOTS}:Illegal", *([f"{BOTS}:Exits"] if count == 2 else [])]
    outcome = play(tmp_path, f"{BOTS}:Drawn", f"{BOTS}:First", *bad, count=count)
    assert {result.forfeit is None for result in outcome.results} == {True, False}
    for result in outcome.results:
        record = tournament_record(tmp_path, result.number)
        assert len(record.moves) == len(result.action_ids) == result.decisions
        assert record.ending is not None and record.ending.points == result.points
        assert (record.ending.how == FORFEITED) == (result.forfeit is not None)
        assert record.seats == tuple(outcome.settings.agents[agent] for agent in result.agents)
        assert play_through(GameRecord.from_text(record.to_text())).problem == ""


def test_replay_of_a_tournament(run: Run, tmp_path: Path) -> None:
    outcome = play(tmp_path / "t", f"{BOTS}:Drawn", f"{BOTS}:First")
    code, out, err = run("replay", tmp_path / "t", "--game", 3)
    assert code == 0 and err == "" and len(re.findall(r"\n *\d+ seat ", out)) == outcome.results[3].decisions
    assert f"points {'-'.join(map(str, outcome.results[3].points))}" in out.splitlines()[-1]
    code, out, _ = run("replay", tmp_path / "t" / "results.sqlite", "--game", 3, "--save", tmp_path / "g.txt")
    assert code == 0 and GameRecord.from_text((tmp_path / "g.txt").read_text()) == tournament_record(tmp_path / "t", 3)
    for arguments, line in [
        ([tmp_path / "t"], "is a tournament: choose a game by --game N"),
        ([tmp_path / "t", "--game", 99], "has no game 99; there are 6 games with numbers from 0 to 5"),
        ([tmp_path / "g.txt", "--game", 1], "is not a tournament"),
        ([tmp_path / "no", "--game", 1], "is not a tournament"),
        ([tmp_path / "t", "--game", 2**70], "is not the file of a tournament"),
    ]:
        code, out, err = run("replay", *arguments)
        assert code == 2 and out == "" and err.count("\n") == 1 and line in err


def test_a_tournament_whose_rules_have_changed_is_told(run: Run, tmp_path: Path) -> None:
    play(tmp_path, f"{BOTS}:Drawn", f"{BOTS}:First")
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute(
            "UPDATE batches SET actions = CAST(X'03000300' || substr(actions, 5) AS BLOB) WHERE first = 0"
        )
    connection.close()
    code, _, err = run("replay", tmp_path, "--game", 0)
    assert code == 2 and "decision 1: toy-v1: 'take swap' is not legal now (T1)" in err and err.count("\n") == 1


# Lines


def test_a_record_in_lines(run: Run, file: Path, record: GameRecord) -> None:
    code, out, err = run("replay", file)
    lines = out.splitlines()
    assert code == 0 and err == ""
    assert lines[0] == f"toy-v1, seed {record.game_seed}: seat 0 <b>Ann</b>, seat 1 mcts"
    assert lines[1].startswith("  1 seat 0 <b>Ann</b>: draw  points 0-0")
    assert any("seat 1 mcts: " in line and "value +0.25" in line for line in lines)
    assert lines[-1].startswith(("over; points", "truncated; points"))
    assert run("replay", file, "--seat", 1)[0] == 0
    assert "--seat 2: the game has seats 0 to 1" in run("replay", file, "--seat", 2)[2]


def test_a_record_that_is_cut_off_is_replayed_up_to_there(run: Run, file: Path) -> None:
    text = file.read_text("utf-8")
    file.write_text(text[: text.index("\n  4 ") + 6], "utf-8")
    code, out, err = run("replay", file)
    assert code == 0 and err == f"note: {file}: the record is cut off after decision 3, in line 9\n"
    assert "  3 seat" in out and "  4 seat" not in out


@pytest.mark.parametrize(
    ("old", "new", "line", "played"),
    [
        ("  3 ", "  7 ", "line 8: decision 7 where decision 3 should be", False),
        ("# toy-v1", "# toy-v9", "unknown game 'toy-v9'; known: ", False),
        ("  1 0 draw", "  1 1 draw", "line 6, decision 1: 'draw' is said to be seat 1's, but seat 0 decides", True),
        ("  2 0 take ", "  2 0 make ", "line 7, decision 2: toy-v1: 'make swap' is no move of this game", True),
        ("# game record", "# a game record", "line 1: ", False),
        ('"max_rounds": 3', '"max_rounds": 0', "option max_rounds=0 is not allowed", False),
    ],
)
def test_a_record_that_is_wrong_is_told_in_one_line(
    run: Run, file: Path, old: str, new: str, line: str, played: bool
) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    code, out, err = run("replay", file)
    assert code == 2 and line in err and err.startswith("error: ") and err.count("\n") == 1
    assert bool(out) == played


def test_what_is_no_record_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe" * 100)
    for name, line in [("gone.txt", "cannot be read"), ("", "cannot be read"), ("picture.png", "not UTF-8 text")]:
        code, out, err = run("replay", tmp_path / name)
        assert code == 2 and out == "" and line in err and err.count("\n") == 1


def test_an_agent_is_asked_about_every_decision(run: Run, file: Path, tmp_path: Path, record: GameRecord) -> None:
    code, _, _ = run("replay", file, "--ask", "mcts:sims=4,threads=1", "--save", tmp_path / "with.txt")
    asked = GameRecord.from_text((tmp_path / "with.txt").read_text("utf-8"))
    assert code == 0 and [move.move for move in asked.moves] == [move.move for move in record.moves]
    assert all(move.remarks["agent"] == "mcts:sims=4,threads=1" for move in asked.moves)
    assert any("value" in move.remarks for move in asked.moves)
    code, _, err = run("replay", file, "--ask", f"{BOTS}:Crashes")
    assert code == 2 and "failed at decision 1: raised RuntimeError: lost my way" in err


def test_keys_lead_through_the_game() -> None:
    assert [turned(3, 9, key) for key in ("\x1b[C", " ", "\x1b[D", "\x1b[H", "\x1b[F", "x")] == [4, 4, 2, 0, 9, 3]
    assert turned(9, 9, "n") == 9 and turned(0, 9, "p") == 0 and turned(3, 9, "q") is None


# The page


def unpack(packed: dict[str, Any]) -> list[str]:
    """The inverse of `pack`, as the page does it."""
    pictures: list[str] = []
    before: list[int] = []
    for front, end, *middle in packed["frames"]:
        before = [*before[:front], *middle, *before[len(before) - end :]]
        pictures.append("".join(packed["parts"][number] for number in before))
    return pictures


class Links(HTMLParser):
    """Every address that a page refers to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "action", "data")]


def test_the_page_stands_alone(run: Run, file: Path, record: GameRecord, tmp_path: Path) -> None:
    code, out, _ = run("replay", file, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert code == 0 and out == f"written: {tmp_path / 'page.html'}\n"
    assert Links(page).found == [] and "@import" not in page and not re.search(r"url\((?!#)", page)
    assert "<b>Ann" not in page, "what a record holds is escaped"
    data = json.loads(page.split('id="data">', 1)[1].split("</script>", 1)[0])
    assert [move["move"] for move in data["moves"]] == [move.move for move in record.moves]
    assert all(set(move["said"]) == set(move["remarks"].get("visits", ())) for move in data["moves"])
    assert len(data["shown"]) == len(record.moves) + 1 and data["note"] == ""
    assert data["points"][-1] == list(record.ending.points if record.ending else ())
    assert all(picture.startswith("<svg") for picture in unpack(data["pictures"]))
    assert [len(frame) for frame in data["frames"]] and len(data["frames"]) > data["shown"][-1]
    assert page.count("</script>") == 3


def tables(data: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The parts of each table of a page."""
    pictures = unpack(data["pictures"])
    return [[{**data["parts"][part], "svg": pictures[svg]} for part, svg in frame] for frame in data["frames"]]


def test_a_page_in_pieces_shows_the_same(record: GameRecord) -> None:
    played = play_through(record)
    pieces = list(replay_in_pieces(played, seat=1))
    assert 'id="prompt"' in pieces[0] and 'id="data"' in pieces[1], "something is shown at once"
    whole, first = (
        json.loads(page.split('id="data">', 1)[1].split("</script>", 1)[0])
        for page in (replay_page(played, seat=1), pieces[1])
    )
    rest = [json.loads(piece.removeprefix("<script>more(").strip()[: -len(")</script>")]) for piece in pieces[2:-1]]
    assert len(rest) > 1 and first["frames"] == []
    assert [table for data in rest for table in tables(data)] == tables(whole)
    assert first == {**whole, **{name: first[name] for name in ("parts", "pictures", "frames")}}


@pytest.mark.parametrize("remarks", [{"visits": {"<b>no move": 3, "": 1}}, {"visits": 7}, {"preferences": ["x"]}])
def test_remarks_of_any_kind_do_no_harm(record: GameRecord, remarks: dict[str, Any]) -> None:
    strange = replace(record, moves=tuple(replace(move, remarks=remarks) for move in record.moves))
    page = replay_page(play_through(strange))
    data = json.loads(page.split('id="data">', 1)[1].split("</script>", 1)[0])
    assert all(move["said"] == {} for move in data["moves"]) and "<b>no" not in page


def test_the_page_of_one_seat_shows_what_it_saw(record: GameRecord) -> None:
    played = play_through(record)
    pages = {replay_page(played), *(replay_page(played.seen_by(seat)) for seat in (0, 1))}
    assert len(pages) == 3


def test_secret_choices_are_in_no_replay_of_another_seat() -> None:
    """Nor is the game seed, from which everything hidden can be derived."""
    session = Session(Match(BID, seed=4, players=3, rounds=2), ("Ann", "Ben", "Cem"))
    for seat, move in ((0, "bid 5"), (1, "bid 2"), (2, "bid 4"), (0, "bid 1"), (1, "bid 3")):
        session.play(seat, move, remarks={"value": 0.5})
    played = play_through(session.record())
    seen = played.seen_by(1)
    assert [move.move for move in seen.moves] == ["bid 2", "bid 3"]
    assert list(seen.points) == [(0, 0, 0), (0, 0, 0), played.points[-1]]
    said = "\n".join(replay_lines(seen)) + replay_page(seen)
    assert "bid 5" not in said and "bid 1" not in said and str(played.record.game_seed) not in said
    assert "bid 5" in "\n".join(replay_lines(played))


def test_pictures_are_packed_and_unpacked() -> None:
    for pictures in ([], ["<a/>"], ["<a/><b/>", "<a/><c/><b/>", "<a/><c/><b/>", "<b/>", "", "text<x>&lt;</x>", "<a/>"]):
        assert unpack(json.loads(json.dumps(pack(pictures)))) == pictures
    alike = ["<g>" + "".join(f"<circle r='{k}'/>" for k in range(300)) + f"<text>{n}</text></g>" for n in range(100)]
    assert len(json.dumps(pack(alike))) < sum(map(len, alike)) / 20


def test_the_page_of_a_whole_game_is_small() -> None:
    """A game of Bdgame with two players, of typical length."""
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    while session.number < 150:
        moves = session.match.legal_moves()
        session.play(session.match.seat, moves[session.number * 7919 % len(moves)])
    assert len(replay_page(play_through(session.record())).encode()) < 400_000
