"""What the page of Nicodemus says of moves and asks for."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from bdgame_env import get_game
from bdgame_env.engine.match import Match
from bdgame_env.games.nicodemus.drawing import DRAW
from bdgame_env.render.drawings import words_of
from bdgame_env.render.picture import scene_of
from bdgame_env.render.wording import difference

from .positions import Position, position

PLENTY = "6 charcoalium 8 wood 8 copper 8 crystal"


def forgone(at: Position) -> dict[str, str]:
    return forgone_in(at.match)


def forgone_in(match: Match) -> dict[str, str]:
    assert DRAW.wording is not None
    scene = scene_of(match, seat=match.seat)
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


def test_what_leaves_the_game_is_said_before() -> None:
    """N13.4: the tenth machine clears spaces 1 to 5, however it is used; N8: of four machines the newest stays."""
    for row, cleared in (("B1 B1 B1 B1 P1 P1 P1 P1", False), ("B1 B1 B1 B1 P1 P1 P1 P1 P2", True)):
        told = forgone(position(row=row, hand="B2", tokens=PLENTY))
        plays = {"charcoalium B2", "produce B2", "effect B2"} if cleared else set()
        assert set(told) == plays and all("spaces 1 to 5 leave the game" in each for each in told.values())
    at = position(row="P3", workshop="R2 Y2 Y1", tokens=PLENTY, board=[10]).play("repair 1")
    assert forgone(at) == {"done": "Your workshop is full: R2, Y2 and Y1 leave it"}


def test_the_row_is_cleared_when_it_is_said_to_be() -> None:
    """By whatever is played on the last space, in random games; a copied effect may go either way."""
    rng, found = np.random.default_rng(1), Counter[bool]()
    for number in range(12):
        match = Match(get_game("nicodemus-v2"), seed=number)
        while not match.over:
            legal = match.legal_moves()
            words = forgone_in(match) if len(match.snapshot()["bric_a_brac"]) == 9 else {}
            for move in legal if words else ():
                if move.split()[0] not in ("charcoalium", "produce", "effect") or "copied" in words.get(move, ""):
                    continue
                twin, seat = match.clone(), match.seat
                twin.play(move)
                while not twin.over and twin.seat == seat:
                    twin.play(str(rng.choice(twin.legal_moves())))
                cleared = len(twin.snapshot()["bric_a_brac"]) <= 5
                assert cleared == (move in words), (number, move)
                found[cleared] += 1
            match.play(str(rng.choice(legal)))
    assert found[True] > 50 and found[False] > 5


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


def test_picks_name_all_that_follows_from_them() -> None:
    """N20.4: they rise, so who picks crystal first for R4 picks it twice; B5 gains all at once."""
    said, found = re.compile(r"(Gain|Steal|Make your opponent return) (.*?)(, then choose another resource)?"), set()
    for seed in range(60):
        match = Match(get_game("nicodemus-v2"), seed=seed)
        while not match.over:
            legal = match.legal_moves()
            for move in legal if match.snapshot()["phase"] == "pick" else ():
                seat, twin = match.seat, match.clone()
                told = said.fullmatch(words_of(scene_of(match, seat=seat), move))
                assert told, move
                twin.play(move)
                before, after = match.snapshot(), twin.snapshot()
                more = [difference(*(each["seats"][who]["tokens"] for each in (before, after))) for who in (0, 1)]
                changed = more[1 - seat][1] if told[1] == "Make your opponent return" else more[seat][0]
                named = {name: int(count) for count, name in (each.split() for each in told[2].split(" and "))}
                assert changed == {name: count for name, count in named.items() if count}, told[0]
                again = after["phase"] == "pick" and after["seat"] == seat and len(twin.legal_moves()) > 0
                assert bool(told[3]) == again
                found.add((before["effect"], sum(named.values()), len(named), again))
            match.play(next((each for each in legal if each.startswith("effect")), legal[seed * 7919 % len(legal)]))
    for effect in ("R4", "P5"):
        assert {(effect, 2, 1, False), (effect, 2, 2, False), (effect, 1, 1, True)} < found
    assert ("R2", 1, 1, False) in found and ("P1", 1, 1, True) in found
    assert any(effect == "B5" and count > 1 for effect, count, *_ in found)
