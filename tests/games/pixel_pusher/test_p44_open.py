"""Secret and open Convert and Store, and what is told of moves (P44, P60, P61)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.pixel_pusher.converting import activate, can_convert, more_usable_recipes, usable_recipes
from bdgame_env.games.pixel_pusher.game import GAME
from bdgame_env.games.pixel_pusher.shortage import _most_gained
from bdgame_env.games.pixel_pusher.steps import simultaneous_steps
from tests.games.pixel_pusher.positions import ABILITIES, PIXELS, Position, new_game, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

MIX = {0: {1: ("convert", [2])}, 1: {1: ("convert", [10])}}


def begun(pixels: dict[int, str], **rest: Any) -> Position:
    """Convert begins after the last discard of a Build."""
    slots = rest.pop("slots", MIX)
    t = position("build", slots=slots, pixels=pixels, drafted={0: [37]}, images={0: 7}, conveyor=["G" * 9], **rest)
    return t.play("discard 0")


def test_p44_1_an_open_phase_is_played_in_turn():
    """P44.1: everybody sees everything at once."""
    t = begun({0: "RGYYYYYM", 1: "RGYYYYC"})
    assert t.snap["open_convert"] and t.snap["shown_supply"] == {}
    seat = t.seat
    t.play("activate RG>Y")
    assert t.public["supply"]["Y"] == t.supply["Y"] and t.public["seats"][seat]["used"] == ["mixY"]
    while t.phase in ("convert", "store"):
        t.play(min(t.legal))
    assert not t.snap["open_convert"]


@engine_only  # the reference has no parallel environment
def test_p44_1_in_an_open_phase_nobody_chooses_at_the_same_time():
    """P44.1."""
    t = begun({0: "RGYYYYYM", 1: "RGYYYYC"})
    assert t.match.choosing() == (0, [])
    t.play("activate RG>Y")
    assert simultaneous_steps(t.match.state, t.match.config) == 0


def test_p44_2_a_color_must_concern_two_players():
    """P44.2: with enough for all it is secret; so it is if nobody else has the color or can gain it."""
    assert not begun({0: "RGM", 1: "RGC"}).snap["open_convert"]
    only_one = {0: {1: ("convert", [1, 11, 19, 27])}}
    t = begun({0: "GGGGBBBBB", 1: "WWWYY"}, slots=only_one)
    assert not t.snap["open_convert"]


@pytest.mark.parametrize(
    ("pixels", "cards", "concerned"), [("RRWY", [10], False), ("CW", [10], True), ("GB", [41], True)]
)
def test_p44_2_nobody_takes_the_last_pixels_of_only_one_player(pixels: str, cards: list[int], concerned: bool):
    """P44.2: two C are left, and seat 0 can gain three; seat 1 has one, can gain one, or neither."""
    t = position(
        "build",
        seat=1,
        slots={0: {1: ("convert", [1, 11, 19, 27])}, 1: {1: ("convert", cards)}},
        drafted={1: [24]},
        pixels={0: "GGGBBB", 1: pixels},
        abilities={0: ["first_score"], 1: ["first_build"]},
        images={0: 17, 1: 7},
        filled=[(0, 2), (0, 4)],
    )
    assert t.supply["C"] == 2 - pixels.count("C")
    assert t.play("install 0 convert slot 6").phase == "convert"
    assert t.snap["open_convert"] == concerned


BOUNDS = {  # pixels, cards and ability cards of seats 0 and 1; a color and how many of it they gain at most together
    "a mix each": (("RG", [2], []), ("RG", [10], []), "Y", 2),
    "mixes for which there are too few primaries": (("RGG", [2, 10], []), ("RG", [17], []), "Y", 2),
    "mixes for which a recolored pixel may help": (("RR", [2], ["first_build"]), ("RG", [17], []), "Y", 2),
    "a mix without one of its colors": (("RR", [2], []), ("RG", [17], []), "Y", 1),
    "Prism and a mix": (("R", [], ["prism"]), ("RG", [2], []), "Y", 2),
    "Prism, and a mix with what it leaves": (("RRG", [2], ["prism"]), ("RG", [17], []), "Y", 3),
    "Prism, which leaves too little for a mix": (("RG", [2], ["prism"]), ("RG", [17], []), "Y", 2),
    "a top-up each": (("YBBB", [21], []), ("CRRR", [5], []), "W", 2),
    "top-ups of the same primary": (("YYB", [21, 36], []), ("CCR", [5, 28], []), "W", 2),
    "top-up of what is mixed": (("RGB", [2, 21], []), ("CR", [5], []), "W", 2),
    "whites": (("RRGGBB", [4, 12], []), ("RGB", [20], []), "W", 3),
    "whites for which there are too few primaries": (("RGGBB", [4, 12], []), ("RGB", [20], []), "W", 2),
    "whites for which a recolored pixel may help": (("RRB", [4], ["first_build"]), ("RGB", [20], []), "W", 2),
    "a triple": (("RRRRRR", [7], []), ("RGB", [4], []), "W", 2),
    "a triple with too few primaries": (("RR", [7], []), ("RRGGBB", [4, 12], []), "W", 2),
    "a triple of what a mix leaves": (("RRRG", [2, 7], []), ("RG", [17], []), "Y", 2),
    "a triple besides a mix": (("RRRRG", [2, 7], []), ("RG", [17], []), "Y", 3),
    "splits": (("Y", [22], []), ("M", [14], []), "R", 4),
    "a split and a recolored pixel": (("Y", [22], ["first_build"]), ("M", [14], []), "R", 5),
    "a split of what is mixed": (("RG", [2, 22], []), ("M", [14], []), "R", 4),
    "a split of what Prism gives": (("R", [22], ["prism"]), ("M", [14], []), "R", 4),
    "a split without its secondary": (("CRR", [22], []), ("M", [14], []), "R", 2),
    "a split of what a triple gives": (("RRR", [7, 22], []), ("M", [14], []), "R", 5),
    "two that recolor": (("G", [], ["first_build", "first_score"]), ("M", [14], []), "R", 3),
}
ANY_TRIPLE = {
    "a triple of secondaries": (("CCC", [7], []), ("RGB", [4], []), "W", 2),
    "a primary by a triple": (("YY", [21, 7], []), ("CR", [5], []), "W", 3),
}


def summed(
    one: tuple[str, list[int], list[str]], other: tuple[str, list[int], list[str]], color: str, supply: int, triple: str
) -> Position:
    """Convert begins, with so much supply of a color; seat 2 has or the conveyor holds what else there is of it."""
    away = PIXELS[color] - supply - (one[0] + other[0]).count(color)
    free = [name for name in ABILITIES if name not in one[2] + other[2]]
    abilities = {0: one[2], 1: other[2], 2: free[: 3 - len(one[2] + other[2])]}
    t = position(
        "build",
        players=3,
        seat=2,
        slots={seat: {1: ("convert", cards)} for seat, cards in enumerate((one[1], other[1])) if cards},
        drafted={2: [24]},
        pixels={0: one[0], 1: other[0], 2: "" if color in "RGB" else color * away},
        conveyor=[color * away] if color in "RGB" else [],
        abilities=abilities,
        images={0: 7},
        options={"triple": triple},
    )
    t.play("install 0 convert slot 6")
    assert t.phase == "convert" and t.supply[color] == supply
    return t


@pytest.mark.parametrize(
    ("case", "triple"),
    [
        *((case, "primary") for case in BOUNDS),
        *((case, "any") for case in BOUNDS if "triple" not in case),
        *((case, "any") for case in ANY_TRIPLE),
    ],
)
def test_p44_2_p44_3_open_if_the_supply_is_smaller_than_the_bound(case: str, triple: str):
    """P44.2, P44.3: by one pixel, and not if it has as many."""
    one, other, color, most = (BOUNDS | ANY_TRIPLE)[case]
    assert not summed(one, other, color, most, triple).snap["open_convert"]
    assert summed(one, other, color, most - 1, triple).snap["open_convert"]


@engine_only  # it writes to the state
@pytest.mark.parametrize("triple", ["primary", "any"])
def test_p44_3_nobody_gains_more_than_the_bound(triple: str):
    """P44.3: by random activations from boards of all kinds, with supplies that never end.

    What was gained and has been paid back does not count: it is in the supply again.
    """
    chance = random.Random(3)
    t = new_game(2, 1)
    for number in range(60 if JIT_DISABLED else 1000):
        s, config = t.match.states.copy()[0], GAME.config(players=2, triple=triple).record[0]
        me = s.seats[0]
        me.pixels[:] = [chance.randrange(4) for _ in range(7)]
        me.converters[:] = [chance.choice([0, 0, 0, 1, 2]) for _ in range(14)]
        me.abilities[:] = [chance.randrange(2) for _ in range(4)]
        _most_gained(me, triple == "any", s.room.gains[0])
        before, bound = me.pixels.copy(), s.room.gains[0].copy()
        while True:
            s.supply[:] = 60
            bits = usable_recipes(s, me) | more_usable_recipes(s, config, me) << 46
            assert (bits != 0) == can_convert(s, config, me)
            if bits == 0:
                break
            activate(s, me, chance.choice([k for k in range(70) if bits >> k & 1]))
            assert (me.pixels - before <= bound).all(), (number, before, me.pixels, bound)


@engine_only  # the reference tells nothing
def test_p61_what_is_told():
    """P59-P61: secret choices are not; cards are told by kind; the payment for a random end is."""

    def told(t: Position, move: str, viewer: int | None = None) -> str:
        return GAME.told(t.match.state, t.match.config, t.match.string_to_action(move), viewer)

    assert told(new_game(2), "draft 2", 1) == ""
    t = position("build", drafted={0: [25, 37]}, pixels={0: "RG"})
    assert told(t, "install 0 collect slot 2", 1) == "install 25 collect slot 2"
    assert told(t, "install 1 convert slot 6") == "install 37 convert slot 6" and told(t, "discard 1") == "discard 37"
    t.play("install 1 collect slot 1")
    assert told(t, "give R", 1) == "give R"
    t = position("convert", slots=MIX, pixels={0: "RGRGRG", 1: "RG"})
    assert told(t, "activate RG>Y", 1) == told(t, "finish") == told(t, "give R") == ""
    t = position("convert", slots=MIX, pixels={0: "RGRGRG", 1: "RG"}, open_convert=True)
    assert told(t, "activate RG>Y", 1) == "activate RG>Y"
    assert told(position("score", pixels={0: "BB"}, images={0: 7}), "fill 0 line 0") == "fill 0 line 0"


@engine_only  # the reference has no parallel environment
@pytest.mark.parametrize("players", [2, 3, 4])
def test_p60_no_phase_takes_more_steps_than_all_can_tell(players: int):
    """P60: in random games no seat has more decisions, and the number is the same during the whole phase."""
    for seed in range(2 if JIT_DISABLED else 12):
        t, chance = new_game(players, seed), random.Random(seed)
        phase, most, counts = 0, 0, {}
        while not t.match.over:
            number, _ = t.match.choosing()
            if number:
                steps = simultaneous_steps(t.match.state, t.match.config)
                if number != phase:
                    phase, most, counts = number, steps, {}
                counts[t.seat] = counts.get(t.seat, 0) + 1
                assert steps == most and counts[t.seat] <= most
            t.play(chance.choice(t.match.legal_moves()))


def test_p41_6_p08_1_options():
    """P41.6, P8.1: any triple pays; the sheet of May 2018 gives other points."""
    options = {"triple": "any", "line_points": "may_2018"}
    slots = {0: {1: ("convert", [7])}}
    t = position("convert", slots=slots, pixels={0: "CCCBB", 1: "GGGWWW"}, images={0: 8}, options=options)
    assert "activate CCC>W" in t.legal
    t.play("activate CCC>W")
    assert t.pixels(0) == "BBW" and t.snap["options"] == options
    t = position("score", pixels={0: "WWW"}, images={0: 8}, options=options).play("fill 0 line 0")
    assert t.points(0) == 15 and t.copy().snap["options"] == options
    t = position("score", pixels={0: "WWWWW"}, images={0: 10}, options=options).play("fill 0 line 4")
    assert t.points(0) == 5 * 5 + 1


@engine_only  # the reference is not cloned
def test_a_clone_keeps_the_options():
    """P41.6, P8.1: and plays on by them."""
    options = {"triple": "any", "line_points": "may_2018"}
    t = position("score", pixels={0: "WWW"}, images={0: 8}, options=options)
    assert Position(t.match.clone()).play("fill 0 line 0").points(0) == 15


@engine_only  # the reference does not number its moves
def test_p55_any_triple_has_the_last_actions():
    """P55: from 141 on."""
    t = position("score", pixels={0: "BB"}, images={0: 7}, options={"triple": "any"})
    assert t.match.string_to_action("activate CCC>R") == 141 and t.match.string_to_action("activate WWW>Y") == 164
