"""The picture of Nicodemus holds what the snapshot holds, element by element."""

from __future__ import annotations

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.nicodemus.cards import KINDS, NUM_PROJECTS, PROJECT_MACHINES, RESOURCES, TOKENS
from bdgame_env.games.nicodemus.drawing.cards import SAYS, needs, project_words
from bdgame_env.games.nicodemus.game import GAME
from bdgame_env.render.picture import picture_of
from bdgame_env.render.scene import Scene
from bdgame_env.render.text_picture import text_picture
from tests.games.nicodemus.positions import position
from tests.support.pictures import Shown, positions

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT


@pytest.fixture(params=[1, 2, 3], scope="module")
def pictures(request: pytest.FixtureRequest) -> list[tuple[Match, Shown]]:
    """Positions of one game, each with its picture."""
    return [(match.clone(), Shown(match)) for match in positions(Match(GAME, seed=request.param), 3, 120)]


def test_bric_a_brac_projects_and_reserve(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        spaces = [(shown.data(f"space-{n}", "card"), shown.count(f"space-{n}", "charcoalium")) for n in range(1, 11)]
        row = [(there["kind"], there["charcoalium"]) for there in position["bric_a_brac"]]
        assert spaces == [*row, *[("", 0)] * (10 - len(row))]
        tiles = [shown.data(f"project-{number}", "card") for number in range(6)]
        assert tiles == ["" if tile is None else str(tile) for tile in position["projects"]]
        assert {token: shown.count(f"reserve-{token}") for token in TOKENS} == position["reserve"]
        assert shown.count("deck") == position["deck"] and shown.count("project-deck") == position["project_deck"]
        assert shown.count("removed") == sum(position["removed"].values())


def test_each_player(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        for seat, facts in enumerate(shown.snapshot["seats"]):
            name = f"seat-{seat}"
            assert shown.count(f"{name}-points", "points") == facts["points"] == match.points()[seat]
            assert {token: shown.count(f"{name}-{token}") for token in TOKENS} == facts["tokens"]
            machines = [shown.data(f"{name}-workshop-{place}", "card") for place in range(1, 5)]
            assert machines == [*facts["workshop"], *[""] * (4 - len(facts["workshop"]))]
            for entry in ("reserved", "completed"):
                assert [shown.count(id, "card") for id in shown.ids(f"{name}-{entry}-")] == facts[entry]
            if seat == shown.seat:
                assert {shown.data(id, "card"): shown.count(id) for id in shown.ids(f"{name}-hand-")} == facts["hand"]
            else:
                assert shown.count(f"{name}-hand") == facts["hand"] and not shown.ids(f"{name}-hand-")


def test_moves_are_on_the_element_that_they_are_about(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        about = shown.moves()
        for move in match.legal_moves():
            verb, _, given = move.partition(" ")
            wanted = f"move-{verb}"
            if verb in ("charcoalium", "produce", "effect", "discard"):
                wanted = f"seat-{match.seat}-hand-{given}"
            elif verb in ("repair", "target"):
                wanted = f"space-{given}"
            elif verb == "exchange" and not given.startswith("charcoalium"):
                wanted = f"seat-{match.seat}-{given.partition('-')[0]}"
            elif verb in ("wild", "pick", "exchange"):
                lost = verb == "pick" and shown.snapshot["effect"] in ("R2", "R4")
                wanted = f"{'lose' if lost else 'reserve'}-{next(name for name in RESOURCES if name in given)}"
            elif verb == "keep":
                wanted = f"offer-{given}"
            elif verb == "complete":
                projects = shown.snapshot["projects"]
                on_board = int(given) in projects
                wanted = f"project-{projects.index(int(given))}" if on_board else f"seat-{match.seat}-reserved-{given}"
            elif verb == "partner":
                wanted = f"seat-{match.seat}-workshop-{given}"
            assert [id for id, moves in about.items() if move in moves] == [wanted]


def test_known_machines_are_named_for_players_only() -> None:
    """N16.6: beside the hand that they are in, for both seats; a spectator is told nothing."""
    t = position(hand="R3", known="B1 B1 Y2", other={"hand": "B1 B1 Y2 P1 P2"})
    for seat in (0, 1):
        told = text_picture(Scene(GAME, t.match.snapshot(seat=seat), seat=seat))
        assert "known 2xB1 Y2" in next(line for line in told.splitlines() if line.startswith("seat 1"))
        assert "(known 2xB1 Y2)" in picture_of(t.match, seat=seat)
    assert "known" not in text_picture(Scene(GAME, t.public)) and "known" not in picture_of(t.match)
    t.play("effect R3")
    assert "(perhaps 2xB1 Y2)" in picture_of(t.match, seat=1)


def test_every_machine_and_project_says_what_it_does() -> None:
    assert tuple(SAYS) == KINDS and all(2 <= len(lines) <= 3 for lines in SAYS.values())
    assert len({str(lines) for lines in SAYS.values()}) == len(KINDS)
    for number in range(NUM_PROJECTS):
        assert sum(count for count, _ in needs(number)) == PROJECT_MACHINES[number]
    assert project_words(0) == "#0 blue purple red yellow = 5 points"
    assert project_words(5) == "#5 2 twins = 2 points"


def test_the_text_tells_the_same(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        text = text_picture(shown.scene)
        for seat, facts in enumerate(shown.snapshot["seats"]):
            head = next(line for line in text.splitlines() if line.startswith(f"seat {seat}"))
            assert f"  {facts['points']} points" in head and ("(you)" in head) == (seat == shown.seat)
        kinds = [there["kind"] for there in shown.snapshot["bric_a_brac"]]
        assert all(f"{space:4} {kind} " in text for space, kind in enumerate(kinds, 1))
