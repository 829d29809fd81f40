"""What pages ask for besides moves: earlier positions, reasons, the end; nothing hidden is in the answers."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Refused, Session
from bdgame_env.experiments.play.web.aftermath import finish_message
from bdgame_env.experiments.play.web.links import Link
from bdgame_env.experiments.play.web.messages import Seen, look_message, page_view, why_message
from bdgame_env.render.drawings import drawing_of, reason_against, words_of_moves
from bdgame_env.render.picture import scene_of
from bdgame_env.render.prompt import MARK, prompt
from bdgame_env.render.table import LEAST_TEXT, OTHER
from tests.support.served import served
from tests.support.toy_game import GAME as TOY


def played(match: Match, moves: int) -> Session:
    session = Session(match, ["human"] * match.players)
    for number in range(moves):
        legal = session.match.legal_moves()
        if session.over:
            break
        session.play(session.match.seat, legal[number * 7919 % len(legal)])
    return session


@pytest.mark.parametrize("game_id", list_games())
def test_the_log_in_words_tells_no_more_than_the_notation(game_id: str) -> None:
    """Where a viewer is told a move in another form, its words are those of that form."""
    session = played(Match(get_game(game_id), seed=5), 60)
    for viewer in (None, 0, 1):
        for told in session.log(viewer):
            assert bool(told.words) == bool(told.move.move)
            if not told.move.move:
                assert told.said == {} and told.move.remarks == {}


@pytest.mark.parametrize("game_id", list_games())
@pytest.mark.parametrize("seat", [None, 0])
def test_parts_fit_a_phone_and_every_move_is_shown(game_id: str, seat: int | None) -> None:
    game = get_game(game_id)
    for players in sorted(set(game.seats)):
        session = played(Match(game, seed=3, players=players), 13)
        mover = session.match.seat if seat is not None else None
        parts, others = session.table(session.number, mover)
        shown = [move for part in parts for moves in _moves(part["svg"]) for move in moves] + others
        assert sorted(set(shown)) == sorted(session.match.legal_moves() if mover is not None else [])
        assert len({part["name"] for part in parts}) == len(parts)
        owners = {part["seat"] for part in parts if part["zone"] == "other"}
        assert owners == set(range(players)) - {mover}
        assert all(1 <= part["touch"] < 3.5 for part in parts if part["zone"] != "other")


@pytest.mark.parametrize("game_id", list_games())
def test_text_can_be_read_and_parts_keep_their_size(game_id: str) -> None:
    """At their smallest size, which is that of a small laptop: 12 pixels, and the same places all through a game."""
    game = get_game(game_id)
    for players in sorted(set(game.seats)):
        match = Match(game, seed=players, players=players)
        sizes: dict[str, tuple[float, float]] = {}
        for number in range(160):
            if match.over:
                break
            legal = match.legal_moves()
            match.play(legal[number * 7919 % len(legal)])
            draw = drawing_of(game).table
            assert draw is not None
            for part in draw(scene_of(match, seat=match.seat)):
                if part.zone != OTHER:
                    assert part.least_text >= LEAST_TEXT, part.name
                    assert sizes.setdefault(part.name, (part.width, part.height)) == (part.width, part.height), (
                        part.name
                    )


@pytest.mark.parametrize(
    ("game_id", "stage"),
    [
        ("bdgame-v3", "round 1, game ends at 30 points"),
        ("gizmos-v3", "round 1, game ends at 16 cards or 4 of level 3"),
        ("nicodemus-v2", "round 1, game ends at 20 points"),
        ("pixel-pusher-v2", "round 1 of 7, Draft"),
    ],
)
def test_a_page_says_how_far_the_game_is_and_what_ends_it(game_id: str, stage: str) -> None:
    session = played(Match(get_game(game_id), seed=5), 0)
    for link in (Link("one", (0,), 0), Link("all", ())):
        assert page_view(session, link, Seen())["frames"][-1]["stage"] == stage


@pytest.mark.parametrize("game_id", list_games())
def test_every_decision_is_in_one_of_the_phases_of_its_page(game_id: str) -> None:
    session = played(Match(get_game(game_id), seed=5), 0)
    seen = set()
    for number in range(600):
        if session.over or (number > 60 and len(seen) > 1):
            break
        seat = session.match.seat
        phases = page_view(session, Link("one", (seat,), seat), Seen())["frames"][-1]["phases"]
        assert 0 <= phases["now"] < len(phases["names"])
        seen.add(phases["now"])
        legal = session.match.legal_moves()
        session.play(seat, legal[number * 7919 % len(legal)])
    assert len(seen) > 1 or game_id.startswith("nicodemus")  # where chance completes no projects


def _moves(svg: str) -> list[list[str]]:
    elements = ElementTree.fromstring(svg).iter()
    return [json.loads(each.attrib["data-moves"]) for each in elements if "data-moves" in each.attrib]


@pytest.mark.parametrize("game_id", list_games())
def test_every_element_that_is_not_legal_has_a_reason_with_its_paragraph(game_id: str) -> None:
    session = played(Match(get_game(game_id), seed=2), 0)
    wording = drawing_of(session.match.game).wording
    assert wording is not None and 20 < wording.guide.count("\n") <= 60
    letters = set(re.findall(r"^ *- \*\*([A-Z])\d", (wording.folder / "RULES.md").read_text(encoding="utf-8"), re.M))
    codes = re.compile(rf"\b[{''.join(letters)}]\d|ruling|rulebook")
    found, offered = set(), 0
    for number in range(100):
        if session.over:
            break
        seat = session.match.seat
        link = Link("secret", (seat,), seat)
        for part in session.table(session.number, seat)[0]:
            for id in _not_legal(part["svg"]) - {"status"}:  # that one holds the others
                answer = why_message(session, link, id)
                assert answer["paragraph"] and answer["text"].endswith("."), answer
                twin = session.match.clone()
                for move in answer["moves"]:  # these lead to what it stands for
                    assert twin.seat == seat
                    twin.play(move)
                assert bool(answer["moves"]) == bool(answer["offer"])
                offered += bool(answer["moves"])
                assert not codes.search(answer["paragraph"]), answer
                found.add(answer["paragraph"])
        legal = session.match.legal_moves()
        session.play(seat, legal[number * 7919 % len(legal)])
    assert len(found) >= 3 and (offered > 10) == (game_id == "bdgame-v3")


@pytest.mark.parametrize("game_id", list_games())
def test_every_illegal_move_has_a_reason_and_no_two_legal_ones_read_alike(game_id: str) -> None:
    game = get_game(game_id)
    wording = drawing_of(game).wording
    assert wording is not None
    for players in sorted(set(game.seats)):
        session = played(Match(game, seed=2, players=players), 0)
        names = session.match.action_names
        found = set()
        for number in range(70):
            if session.over:
                break
            scene = session.scene(session.number, session.match.seat)
            words = words_of_moves(scene, scene.legal)
            assert len(set(words.values())) == len(scene.legal) == len(words), words
            for name in names[number % 7 :: 1 + len(names) // 9]:
                if name not in scene.legal:
                    reason = reason_against(scene, name)
                    assert reason is not None and wording.paragraph(reason.rule), (name, scene.snapshot["phase"])
                    assert reason.text.endswith("."), reason
                    found.add(reason.rule)
            session.play(session.match.seat, scene.legal[number * 7919 % len(scene.legal)])
        assert len(found) >= 5


def test_pages_show_rules_without_their_numbers() -> None:
    wording = drawing_of(get_game("bdgame-v3")).wording
    assert wording is not None
    assert "(B44)" in wording.paragraph("B22") and "(rulebook; ruling" in wording.paragraph("B22")
    assert wording.paragraph_for_players("B22").endswith("Then the limit of 10 cubes applies.")


def _not_legal(svg: str) -> set[str]:
    elements = ElementTree.fromstring(svg).iter()
    return {each.attrib["id"] for each in elements if "id" in each.attrib and "data-moves" not in each.attrib}


def _ids(svg: str) -> list[str]:
    return [piece.split('"', 1)[0] for piece in svg.split(' id="')[1:]]


@pytest.mark.parametrize("game_id", list_games())
def test_a_prompt_stands_alone_and_only_its_moves_look_like_moves(game_id: str) -> None:
    session = played(Match(get_game(game_id), seed=4), 40)
    scene = session.scene(session.number, session.match.seat)
    text = prompt(scene)
    numbered = [line.split()[1:] for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert len(numbered) == len(scene.legal)
    for line, move in zip(numbered, scene.legal, strict=True):
        assert line[: len(move.split())] == move.split()
    assert text.count(f"\n{MARK}") > 30 and "Cards in sight:" in text and "How it is played:" in text
    assert not any(line.strip() in scene.legal for line in text.splitlines())


def test_an_earlier_position_is_looked_at() -> None:
    session = played(Match(get_game("bdgame-v3"), seed=3), 5)
    first, now = (look_message(session, 1, number)["parts"] for number in (0, 5))
    assert first != now and first == look_message(session, 1, 0)["parts"]
    for number in (-1, 6):
        with pytest.raises(Refused, match="positions are 0 to 5"):
            look_message(session, 1, number)


def test_at_the_end_all_is_open_and_the_points_add_up() -> None:
    session = played(Match(get_game("nicodemus-v2"), seed=3), 10)
    with pytest.raises(Refused, match="not over"):
        finish_message(session)
    session = played(Match(get_game("nicodemus-v2"), seed=3), 2000)
    assert session.over
    for viewer in (None, 0, 1):
        ids = [id for part in session.table(session.number, viewer)[0] for id in _ids(part["svg"])]
        for seat in (0, 1):
            assert any(id.startswith(f"seat-{seat}-hand-") for id in ids), "both hands are shown"
    told = finish_message(session)
    assert told["points"][-1] == list(session.ending.points)
    assert [sum(sources.values()) for sources in told["sources"]] == told["points"][-1]


@pytest.mark.parametrize("game_id", list_games())
def test_points_are_told_by_source(game_id: str) -> None:
    options = {"max_rounds": 6} if "max_rounds" in get_game(game_id).options else {}
    match = Match(get_game(game_id), seed=3, **options)
    name = "greedy" if game_id.startswith("bdgame") else "heuristic"
    agent = make_agent(name, match.game, match.config, seed=1)
    session = Session(match, ("human", "human"))
    while not session.over:
        question = session.question()
        action = int(agent.act(question.observation, question.mask, question.states)[0])
        session.play(question.seat, match.action_names[action])
    told = finish_message(session)
    assert [sum(sources.values()) for sources in told["sources"]] == list(session.ending.points)
    assert len({name for sources in told["sources"] for name in sources}) <= 6, "a table that is seen at once"


def test_only_what_can_be_done_again_is_offered_several_times() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    assert session.following().again == {}
    session.play(0, "collect")
    session.play(0, "collect")
    for left in (5, 4, 3, 2):
        assert session.following().again["load Y@0"] == left
        session.play(0, "load Y@0")
    assert "load Y@0" in session.match.legal_moves() and "load Y@0" not in session.following().again, "the last cube"


# Robustness


def test_a_spectator_who_is_ready_wakes_nobody() -> None:
    session = Session(Match(TOY, seed=1, players=2), ("human", "human"))
    with served(session) as game:
        mine, watching = game.page(0), game.page(2)
        for _ in range(5):
            watching.ask(do="ready")
        assert mine.play("pass")["number"] == 1
        kinds = [json.loads(text)["type"] for text in mine.received]
        assert kinds == ["game", "view", "view"]


def test_pages_are_told_when_a_game_cannot_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails besides an agent; who comes later is told too, and no move is taken any more."""
    session = Session(Match(TOY, seed=1, players=2), ("human", "random"))
    agents = {1: make_agent("random", TOY, session.match.config, seed=1)}
    monkeypatch.setattr(session, "question", lambda: 1 / 0)
    why = "this game cannot go on: ZeroDivisionError: division by zero"
    with served(session, agents) as game:
        for page in (game.page(0), game.page(1)):
            if page.view["number"] == 0:
                page.ask(do="move", move="pass", number=0)
            assert page.wait("progress")["text"] == why
        late = game.page(0)
        assert late.wait("progress")["text"] == why
        late.ask(do="move", move="pass", number=1)
        assert late.wait("error")["text"] == why
