"""Cards and pixels of Pixel Pusher (P2-P8) as plain matches, copied by hand from the card file."""

from __future__ import annotations

from dataclasses import dataclass

COLORS = "RGBCMYW"
PRIMARY = "RGB"
OTHERS = "CMYW"  # the colors in open piles (P3)

STOCK = {"R": 20, "G": 20, "B": 20, "C": 10, "M": 10, "Y": 10, "W": 10}  # P2
SEGMENTS = 6  # P4
SLOTS = 6  # P5
STORAGE = 5  # P5
FIRST_PIXELS = (6, 5, 4, 3, 2, 1)  # P13
REFILL = 6  # P17.3
PLACES = 6  # P10
LINES = 5  # P8
STACK = 3  # P19
REMOVED = {2: 20, 3: 10, 4: 0}  # P12
ROUNDS = {2: 7, 3: 6, 4: 5}  # P48

ABILITIES = ("first_build", "first_collect", "first_score", "prism")  # P7
LEADER_CARDS = {"build": "first_build", "collect": "first_collect", "score": "first_score"}  # P23
ABILITY_CONVERTERS = {  # P25
    "first_build": "recolor",
    "first_collect": "recolor",
    "first_score": "recolor",
    "prism": "prism",
}

# P41 and P25: converter, then the recipes it offers
_CONVERTERS = """
mixY    RG>Y
mixM    RB>M
mixC    BG>C
white   RGB>W
topC    CR>W
topM    MG>W
topY    YB>W
splitC  C>BB C>GG
splitM  M>RR M>BB
splitY  Y>RR Y>GG
sellC   C>2VP
sellM   M>2VP
sellY   Y>2VP
recolor R>G R>B G>R G>B B>R B>G
prism   R>M R>Y G>C G>Y B>C B>M
triple  RRR>G RRR>B RRR>C RRR>M RRR>Y RRR>W
triple  GGG>R GGG>B GGG>C GGG>M GGG>Y GGG>W
triple  BBB>R BBB>G BBB>C BBB>M BBB>Y BBB>W
triple  CCC>R CCC>G CCC>B CCC>M CCC>Y CCC>W
triple  MMM>R MMM>G MMM>B MMM>C MMM>Y MMM>W
triple  YYY>R YYY>G YYY>B YYY>C YYY>M YYY>W
triple  WWW>R WWW>G WWW>B WWW>C WWW>M WWW>Y
"""

OPTIONS = {"line_points": ("newest", "may_2018"), "triple": ("primary", "any")}  # P8.1, P41.6; the first is usual

# The order in which the card file lists the converters: the two of the ability cards come last.
CONVERTERS = (
    *("mixY", "mixM", "mixC", "white", "topC", "topM", "topY", "splitC", "splitM", "splitY"),
    *("sellC", "sellM", "sellY", "triple", "recolor", "prism"),
)


@dataclass(frozen=True)
class Recipe:
    """P40: pay these pixels, gain those, score the points."""

    name: str
    converter: str
    pay: str
    gain: str
    points: int


def _recipe(name: str, converter: str) -> Recipe:
    pay, gain = name.split(">")
    if gain.endswith("VP"):
        return Recipe(name, converter, pay, "", int(gain.removesuffix("VP")))
    return Recipe(name, converter, pay, gain, 0)


RECIPES = {
    name: _recipe(name, line.split()[0]) for line in _CONVERTERS.split("\n") if line for name in line.split()[1:]
}

# P6: for each collect end, "kind converter xcopies" of the cards that have it
_MACHINES = {
    ("R", 1, ""): "1 mixC x4, 2 mixY x2, 3 mixM x2, 4 white x2, 5 topC x1, 6 splitC x1, 7 triple x1, 8 sellC x1",
    ("G", 1, ""): "9 mixM x4, 10 mixY x2, 11 mixC x2, 12 white x2, 13 topM x1, 14 splitM x1, 15 triple x1, 16 sellM x1",
    (
        "B",
        1,
        "",
    ): "17 mixY x4, 18 mixM x2, 19 mixC x2, 20 white x2, 21 topY x1, 22 splitY x1, 23 triple x1, 24 sellY x1",
    ("R", 2, "R"): "25 sellM x1, 26 white x1, 27 mixC x1, 28 topC x1",
    ("G", 2, "G"): "29 sellC x1, 30 white x1, 31 mixM x1, 32 topM x1",
    ("B", 2, "B"): "33 sellY x1, 34 white x1, 35 mixY x1, 36 topY x1",
    ("?", 1, "?"): "37 triple x2, 38 white x1, 39 mixY x1, 40 mixM x1, 41 mixC x1",
}


@dataclass(frozen=True)
class Machine:
    """One kind of machine card: its collect end, with amount and install cost, and its convert end."""

    kind: int
    collect: str
    amount: int
    cost: str
    converter: str
    copies: int


def _machines() -> dict[int, Machine]:
    found = {}
    for (collect, amount, cost), text in _MACHINES.items():
        for entry in text.split(", "):
            kind, converter, copies = entry.split()
            found[int(kind)] = Machine(int(kind), collect, amount, cost, converter, int(copies[1:]))
    return found


MACHINES = _machines()

# P8: number, name, the five lines and their points
_IMAGES = """
1  frog           W___W W_G_W _GGG_ GRGRG _GGG_   8  9  3  7  3
2  sun_and_cloud  YY___ YY_W_ __WW_ _WWW_ BBBBB   6 10  8 12  7
3  rainbow        __RYG _RYGB RYGB_ WWB__ WWW__   5  6  6  9 12
4  red_face       RRRRR RWRWR RRRRR RYYYR RYYYR   7 13  7 13 13
5  axe            _YRR_ _BRRR _BRRR _B_RR _B___   5  4  4  3  1
6  cyan_cat       _C_C_ CBCBC _WMW_ _CCCB _C_C_   6 13 11 10  6
7  bat            B___B B_B_B BBYBB BGBGB B___B   2  3  9  7  2
8  snowman        _WWW_ WRWRW _WBW_ _GGG_ _WGW_  12 16  9  3  9
9  rider          _RYR_ _RYR_ BBBBB MB_BM _M_M_   5  5  7  8  6
10 pink_cat       _Y_Y_ _B_B_ MMMMM MWMWM WWWWW   6  2 17 19 22
11 heart          _R_R_ RMRMR RMMMR _RMR_ __R__   2 11 13  5  1
12 sword          CC___ CCC_B _CCB_ __BR_ _B__B   6 10  7  2  2
13 flame          _R__R RYR__ RYYRR RWYYR _RRR_   2  5 11 14  3
14 turtle         _RGGG __GCC _RGGC GGGGG __M_M   4  7  6  7  6
15 crab           _CBC_ __C__ _C_C_ CRRRC _CRC_   7  3  6 11  7
16 mushroom       _BBB_ BRRRB _RWR_ _RWR_ GGGGG   3  7  6  6  7
17 lake           BBCBB BYYYB CCCCC BBBBG CCBCG   9 13 17  7 13
18 beach          RRRRR RGGGR RRGRR BYYYY BYYYY   7  7  7 15 15
19 blue_face      B___B BBBBB BWBWB BBBBB BMMMB   2  7 13  7 13
20 squid          B___B _CMC_ MMWMM _MWM_ _M_M_   2  9 18 10  6
"""


@dataclass(frozen=True)
class Image:
    """One image card: for each line the pixels it asks for, empty cells left out, and the printed points."""

    number: int
    name: str
    cells: tuple[str, ...]
    points: tuple[int, ...]

    def needs(self, line: int) -> str:
        """The pixels that fill this line."""
        return self.cells[line].replace("_", "")

    def worth(self, line: int, printing: str) -> int:
        """P8.1: the printed points; in May 2018 a W was worth one more, and five pixels in a line one less."""
        if printing == "newest":
            return self.points[line]
        return self.points[line] + self.cells[line].count("W") - ("_" not in self.cells[line])


def _images() -> dict[int, Image]:
    found = {}
    for row in _IMAGES.split("\n"):
        if row:
            number, name, *rest = row.split()
            found[int(number)] = Image(int(number), name, tuple(rest[:5]), tuple(int(text) for text in rest[5:]))
    return found


IMAGES = _images()

# The order of the recipes is the order of the actions (P55).
RECIPE_ORDER = (
    *("RG>Y", "RB>M", "BG>C", "RGB>W", "CR>W", "MG>W", "YB>W"),
    *("C>BB", "C>GG", "M>RR", "M>BB", "Y>RR", "Y>GG", "C>2VP", "M>2VP", "Y>2VP"),
    *("R>G", "R>B", "G>R", "G>B", "B>R", "B>G"),
    *("R>M", "R>Y", "G>C", "G>Y", "B>C", "B>M"),
    *("RRR>G", "RRR>B", "RRR>C", "RRR>M", "RRR>Y", "RRR>W"),
    *("GGG>R", "GGG>B", "GGG>C", "GGG>M", "GGG>Y", "GGG>W"),
    *("BBB>R", "BBB>G", "BBB>C", "BBB>M", "BBB>Y", "BBB>W"),
)

ALL_MOVES = (  # P55: the text of every action, in the order of the actions' numbers
    *(f"draft {hand}" for hand in range(4)),
    *(
        f"install {hand} {end} slot {slot}"
        for hand in range(4)
        for end in ("collect", "convert")
        for slot in range(1, SLOTS + 1)
    ),
    *(f"discard {hand}" for hand in range(4)),
    *(f"activate {name}" for name in RECIPE_ORDER),
    "finish",
    *(f"give {color}" for color in COLORS),
    *(f"fill {place} line {line}" for place in range(PLACES) for line in range(LINES)),
    "pass",
)

MOVES_WITH_ANY_TRIPLE = (  # P55, with triple="any"
    *ALL_MOVES,
    *(f"activate {color * 3}>{gain}" for color in OTHERS for gain in COLORS if gain != color),
)
