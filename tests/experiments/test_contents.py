"""Results belong to what names stood for: another file under an old name is told in one line, and nothing is mixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.experiments.arena.settings import Settings
from bdgame_env.experiments.arena.tournament import Place, run
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.play.game_records import read_record, resumable, tournament_record
from bdgame_env.experiments.play.lobby_files import read_ratings
from bdgame_env.experiments.play.seats import seats_of
from bdgame_env.experiments.training.config import TrainConfig, read_config, read_run
from bdgame_env.experiments.training.training_run import check_folder, contents_of_run
from bdgame_env.games.bdgame.cards import STANDARD_DECK
from bdgame_env.games.bdgame.game import GAME as BDGAME
from bdgame_env.records.game_record import GameRecord
from tests.support.decks import with_hopper_at
from tests.support.policies import plain_policy
from tests.support.toy_game import GAME

CONFIG = GAME.config(players=2, max_rounds=4)
DECK = STANDARD_DECK.read_text("utf-8")
DEAR = with_hopper_at(77)
BOT = "from bdgame_env.agents.random_agent import RandomAgent\nclass Bot(RandomAgent):\n    {0}\n"


@pytest.fixture(autouse=True)
def folder(small_games: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def policy(seed: int) -> bytes:
    return plain_policy(GAME, CONFIG, scale=0.3, seed=seed).to_bytes()


def play(*agents: str, out: Any = "out") -> Any:
    return run(Settings("toy-v1", dict(CONFIG.options), list(agents), 2), GAME, CONFIG, out, place=Place(1))


@pytest.mark.parametrize(
    ("spec", "file", "before", "after"),
    [
        ("net.npz", "net.npz", policy(1), policy(2)),
        ("bots_of_contents:Bot", "bots_of_contents.py", BOT.format("x = 1").encode(), BOT.format("x = 2").encode()),
    ],
    ids=["policy", "class"],
)
def test_a_tournament_is_not_resumed_with_another_agent(spec: str, file: str, before: bytes, after: bytes) -> None:
    """The line names the agent and its file; with the old file, the same command finds all games again."""
    Path(file).write_bytes(before)
    first = play(spec, "random")
    assert first.settings.contents[f"agent {spec}"]
    assert json.loads(Path("out/result.json").read_text())["settings"]["contents"] == first.settings.contents
    Path(file).write_bytes(after)
    with pytest.raises(BadInput, match="choose another --out") as refused:
        play(spec, "random")
    assert f"agent {spec}: " in str(refused.value) and f"{file} changed" in str(refused.value)
    assert "\n" not in str(refused.value)
    Path(file).write_bytes(before)
    assert play(spec, "random", out=Path("out")).results == first.results


def test_a_game_is_not_resumed_with_other_cards() -> None:
    """Although all its moves are legal with them."""
    Path("mine.toml").write_text(DECK, "utf-8")
    match = Match(BDGAME, seed=1, deck="mine.toml")
    Path("game.txt").write_text(GameRecord.begun(match, ("a", "b")).to_text() + ending(match), "utf-8")
    assert resumable(read_record("game.txt")).legal_moves() == match.legal_moves()
    Path("mine.toml").write_text(DEAR, "utf-8")
    with pytest.raises(BadInput, match=r"other cards: config \w{8} in the record, \w{8} here \(deck=mine.toml\)"):
        resumable(read_record("game.txt"))


def test_a_record_names_no_file_that_is_opened() -> None:
    """Although a file of that name would be an agent, were it named in a command."""
    Path("ppo:x.npz").write_bytes(policy(1))
    record = GameRecord.begun(Match(GAME, seed=1), ("ppo:x.npz", "random"))
    assert seats_of(record) == ["human:ppo:x.npz", "random"]


def ending(match: Match) -> str:
    return f"# to be continued; points {match.points()}; ranks {match.ranks()}\n"


def test_a_game_of_a_tournament_is_not_replayed_with_other_cards() -> None:
    Path("mine.toml").write_text(DECK, "utf-8")
    config = BDGAME.config(max_rounds=1, deck="mine.toml")
    settings = Settings(BDGAME.id, dict(config.options), ["random", "random"], 1)
    run(settings, BDGAME, config, "out", place=Place(1))
    assert tournament_record(Path("out"), 0).ending is not None
    Path("mine.toml").write_text(DEAR, "utf-8")
    with pytest.raises(BadInput, match="another file: option deck: file changed"):
        tournament_record(Path("out"), 0)
    other = BDGAME.config(max_rounds=1, deck="mine.toml")
    with pytest.raises(BadInput, match="option deck: file changed"):
        run(settings, BDGAME, other, "out", place=Place(1))


@pytest.mark.parametrize("setting", ["start", "against"])
def test_training_is_not_resumed_from_another_file(setting: str) -> None:
    Path("net.npz").write_bytes(policy(1))
    config = TrainConfig(game="toy-v1", **{setting: Path("net.npz")})
    Path("out").mkdir()
    facts = {"config": json.loads(json.dumps(vars(config))), "contents": contents_of_run(config), "run": {}}
    facts["config"].pop("__pydantic_initialised__", None)
    Path("out/run.json").write_text(json.dumps(facts), "utf-8")
    check_folder(config, Path("out"))
    Path("net.npz").write_bytes(policy(2))
    with pytest.raises(BadInput, match=rf"another file \(setting {setting}: file changed, \w+ there, \w+ here\)"):
        check_folder(config, Path("out"))


READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "settings": ('game = "toy-v1"\n', read_config),
    "run": ('{"config": {},\n"run": {}}\n', read_run),
    "ratings": (
        '{"settings": {"game": "toy-v1",\n"options": {"players": 2}}, "standings": {"agents": []}}\n',
        lambda path: read_ratings(path.parent),
    ),
    "record": ("", read_record),
}


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "byte order mark"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["Unix", "Windows"])
@pytest.mark.parametrize("reader", READERS)
def test_texts_are_read_whatever_wrote_them(reader: str, newline: str, mark: str) -> None:
    text, read = READERS[reader]
    if not text:
        match = Match(GAME, seed=1)
        text = GameRecord.begun(match, ("a", "b")).to_text() + ending(match)
        assert GameRecord.from_text(mark + text.replace("\n", newline)) == GameRecord.from_text(text)
    path = Path("result.json").absolute()
    path.write_text(text, "utf-8")
    wanted = read(path)
    path.write_bytes((mark + text.replace("\n", newline)).encode())
    assert read(path) == wanted
