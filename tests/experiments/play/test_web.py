"""The game server: who is let in, what each link may see and do, and what abuse it withstands."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.game_records import read_record, write_record
from bdgame_env.experiments.play.names import names_of
from bdgame_env.experiments.play.plans import Plan
from bdgame_env.experiments.play.session import Session
from bdgame_env.experiments.play.web.hub import REACTIONS
from bdgame_env.experiments.play.web.links import Link
from bdgame_env.experiments.play.web.messages import MOST_FRAMES, Seen, page_view, why_message
from bdgame_env.experiments.play.web.server import ASSETS, MOST_BYTES
from bdgame_env.records.game_record import GameRecord
from tests.support import bots
from tests.support.bid_game import GAME as BID
from tests.support.served import Page, Served, new_links, served
from tests.support.toy_game import GAME as TOY


def toy(*seats: str, **options: Any) -> Session:
    return Session(Match(TOY, seed=1, players=len(seats), **options), seats)


@pytest.fixture
def two() -> Iterator[Served]:
    """Two people with a link each, and a third link for spectators."""
    with served(toy("human", "human:Ann")) as game:
        yield game


# Who is let in


@pytest.mark.parametrize(
    ("path", "origin", "host"),
    [
        ("{url}", "http://evil.example", None),
        ("{url}", "null", None),
        ("{url}", "http://localhost:1", None),
        ("{url}", "http://evil.example:{port}", "evil.example:{port}"),
        ("/play/wrong/socket", None, None),
        ("/elsewhere", None, None),
    ],
)
def test_strangers_are_refused(two: Served, path: str, origin: str | None, host: str | None) -> None:
    """Pages of other sites, DNS rebinding, and clients without a link."""
    url = two.url().replace("http", "ws") + "/socket"
    address = url if path == "{url}" else f"ws://127.0.0.1:{two.port}{path}"
    named = host.format(port=two.port) if host else None
    headers = {"Host": named} if named else {}
    with pytest.raises(InvalidStatus) as refused:
        connect(
            address,
            origin=origin.format(port=two.port) if origin else None,  # type: ignore[arg-type]
            additional_headers=headers,
            proxy=None,
        )
    assert refused.value.response.status_code in (403, 404, 400)


def test_our_own_page_and_programs_are_let_in(two: Served) -> None:
    two.page(origin=f"http://127.0.0.1:{two.port}").close()
    two.page().close()


def get(game: Served, path: str, host: str | None = None) -> tuple[int, str, dict[str, str]]:
    connection = HTTPConnection("127.0.0.1", game.port, timeout=30)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, {name.lower(): value for name, value in answer.getheaders()}


def test_pages_and_their_parts(two: Served) -> None:
    path = f"/play/{two.links[0].token}"
    code, text, headers = get(two, path)
    assert code == 200 and "<title>" in text and "http://" not in text and "https://" not in text
    assert "default-src 'none'" in headers["content-security-policy"] and headers["referrer-policy"] == "no-referrer"
    parts = re.findall(r"/static/([^\"]+)", text)
    assert len(parts) == 12 and set(parts) < set(ASSETS), "the others belong to the lobby"
    whole = len(text)
    for name in ASSETS:
        code, text, _ = get(two, f"/static/{name}")
        whole += len(text) if name in parts else 0
        assert code == 200 and "://" not in text.replace("${scheme}//", "").replace("http://www.w3.org/2000/svg", "")
    assert whole < 100_000, "a page is light"
    for wrong in (
        "/play/wrong",
        "/static/replay.html",
        "/static/..%2fserver.py",
        "/static/../server.py",
        "/",
        "/record",
    ):
        assert get(two, wrong)[0] == 404
    assert get(two, path, "evil.example")[0] == 421


# Who may do what


def test_who_plays_shows_a_reaction_to_all(two: Served) -> None:
    mine, other, onlooker = two.page(0), two.page(1), two.page(2)
    mine.ask(do="react", what=2)
    for page in (mine, other, onlooker):
        assert page.wait("notice")["text"].endswith(": " + REACTIONS[2])
    for page, what, error in ((mine, 2, "every 3 seconds"), (onlooker, 0, "only players"), (other, 9, "0 to 3")):
        page.ask(do="react", what=what)
        assert error in page.wait("error")["text"]
    assert two.session.changes == 0


def test_a_link_moves_for_its_own_seat_only(two: Served) -> None:
    mine, other, onlooker = two.page(0), two.page(1), two.page(2)
    assert mine.view["mine"] == [0] and mine.view["seat"] == 0 and mine.view["legal"] == ["draw", "pass"]
    assert other.view["legal"] == onlooker.view["legal"] == [] and onlooker.view["seat"] is None
    for page in (other, onlooker):
        assert page.play("pass") == {"type": "error", "text": "it is not your turn"}
        for wish in ("undo", "hint"):
            page.ask(do=wish)
            assert page.wait("error")["text"] == "it is not your turn"
    assert two.session.changes == 0
    assert mine.play("pass")["number"] == 1
    assert mine.play("pass") == {"type": "error", "text": "it is not your turn"}
    assert other.wait_for(1)["legal"] == ["draw", "pass"] and onlooker.wait_for(1)["to_move"] == 1


def test_an_illegal_move_changes_nothing(two: Served) -> None:
    page = two.page()
    for move in ("take keep", "jump", "", "x" * 2000):
        assert page.play(move)["type"] == "error"
    page.ask(do="move", move="pass", number=7)
    assert page.wait("error")["text"] == "the table has changed: this is decision 1, the move was for decision 8"
    assert two.session.changes == 0 and page.play("draw")["number"] == 1


def test_undo_over_the_link() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    with served(session) as game:
        page = game.page()
        assert not page.view["undo"] and page.play("collect")["undo"]
        page.ask(do="undo")
        assert page.wait("view")["number"] == 0 and page.view["log"] == [] and page.view["log_from"] == 0
        page.ask(do="undo")
        assert "nothing to undo" in page.wait("error")["text"]


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "[]",
        '{"do": 3}',
        '{"do": "everything"}',
        '{"do": "move", "move": ["pass"], "number": 0}',
        '{"do": "move", "move": "pass", "number": true}',
        '{"do": "move", "move": "pass", "number": NaN}',
        "[" * 4000,
        b"\x00\xff\xfe",
    ],
)
def test_garbage_gets_an_error_and_the_game_goes_on(two: Served, garbage: str | bytes) -> None:
    page = two.page()
    page.connection.send(garbage)
    assert page.wait("error")["text"].startswith("not understood: ")
    assert two.session.changes == 0 and page.play("pass")["number"] == 1


STRANGE = ["\ud800", "\x00", "\x1b[2J\x07", "\u202e\u200f", "\u2028\n\r", "é" * 250, '<b id="x">']
ASKED: list[tuple[dict[str, Any], str]] = [
    ({"do": "why", "id": "TEXT"}, "why"),
    ({"do": "TEXT"}, "error"),
    ({"do": "move", "move": "TEXT", "number": 0}, "error"),
    ({"do": "look", "number": "TEXT"}, "error"),
    ({"do": "hint", "TEXT": "TEXT"}, "hint"),
]


@pytest.mark.parametrize(("message", "kind"), ASKED, ids=[str(message) for message, _ in ASKED])
def test_a_page_is_answered_whatever_letters_it_sends(two: Served, message: dict[str, Any], kind: str) -> None:
    page = two.page()
    for text in STRANGE:
        page.ask(**{name.replace("TEXT", text): text if value == "TEXT" else value for name, value in message.items()})
        answer = page.wait(kind)
        if kind == "error":
            assert answer["text"].isprintable() and len(answer["text"]) < 1000
        elif kind == "why":
            assert answer["id"] == text
    assert page.play("pass")["number"] == 1


@pytest.mark.parametrize("text", STRANGE, ids=lambda text: ascii(text[:9]))
def test_names_and_faults_in_any_letters_reach_page_and_record(text: str, tmp_path: Path) -> None:
    class Fails(bots.First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            raise RuntimeError(text)

    session = toy(f"human:{text}", f"agent{text}")
    with served(session, {1: Fails(TOY, session.match.config)}) as game:
        page = game.page()
        page.play("pass")
        while page.view["ending"] is None:
            page.wait("view")
        assert all(told.isprintable() for told in (*page.view["names"], page.view["ending"]["reason"]))
        page.ask(do="record")
        told = page.wait("record")["text"]
    write_record(tmp_path / "x.txt", session.record())
    assert GameRecord.from_text(told) == session.record() == read_record(tmp_path / "x.txt")


def test_who_does_not_stop_is_thrown_out_and_may_come_back(two: Served) -> None:
    page = two.page()

    def rage() -> None:
        for _ in range(500):
            page.connection.send("garbage")
        while True:
            page.receive()

    with pytest.raises(ConnectionClosed) as closed:
        rage()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
    assert two.page().play("pass")["number"] == 1


def test_a_message_that_is_too_long_is_not_read(two: Served) -> None:
    page = two.page()
    page.connection.send(json.dumps({"do": "move", "move": "x" * MOST_BYTES, "number": 0}))
    with pytest.raises(ConnectionClosed) as closed:
        page.wait("error")
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    assert two.page().play("pass")["number"] == 1


def test_a_lost_connection_finds_the_game_where_it_stood(two: Served) -> None:
    page = two.page()
    page.play("draw")
    before = page.view
    page.vanish()
    again = two.page()
    same = {name: again.view[name] for name in ("number", "legal", "points", "to_move", "seat")}
    assert same == {name: before[name] for name in same}
    now, then = again.view["frames"], before["frames"][-1:]
    assert [frame["number"] for frame in now] == [1] and len(again.view["log"]) == 1
    assert all(part["svg"] for part in now[0]["parts"]) and len(now[0]["parts"]) == len(then[0]["parts"])
    assert again.play("take keep")["number"] == 2


def test_spectators_and_tabs_come_and_go() -> None:
    with served(toy("human", "human")) as game:
        pages = [game.page(number % 2) for number in range(4)] + [game.page(2) for _ in range(20)]
        pages[0].play("draw")
        pages[0].play("take keep")
        for page in pages:
            assert page.wait_for(2)["to_move"] == 1
        for page in pages[::2]:
            page.vanish()
        assert pages[1].play("pass")["number"] == 3
        assert {page.wait_for(3)["number"] for page in pages[1::2]} == {3}


# Who sees what


def test_hidden_cards_are_not_in_what_pages_receive() -> None:
    """Gizmos: only the researcher's page gets the cards looked at and the order in which they go back."""
    session = Session(Match(get_game("gizmos-v3"), seed=1), ("human", "human"))
    with served(session) as game:
        mine, other, onlooker = game.page(0), game.page(1), game.page(2)
        mine.play("research 1")
        cards = session.match.snapshot(seat=0)["hand"]["cards"]
        assert isinstance(cards, list) and session.match.snapshot(seat=1)["hand"]["cards"] == len(cards)
        mine.play("keep none")
        move = mine.view["legal"][-1]
        mine.play(move)
        mine.wait_for(3)
        assert mine.view["log"][-1]["move"] == move
        for page in (other, onlooker):
            page.wait_for(3)
            assert page.view["log"][-1]["move"] == "under (hidden)" and move not in "".join(page.received)


def test_one_page_for_two_people_is_covered_when_the_other_is_to_move() -> None:
    with served(toy("human", "human"), separate=False) as game:
        page = game.page()
        assert page.view["covered"] and page.view["legal"] == [] and page.view["seat"] is None
        assert page.play("pass")["type"] == "error" and game.session.changes == 0
        page.ask(do="ready")
        assert page.wait("view")["seat"] == 0 and page.view["legal"] == ["draw", "pass"]
        assert page.play("pass")["covered"] and page.view["seat"] is None
        page.ask(do="ready")
        assert page.wait("view")["seat"] == 1
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    (link, _) = new_links(session, separate=False)
    assert not link.covered and link.shown == 0, "where all see the same nothing needs to be covered"


# Agents


class Waits(bots.First):
    """Thinks until it is released, and notes how many ask it at the same time."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.go, self.busy, self.most = threading.Event(), 0, 0

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        self.busy += 1
        self.most = max(self.most, self.busy)
        assert self.go.wait(60)
        self.busy -= 1
        return super().act(observation, mask, states)


def test_the_server_answers_while_an_agent_thinks() -> None:
    session = toy("human", "slow", "human")
    agent = Waits(TOY, session.match.config)
    with served(session, {1: agent}) as game:
        page = game.page()
        page.play("pass")
        assert page.view["to_move"] == 1
        assert page.play("pass")["text"] == "it is not your turn"
        again = game.page(1)
        assert again.view["number"] == 1 and get(game, f"/play/{game.links[0].token}")[0] == 200
        agent.go.set()
        assert page.wait_for(3)["to_move"] == 2 and again.wait_for(3)["seat"] == 2


def test_players_say_what_to_be_called(two: Served) -> None:
    page, other, onlooker = two.page(0), two.page(1), two.page(2)
    assert page.view["names"] == ["Player 1", "Ann"]
    for name, why in (
        ("x" * 21, "a name can have at most 20 characters; this one has 21"),
        ("two\nlines", "a name must be one line of visible characters"),
        ("\u202egnal", "a name must be one line of visible characters"),
        ("\ud83d", "a name must be one line of visible characters"),
        ("ANN", "the name ANN is taken"),
    ):
        page.ask(do="name", seat=0, name=name)
        assert page.wait("error")["text"] == why
    page.ask(do="name", seat=1, name="Eve")
    assert page.wait("error")["text"] == "only players have names, and you can change only your own"
    onlooker.ask(do="name", seat=0, name="Eve")
    assert "only players" in onlooker.wait("error")["text"]
    page.ask(do="name", seat=0, name="<b>Bo: 1</b>")
    for each in (page, other, onlooker):
        assert each.wait("view")["names"] == ["<b>Bo: 1</b>", "Ann"]
    assert two.session.record().seats == ("<b>Bo: 1</b>", "Ann")
    page.play("pass")
    page.ask(do="name", seat=0, name="")
    assert page.wait("view")["names"] == ["Player 1", "Ann"]


def test_a_name_is_in_all_words_and_drawings() -> None:
    session = Session(Match(get_game("pixel-pusher-v2"), seed=3, players=3), ("human",) * 3)
    leader = session.match.snapshot()["leaders"]["collect"]
    with served(session) as game:
        page = game.page((leader + 1) % 3)

        def facts() -> str:
            return next(part["svg"] for part in page.view["frames"][-1]["parts"] if part["name"] == "facts")

        assert f"first in Collect: Player {leader + 1}" in facts()
        game.page(leader).ask(do="name", seat=leader, name="Zoë <3")
        page.wait("view")
        assert "first in Collect: Zoë &lt;3" in facts()


def test_agents_are_called_without_their_settings_and_no_two_alike() -> None:
    specs = ("level:3", "mcts:time=1,c=2", "human", "mcts:time=3", "tests.support.bots:First", "human:bot 3")
    assert names_of(specs) == [*("bot 3a", "mcts (1)", "Player 3", "mcts (2)", "tests.support.bots:First", "bot 3b")]


def test_a_player_can_resign_at_any_time_even_while_an_agent_thinks() -> None:
    session = toy("human", "slow", "human")
    agent = Waits(TOY, session.match.config)
    with served(session, {1: agent}) as game:
        page, onlooker = game.page(0), game.page(2)
        onlooker.ask(do="resign")
        assert "only players" in onlooker.wait("error")["text"]
        page.play("pass")
        page.ask(do="resign")
        while page.view["ending"] is None:
            page.wait("view")
        told = "forfeited: Player 1 resigned — 1. slow: 0, 1. Player 3: 0, 3. Player 1: 0"
        assert page.view["ending"] == {
            "how": "forfeited",
            "ranks": [3, 1, 1],
            "loser": 0,
            "reason": "resigned",
            "told": told,
            "winner": "slow and Player 3 share first place",
        }
        assert page.view["prompt"] == "Forfeited: Player 1 resigned — slow and Player 3 share first place"
        agent.go.set()  # its answer comes too late, and changes nothing
        page.ask(do="resign")
        assert page.wait("error")["text"] == "the game is over"
        page.ask(do="record")
        assert GameRecord.from_text(page.wait("record")["text"]) == session.record()
    assert session.number == 1


def test_an_agent_that_fails_ends_the_game_and_the_record_can_be_had() -> None:
    session = toy("human", "crashes")
    with served(session, {1: bots.Crashes(TOY, session.match.config)}) as game:
        page, onlooker = game.page(0), game.page(1)
        page.ask(do="record")
        assert "only after the game" in page.wait("error")["text"]
        page.play("pass")
        while page.view["ending"] is None:
            page.wait("view")
        assert page.view["ending"]["reason"] == "raised RuntimeError: lost my way" and page.view["legal"] == []
        onlooker.ask(do="record")
        record = GameRecord.from_text(onlooker.wait("record")["text"])
        assert record == session.record() and record.ending is not None and record.ending.loser == 1


def test_a_long_run_of_moves_is_told_by_its_last_pictures() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    link, seen = Link("secret", (1,), 1), Seen()
    page_view(session, link, seen)
    for number in range(60):
        moves = session.match.legal_moves()
        session.play(session.match.seat, moves[number * 7919 % len(moves)])
    view = page_view(session, link, seen)
    assert len(view["frames"]) == MOST_FRAMES and view["frames"][-1]["number"] == 60 and len(view["log"]) == 60


# The command


def test_the_command_serves_a_game_and_keeps_its_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    command = [sys.executable, "-m", "experiments", "play", "bdgame-v3", "--seats", "human,random,human:Bob", "--links"]
    command += ["--no-open", "--port", "0", "--seed", "5", "--record", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stderr is not None
        lines = [program.stdout.readline().strip() for _ in range(4)]
        assert lines[0].startswith("seat 0 human: http://127.0.0.1:") and lines[1].startswith("seat 2 Bob: http://")
        assert lines[2].startswith("spectators: http://") and "Ctrl-C" in lines[3]
        with connect(lines[0].split(": ", 1)[1].replace("http", "ws") + "/socket", proxy=None) as connection:
            page = Page(connection)
            while page.view["to_move"] == 0:
                page.play(page.view["legal"][0])
            number = page.view["number"]
            page.wait_for(number + 1)
            program.send_signal(signal.SIGINT)
        assert program.wait(30) in (0, 130)
        assert "Traceback" not in program.stderr.read()
    record = GameRecord.from_text(file.read_text("utf-8"))
    assert record.seats == ("human", "random", "Bob") and len(record.moves) > number
    list(record.play(get_game("bdgame-v3")))


# The agent of hints


def test_the_agent_of_hints_is_asked_one_question_at_a_time() -> None:
    """Even if the page that asked has gone."""
    session = toy("human", "human")
    thinker = Waits(TOY, session.match.config)
    with served(session, hinter=thinker) as game:
        first = game.page()
        first.ask(do="hint")
        first.wait("thinking")
        first.close()
        again = game.page()
        again.ask(do="hint")
        assert again.wait("error")["text"] == "a hint is already on its way"
        assert again.play("jump")["type"] == "error", "the page is heard meanwhile"
        thinker.go.set()
        for _ in range(100):
            again.ask(do="hint")
            if (answer := again.receive())["type"] == "hint":
                break
            time.sleep(0.05)
        assert (answer["move"], answer["number"]) == ("draw", 0) and thinker.most == 1


def test_a_hint_that_comes_too_late_is_not_told() -> None:
    """The next person may look at the page by then."""
    session = toy("human", "human")
    thinker = Waits(TOY, session.match.config)
    with served(session, hinter=thinker, separate=False) as game:
        page = game.page()
        page.ask(do="ready")
        while not page.view["legal"]:
            page.wait("view")
        page.ask(do="hint")
        page.wait("thinking")
        assert page.play("pass")["type"] == "view"
        thinker.go.set()
        assert page.wait("error")["text"] == "the position has changed since you asked for a hint"


@pytest.mark.parametrize("path", ["/play/%C3%A9", "/replay/%C3%A9", "/lobby/%C3%A9"])
def test_a_link_in_strange_letters_is_no_link(two: Served, path: str) -> None:
    assert get(two, path)[0] == 404


def test_a_host_that_is_no_name_is_refused(two: Served) -> None:
    assert get(two, f"/play/{two.links[0].token}", "[")[0] in (400, 421)


@pytest.mark.parametrize("game_id", list_games())
def test_why_of_something_that_is_not_there(game_id: str) -> None:
    session = Session(Match(get_game(game_id), seed=3), ("human", "human"))
    link = new_links(session, separate=True)[0]
    for id in ("order-99", "seat-0-order-x", "pile-x", "seat-0-storage-Z", "deck-9", "seat-9-hand-0", "", '"'):
        assert why_message(session, link, id)["text"] == ""


def test_between_people_hints_are_the_hosts_choice_and_told_to_all() -> None:
    for seats, hints, given in (
        ("human random", False, True),
        ("human human", False, False),
        ("human human", True, True),
    ):
        assert Plan("toy-v1", {}, seats.split(), hints=hints).gives_hints == given
    with served(toy("human:Ann", "human"), hints=False) as game:
        page = game.page(0)
        page.ask(do="hint")
        assert page.wait("error")["text"] == "hints are off in this game"
    with served(toy("human:Ann", "human")) as game:
        page, other, watching = (game.page(number) for number in range(3))
        page.ask(do="hint")
        assert page.wait("hint")["move"]
        for one in (other, watching):
            assert one.wait("notice")["text"] == "Ann took a hint"


def test_while_seats_choose_in_secret_nobody_learns_who_was_given_a_hint() -> None:
    session = Session(Match(BID, seed=4, players=3), ("human:Ann", "human", "human"))
    with served(session) as game:
        page, other = game.page(0), game.page(1)
        page.ask(do="hint")
        page.wait("hint")
        page.ask(do="move", move="bid 1", number=0)
        page.wait("view")
        assert [json.loads(text)["type"] for text in other.received].count("notice") == 0
