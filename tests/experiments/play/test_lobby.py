"""The lobby: what it offers and refuses, games that are taken up with the same links, and what nobody may see."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.play.lobby_files import lobby_token, read_ratings
from bdgame_env.experiments.play.names import agent_words
from bdgame_env.experiments.play.plans import Plan, Prepared
from bdgame_env.experiments.play.session import Refused
from bdgame_env.experiments.play.web import lobby as lobby_module
from bdgame_env.experiments.play.web import rooms as rooms_module
from bdgame_env.experiments.play.web.changes import Changes
from bdgame_env.experiments.play.web.conversations import until_prepared
from bdgame_env.experiments.play.web.hub import BadMessage
from bdgame_env.experiments.play.web.lobby import plan_of
from bdgame_env.experiments.play.web.rooms import Rooms, percent_done, prepared
from tests.support.served import SECONDS, TOKEN, lobby


def wait(connection: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(timeout=SECONDS))
        if message["type"] == kind:
            return message


def new_game(**changes: Any) -> dict[str, Any]:
    seats = [{"name": "Ann"}, {"agent": "random"}]
    return {"do": "create", "game": "nicodemus-v2", "options": {}, "seats": seats, **changes}


def got(port: int, path: str) -> tuple[int, str]:
    asked = HTTPConnection("127.0.0.1", port, timeout=30)
    asked.request("GET", path)
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, text


def status(port: int, path: str) -> int:
    return got(port, path)[0]


def replay_of(port: int, link: str) -> str:
    return got(port, link.replace("play", "replay"))[1]


def test_a_game_is_set_up_played_and_taken_up_again_with_the_same_links(tmp_path: Path) -> None:
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/lobby/{TOKEN}/socket", proxy=None) as there:
        offered = wait(there, "lobby")
        assert {game["id"] for game in offered["games"]} >= {"bdgame-v3", "nicodemus-v2"} and offered["rooms"] == []
        nicodemus = next(game for game in offered["games"] if game["id"] == "nicodemus-v2")
        assert ["random", "random (rating 12)"] in nicodemus["offered"]["2"]
        timed = {agent["name"] for agent in nicodemus["agents"] if agent["timed"]}
        assert timed == {"mcts", "planner", "strong-planner", "az", "network-planner"}
        there.send(json.dumps(new_game()))
        links = wait(there, "created")["room"]["links"]
        assert [link["seats"] for link in links] == [[0], []]
        assert status(port, links[0]["path"]) == 200
        assert status(port, links[0]["path"].replace("play", "replay")) == 404, "the game is not over"
        with connect(f"ws://127.0.0.1:{port}{links[0]['path']}/socket", proxy=None) as page:
            view = wait(page, "view")
            assert view["names"] == ["Ann", "random"] and view["mine"] == [0]
            page.send(json.dumps({"do": "move", "move": view["legal"][0], "number": 0}))
            while view["number"] == 0:
                view = wait(page, "view")
    secret = next(tmp_path.glob("*.json"))
    assert secret.stat().st_mode & 0o077 == 0, "links are for their owner"
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}{links[0]['path']}/socket", proxy=None) as page:
        again = wait(page, "view")
        assert again["number"] >= view["number"] and again["mine"] == [0]
        assert again["log"][: len(view["log"])][0]["move"] == view["log"][0]["move"]


def test_an_analysis_is_in_the_replay_also_after_the_server_has_ended(tmp_path: Path) -> None:
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/lobby/{TOKEN}/socket", proxy=None) as there:
        there.send(json.dumps(new_game()))
        link = wait(there, "created")["room"]["links"][0]["path"]
        with connect(f"ws://127.0.0.1:{port}{link}/socket", proxy=None) as page:
            view = wait(page, "view")
            page.send(json.dumps({"do": "move", "move": view["legal"][0], "number": 0}))
            while view["number"] == 0:
                view = wait(page, "view")
            page.send(json.dumps({"do": "resign"}))
            while not view["ending"]:
                view = wait(page, "view")
            assert '"judged"' not in replay_of(port, link)
            page.send(json.dumps({"do": "analyze"}))
            while (message := wait(page, "analysis"))["done"] < message["of"]:
                pass
            assert message["line"]["words"] and '"judged"' in replay_of(port, link)
    with lobby(tmp_path) as port:
        assert '"judged"' in replay_of(port, link)


def test_who_has_no_link_sees_no_lobby(tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        assert status(port, f"/lobby/{TOKEN}") == 200
        assert status(port, "/lobby/another") == 404 and status(port, "/play/another") == 404


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "chess-v1"}, "chess-v1"),
        ({"options": {"max_rounds": 0}}, "max_rounds"),
        ({"game": "bdgame-v3", "options": {"deck": "/etc/passwd"}}, "offers no option 'deck'"),
        ({"options": {"players": 3}}, "offers no option 'players'"),
        ({"seats": [{"name": "Ann"}, {"agent": "program:touch /tmp/x"}]}, "offers no agent"),
        ({"seats": [{"name": "Ann"}, {"agent": "os:system"}]}, "offers no agent"),
        ({"seats": [{"name": "Ann"}, {"agent": "mcts", "time": 9e9}]}, "seconds"),
        ({"seats": [{"agent": "random"}, {"agent": "random"}]}, "a person's"),
        ({"seats": [{"name": "Ann"}]}, "players"),
        ({"seats": [{"name": "A\nb"}, {"agent": "random"}]}, "one line of visible characters"),
        ({"seats": [{"name": "\u202eA"}, {"agent": "random"}]}, "one line of visible characters"),
        ({"seats": [{"name": "x" * 21}, {"agent": "random"}]}, "at most 20 characters; this one has 21"),
    ],
)
def test_only_what_is_offered_can_be_played(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        plan_of(new_game(**changes), "random")


@pytest.mark.parametrize("changes", [{"seats": "Ann"}, {"seats": [3, 4]}, {"options": None}, {"game": 3}])
def test_what_no_page_sends_is_not_understood(changes: dict[str, Any]) -> None:
    with pytest.raises(BadMessage):
        plan_of(new_game(**changes), "random")


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\u202e", "a\nb"], ids=ascii)
def test_the_lobby_answers_whatever_letters_it_is_sent(text: str, tmp_path: Path) -> None:
    asked = [{"game": text}, {"options": {text: 1}}, {"options": {"max_rounds": text}}, {"clock": text}]
    asked += [{"seats": [{"name": "Ann"}, {"agent": text}]}, {"do": text}, {"do": "rematch", "room": text}]
    address = f"/lobby/{TOKEN}/socket"
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}{address}", proxy=None) as connection:
        wait(connection, "lobby")
        for changes in asked:
            connection.send(json.dumps({"do": "create", **new_game(**changes)}))
            assert wait(connection, "error")["text"].isprintable()


def test_a_person_cannot_be_named_like_a_command() -> None:
    plan = plan_of(new_game(seats=[{"name": "mcts:time=1"}, {"agent": "mcts", "time": 1}]), "random")
    assert plan.seats == ["human:mcts:time=1", "mcts:time=1"]


def test_the_lobby_has_the_same_address_again(tmp_path: Path) -> None:
    token = lobby_token(tmp_path / "games")
    assert len(token) > 16 and lobby_token(tmp_path / "games") == token
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="--games"):
        lobby_token(tmp_path / "file" / "games")


def test_ratings_are_read_from_a_ladder(tmp_path: Path) -> None:
    settings = {"game": "toy-v1", "options": {"players": 3}}
    result = {"settings": settings, "standings": {"agents": [{"agent": "random", "rating": 1.24}]}}
    (tmp_path / "result.json").write_text(json.dumps(result))
    assert read_ratings(tmp_path) == ("toy-v1", 3, {"random": 1.24})
    with pytest.raises(BadInput, match="no results of a ladder"):
        read_ratings(tmp_path / "none")
    for rating in ("NaN", "1e999", "1" + 400 * "0"):
        (tmp_path / "result.json").write_text(json.dumps(result).replace("1.24", rating))
        with pytest.raises(BadInput, match="no results of a ladder"):
            read_ratings(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "bdgame-v1"},
        {"seats": 5},
        {"options": {"no": 1}},
        {"clock": 5, "seats": []},
        *({"began": at} for at in (10**400, float("nan"), float("inf"))),
    ],
)
def test_a_kept_game_that_cannot_be_played_any_more_is_left_alone(tmp_path: Path, change: dict[str, Any]) -> None:
    """It closes no lobby."""
    plan = {"game": "nicodemus-v2", "options": {}, "seats": ["human", "random"], "hint": "", **change}
    began = plan.pop("began", 1.0)
    text = json.dumps({"plan": plan, "began": began, "links": [{"token": "x" * 20, "seats": [0]}]})
    (tmp_path / "old.json").write_text(text)
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/lobby/{TOKEN}/socket", proxy=None) as there:
        assert wait(there, "lobby")["rooms"] == []
    assert (tmp_path / "old.json").read_text() == text


def test_a_game_that_cannot_be_kept_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(rooms_module, "write_text", fails)
    rooms = Rooms(tmp_path, TOKEN)
    with pytest.raises(Refused, match="the game cannot be saved: no space left"):
        rooms.open(plan_of(new_game(), ""))
    assert rooms.rooms == {}


def rooms_without_games(folder: Path) -> Rooms:
    """Rooms whose games are never prepared."""
    rooms = Rooms(folder, TOKEN)
    rooms.start = lambda room: None  # type: ignore[method-assign]
    return rooms


def test_a_full_lobby_opens_again_when_a_game_is_ended(tmp_path: Path) -> None:
    rooms = rooms_without_games(tmp_path)
    plan = plan_of(new_game(), "")
    opened = [rooms.open(plan) for _ in range(rooms_module.MOST_ROOMS)]
    with pytest.raises(Refused, match="end one first"):
        rooms.open(plan)
    with pytest.raises(Refused, match="not over"):
        rooms.delete(opened[0])
    rooms.abandon(opened[0], "ended in the lobby")
    with pytest.raises(Refused, match="is over"):
        rooms.abandon(opened[0], "again")
    assert rooms.open(plan).id in rooms.rooms
    rooms.delete(opened[0])
    assert opened[0].id not in rooms.rooms and not list(tmp_path.glob(f"{opened[0].id}*"))


def test_games_without_a_move_for_long_are_ended_and_stay_so(tmp_path: Path) -> None:
    rooms = rooms_without_games(tmp_path)
    old, new = (rooms.open(plan_of(new_game(), "")) for _ in range(2))
    old.began -= 86400 * (rooms_module.MOST_IDLE_DAYS + 1)
    rooms.end_idle()
    assert old.over and old.abandoned == "no move for 14 days" and not new.over
    again = Rooms(tmp_path, TOKEN)
    again.load()
    assert again.rooms[old.id].over and not again.rooms[new.id].over


def test_a_game_is_ended_and_deleted_in_the_lobby(tmp_path: Path) -> None:
    """Who plays it is told; the page of the ended game plays no more."""
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/lobby/{TOKEN}/socket", proxy=None) as there:
        there.send(json.dumps({"do": "create", **new_game()}))
        room = wait(there, "created")["room"]
        with connect(f"ws://127.0.0.1:{port}{room['links'][0]['path']}/socket", proxy=None) as page:
            wait(page, "view")
            there.send(json.dumps({"do": "abandon", "room": room["id"]}))
            assert wait(page, "progress")["text"] == "this game cannot go on: ended in the lobby"
            page.send(json.dumps({"do": "resign"}))
            assert "cannot go on" in wait(page, "error")["text"]
        there.send(json.dumps({"do": "delete", "room": room["id"]}))
        while (told := wait(there, "lobby"))["rooms"]:
            assert told["rooms"][0]["id"] == room["id"]
    assert not list(tmp_path.glob(f"{room['id']}*"))


def test_agents_are_called_by_what_they_are() -> None:
    """Whatever a person may choose in the lobby, or is told of in an analysis."""
    assert agent_words("strong-planner:time=0.5") == "strong planner, 0.5 s per move"
    assert agent_words("level:3") == "bot 3" and agent_words("random") == "random"
    offered = {label for id in list_games() for label in agents_offered(id)}
    assert len(offered) > 5 and not [label for label in offered if re.search("[-:=]|mcts|ppo", label)]


def agents_offered(game_id: str) -> list[str]:
    return [label for _, label in lobby_module._offered(get_game(game_id), {})]


def test_a_page_is_told_how_much_is_prepared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before its game is there: each step, and a share of all that never falls."""
    reached, go_on = threading.Event(), threading.Event()

    def slow(plan: Plan, file: Path | None, say: Callable[[str], None]) -> Prepared:
        def say_slowly(text: str) -> None:
            say(text)
            if text == "loading hints":
                reached.set()
                assert go_on.wait(60)

        return prepared(plan, file, say_slowly)

    monkeypatch.setattr(rooms_module, "prepared", slow)
    with lobby(tmp_path) as port, connect(f"ws://127.0.0.1:{port}/lobby/{TOKEN}/socket", proxy=None) as there:
        there.send(json.dumps({"do": "create", **new_game()}))
        room = wait(there, "created")["room"]
        assert reached.wait(60)
        while not (told := wait(there, "lobby")["rooms"])[0]["state"].startswith("step 3 of 3"):
            pass
        assert re.fullmatch(r"step 3 of 3: loading hints \(\d+%\)", told[0]["state"])
        with connect(f"ws://127.0.0.1:{port}{room['links'][0]['path']}/socket", proxy=None) as page:
            news = wait(page, "progress")
            assert news["text"] == "Nicodemus: step 3 of 3: loading hints" and 80 <= news["percent"] < 100
            go_on.set()
            wait(page, "view")


def test_a_page_that_leaves_while_its_game_is_prepared_keeps_no_server_from_stopping() -> None:
    told: list[str] = []

    class Leaves:
        async def send_text(self, text: str) -> None:
            told.append(json.loads(text)["text"])

        async def receive(self) -> dict[str, str]:
            return {"type": "websocket.disconnect"}

    still = {"hub": None, "record": None, "failed": "", "abandoned": "", "progress": "loading", "percent": 5}
    room: Any = SimpleNamespace(**still, plan=SimpleNamespace(game="nicodemus-v2"), changes=Changes())
    page: Any = Leaves()
    with ThreadPoolExecutor(1) as pool:  # tests of pages leave an event loop in the main thread
        waited = asyncio.wait_for(until_prepared(room, page), SECONDS)
        assert pool.submit(asyncio.run, waited).result() is False
    assert told == ["Nicodemus: loading"]


def test_the_share_of_the_preparations_never_falls_and_is_whole_only_at_the_end() -> None:
    shares = [percent_done(step, 4, compiled) for step in (1, 2, 3, 4) for compiled in range(0, 400, 20)]
    assert shares == sorted(shares) and shares[0] == 0 and 95 < shares[-1] < 100


def test_what_a_first_move_compiles_is_compiled_while_the_game_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click that compiles would keep all pages of the server waiting."""
    done: list[str] = []

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            done.append(name)
            return real(*args, **named)

        return call

    for name in ("play", "observe", "snapshot"):
        monkeypatch.setattr(Match, name, noted(name, getattr(Match, name)))
    plan = Plan("nicodemus-v2", {}, ("human", "random"), "random", seed=1)
    session = prepared(plan, None, lambda _: None).session
    assert {"play", "observe", "snapshot"} <= set(done)
    assert session.number == 0 and session.record().moves == ()
