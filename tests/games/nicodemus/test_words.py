"""What the page of Nicodemus says of moves and asks for."""

from __future__ import annotations

from bdgame_env.games.nicodemus.drawing import DRAW
from bdgame_env.render.drawings import words_of
from bdgame_env.render.picture import scene_of

from .positions import Position, position

PLENTY = "6 charcoalium 8 wood 8 copper 8 crystal"


def forgone(at: Position) -> dict[str, str]:
    assert DRAW.wording is not None
    scene = scene_of(at.match, seat=at.match.seat)
    return {move: told for move in scene.legal if (told := DRAW.wording.forgoes(scene, move))}


def asked(at: Position) -> str:
    assert DRAW.wording is not None
    return DRAW.wording.turn(scene_of(at.match, seat=at.match.seat))


def test_a_project_says_which_ones_it_rules_out() -> None:
    """N20.7: those with lower numbers that could be completed now."""
    for board, told in (([10, 14], {"complete 14": "1 charcoalium and 1 copper (2 points)"}), ([10], {}), ([14], {})):
        at = position(row="P3", workshop="R2 Y2", tokens=PLENTY, board=board).play("repair 1")
        assert forgone(at) == {
            move: f"After this, you cannot complete the project for {what}" for move, what in told.items()
        }
    assert forgone(position(row="P3", workshop="R2 Y2", tokens=PLENTY, board=[10, 14])) == {}


def test_blue_machines_say_what_they_bring_now() -> None:
    """N9: they count themselves, too; wild symbols count for B5 only."""
    at = position(hand="B3 B5", row="P3 R2 B5 P1")
    words = {move: words_of(scene_of(at.match, seat=0), move) for move in ("effect B3", "effect B5")}
    assert words["effect B3"].endswith(" in the bric-a-brac (3 now)")
    assert words["effect B5"].endswith(" in the bric-a-brac (3 now)")


def test_nobody_gains_more_than_there_is() -> None:
    """N14.1: of 8 copper, 6 are one's own."""
    at = position(hand="B3", row="P3 R2 B3", tokens="6 copper")
    told = words_of(scene_of(at.match, seat=0), "effect B3")
    at.play("effect B3")
    assert at.match.snapshot()["seats"][0]["tokens"]["copper"] == 8 and told.endswith(" (2 now)")


def test_effects_name_what_they_ask_for() -> None:
    """A machine is copied for Y2, and discarded for the others."""
    for name, told in (
        ("P2", "Which machine do you discard? You gain 1 resource from its cost"),
        ("P3", "Which machine do you discard? You gain 1 charcoalium and 1 resource from its cost"),
        ("Y2", "Which machine's effect do you copy?"),
    ):
        assert asked(position(hand=name, row="B1 R2 P5").play(f"effect {name}")) == told
