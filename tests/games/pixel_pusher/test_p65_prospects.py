"""What follows from a player's pixels (P65.1), against a slow reading of the seat's snapshot."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.prospects import PAIRS
from tests.games.pixel_pusher.positions import AXE, BAT, COLORS, PINK_CAT, position
from tests.support.reference.pixel_pusher_cards import (
    ABILITY_CONVERTERS,
    IMAGES,
    MACHINES,
    RECIPE_ORDER,
    RECIPES,
    Recipe,
)

OPTIONS: list[dict[str, str]] = [{}, {"line_points": "may_2018"}, {"triple": "any"}]
FIELDS = ("best_line", "one_short", "two_short", "after_recipe", "after_two", "after_giving")
NUMBERS = {name: number for number, name in enumerate(dict.fromkeys((*RECIPE_ORDER, *RECIPES)))}
EMPTY: dict[int, int | None] = dict.fromkeys(range(6))
Pixels = Counter[str]


class Reading:
    """What one seat can work out from its snapshot."""

    def __init__(self, match: Match, seat: int) -> None:
        self.data = match.snapshot(seat=seat)
        self.seat = seat
        self.own = self.data["seats"][seat]
        self.pixels: Pixels = Counter(self.own["pixels"])
        self.supply: Pixels = Counter(self.data["supply"])
        self.left = Counter(self._converters()) - Counter(self.own["used"])
        self.left -= Counter(ABILITY_CONVERTERS[name] for name in self.own["used_abilities"])

    def _converters(self) -> Iterator[str]:
        for slot in self.own["slots"]:
            if slot["type"] == "convert":
                yield from (MACHINES[kind].converter for kind in slot["cards"])
        yield from (ABILITY_CONVERTERS[name] for name in self.own["abilities"])

    def lines(self) -> Iterator[tuple[Pixels, int]]:
        """What each open line asks for, and its points."""
        for place in self.data["images"]:
            if place is not None:
                image = IMAGES[place["image"]]
                for line in range(len(image.cells)):
                    if not place["filled"][line]:
                        yield Counter(image.needs(line)), image.worth(line, self.data["options"]["line_points"])

    def best(self, pixels: Pixels) -> int:
        return max((points for need, points in self.lines() if not need - pixels), default=0)

    def short(self, colors: str) -> int:
        """The best line that lacks exactly these."""
        return max((points for need, points in self.lines() if need - self.pixels == Counter(colors)), default=0)

    def uses(self, pixels: Pixels, supply: Pixels, left: Mapping[str, int]) -> Iterator[tuple[Recipe, Pixels, Pixels]]:
        """The recipes that can be used, with pixels and supply after them."""
        for recipe in RECIPES.values():
            pay, gain = Counter(recipe.pay), Counter(recipe.gain)
            usual = recipe.converter != "triple" or recipe.pay[0] in "RGB"
            allowed = usual or self.data["options"]["triple"] == "any"
            if allowed and left[recipe.converter] and not pay - pixels and not gain - (supply + pay):
                yield recipe, pixels - pay + gain, supply + pay - gain

    def expected(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "best_line": self.best(self.pixels),
            "one_short": [self.short(color) for color in COLORS],
            "two_short": [self.short(pair) for pair in PAIRS],
            "after_recipe": [0] * len(RECIPES),
            "after_two": [0] * len(RECIPES),
            "after_giving": [0] * len(COLORS),
        }
        decides = self.data["seat"] == self.seat
        if decides and self.data["phase"] == "convert":
            for first, pixels, supply in self.uses(self.pixels, self.supply, self.left):
                number, best = NUMBERS[first.name], self.best(pixels)
                found["after_recipe"][number] = 1 + first.points + best
                for second, then, _ in self.uses(pixels, supply, self.left - Counter([first.converter])):
                    best = max(best, second.points + self.best(then))
                found["after_two"][number] = first.points + best
        if decides and self.data["phase"] in ("pay", "store"):
            for number, color in enumerate(COLORS):
                if self.pixels[color]:
                    found["after_giving"][number] = self.best(self.pixels - Counter(color))
        return found


def seen(match: Match, seat: int) -> dict[str, Any]:
    obs = match.observe(seat).view(match.game.obs)[0]
    return {name: obs[name].tolist() for name in FIELDS}


def test_p65_1_by_hand() -> None:
    """P65.1: the bat asks for B___B (2 points), B_B_B (3), BBYBB (9), BGBGB (7) and B___B."""
    slots = {0: {1: ("convert", [2, 10])}}  # two that mix R and G to Y
    t = position("convert", slots=slots, pixels={0: "BBBBRG"}, images=EMPTY | {0: BAT}, image_deck=0)
    obs = t.match.observe(0).view(t.match.game.obs)[0]
    assert obs["best_line"] == 3 and obs["one_short"].tolist() == [0, 7, 0, 0, 0, 9, 0] and not obs["two_short"].any()
    mix = NUMBERS["RG>Y"]
    assert obs["after_recipe"][mix] == 1 + 9 and obs["after_two"][mix] == 9
    other = t.match.observe(1).view(t.match.game.obs)[0]
    assert other["best_line"] == 0 and not other["after_recipe"].any()


def test_p65_1_two_pixels_short() -> None:
    """P65.1: of the axe's lines, _YRR_ lacks Y and R, _BRRR two R; the points are those of the line."""
    t = position("score", pixels={0: "RB", 1: "BB"}, images=EMPTY | {0: AXE, 1: BAT}, image_deck=0)
    obs = t.match.observe(0).view(t.match.game.obs)[0]
    short = dict(zip(PAIRS, obs["two_short"].tolist(), strict=True))
    assert {pair: points for pair, points in short.items() if points} == {"RY": 5, "RR": 4, "BB": 3}


def test_p65_1_the_most_that_two_recipes_score() -> None:
    """P41.5, P54: two sales and a line of five W, which is worth 26 with the option."""
    slots = {0: {1: ("convert", [8, 29])}}  # both sell C
    t = position(
        "convert",
        slots=slots,
        pixels={0: "WWWWWCC"},
        images=EMPTY | {0: PINK_CAT},
        image_deck=0,
        options={"line_points": "may_2018"},
    )
    obs = t.match.observe(0).view(t.match.game.obs)[0]
    sale = NUMBERS["C>2VP"]
    assert obs["after_recipe"][sale] == 1 + 2 + 26
    field = next(field for field in t.match.game.schema if field.name == "after_two")
    assert obs["after_two"][sale] == field.high == 2 + 2 + 26


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_p65_1_prospects_follow_from_what_a_seat_sees(players: int, options: dict[str, str]) -> None:
    """P65.1: in random games, of the seat that decides and of another one, in every phase."""
    met: set[str] = set()
    for seed in range(1 if JIT_DISABLED else 3):
        match = bdgame_env.make_match("pixel-pusher-v2", players=players, seed=seed, **options)
        chance, number = random.Random(seed), 0
        while not match.over:
            number += 1
            if number % (9 if JIT_DISABLED else 3) == 0:
                for seat in (match.seat, number % players):
                    found = seen(match, seat)
                    assert found == Reading(match, seat).expected()
                    met.update(name for name in FIELDS if np.any(found[name]))
            match.play(chance.choice(match.legal_actions()))
    assert JIT_DISABLED or met == set(FIELDS)
