"""The cards, colors and amounts of Gizmos (G1, C1), as matches.

A card's number is its place in the matches, counted from 0 over all four of them (C2).
"""

from __future__ import annotations

from dataclasses import dataclass

COLORS = ("red", "blue", "black", "yellow")  # D1.2
MARBLES = 13  # G1.2: of each color
ROW = 6  # G4.1
DISPLAY = (1, 1, 1, 1, 2, 2, 2, 3, 3)  # G2.4: the level of each place of the display
LEVEL_3_IN_PLAY = 16  # G2.3: of 36
RING, ARCHIVE, RESEARCH = 5, 1, 3  # G2.7: the limits at the start
END_CARDS, END_LEVEL_3 = 16, 4  # G14.1

Step = tuple[str, str]  # G10.3: one energy of the first counts as the second: ("red", "any"), ("red", "2 red")

# Each line: color, cost, points, kind | what triggers it | effect.
# What triggers: any File; the color picked or built; a Build from the archive; a Build of level 2 (G11.2).
# Effects: draw, pick, points, file, free_build, research n times (G12); "a to b" of converters (G10.3); ring, archive
# and research added to the limits (G13.2); one energy less for a Build of level 2, from the archive or from Research
# (G13.3); actions forbidden (G13.4); what is counted at the end (G13.5).

# G1.6
STARTING = """
none   0 0 file    | any          | draw 1
none   0 0 file    | any          | draw 1
none   0 0 file    | any          | draw 1
none   0 0 file    | any          | draw 1
"""

# C4
LEVEL_1 = """
red    1 1 file    | any          | pick 1
blue   1 1 file    | any          | pick 1
black  1 1 file    | any          | pick 1
yellow 1 1 file    | any          | pick 1
red    1 1 pick    | blue         | draw 1
blue   1 1 pick    | red          | draw 1
black  1 1 pick    | blue         | draw 1
yellow 1 1 pick    | red          | draw 1
red    1 1 pick    | yellow       | draw 1
blue   1 1 pick    | black        | draw 1
black  1 1 pick    | yellow       | draw 1
yellow 1 1 pick    | black        | draw 1
red    1 1 build   | black        | pick 1
blue   1 1 build   | yellow       | pick 1
black  1 1 build   | blue         | pick 1
yellow 1 1 build   | red          | pick 1
red    1 1 build   | yellow       | points 1
blue   1 1 build   | black        | points 1
black  1 1 build   | red          | points 1
yellow 1 1 build   | blue         | points 1
red    1 1 convert | -            | blue to any
red    1 1 convert | -            | black to any
blue   1 1 convert | -            | red to any
blue   1 1 convert | -            | yellow to any
black  1 1 convert | -            | red to any
black  1 1 convert | -            | yellow to any
yellow 1 1 convert | -            | blue to any
yellow 1 1 convert | -            | black to any
red    1 1 upgrade | -            | limits 1 1 0
blue   1 1 upgrade | -            | limits 1 1 0
black  1 1 upgrade | -            | limits 1 1 0
yellow 1 1 upgrade | -            | limits 1 1 0
red    1 1 upgrade | -            | limits 1 0 1
blue   1 1 upgrade | -            | limits 1 0 1
black  1 1 upgrade | -            | limits 1 0 1
yellow 1 1 upgrade | -            | limits 1 0 1
"""

# C5
LEVEL_2 = """
red    2 2 pick    | blue black   | draw 1
blue   2 2 pick    | black yellow | draw 1
black  2 2 pick    | red yellow   | draw 1
yellow 2 2 pick    | red blue     | draw 1
red    2 2 build   | blue yellow  | pick 1
red    2 2 build   | blue black   | pick 1
blue   2 2 build   | black yellow | pick 1
blue   2 2 build   | red yellow   | pick 1
black  2 2 build   | red blue     | pick 1
black  2 2 build   | red yellow   | pick 1
yellow 2 2 build   | red black    | pick 1
yellow 2 2 build   | blue black   | pick 1
red    3 3 build   | black yellow | points 1
blue   3 3 build   | red black    | points 1
black  3 3 build   | blue yellow  | points 1
yellow 3 3 build   | red blue     | points 1
red    3 3 build   | archive      | pick 2
blue   3 3 build   | archive      | pick 2
black  3 3 build   | archive      | pick 2
yellow 3 3 build   | archive      | pick 2
red    2 2 convert | -            | yellow to any, yellow to any
blue   2 2 convert | -            | black to any, black to any
black  2 2 convert | -            | blue to any, blue to any
yellow 2 2 convert | -            | red to any, red to any
red    3 3 convert | -            | blue to 2 blue
red    3 3 convert | -            | black to 2 black
blue   3 3 convert | -            | red to 2 red
blue   3 3 convert | -            | yellow to 2 yellow
black  3 3 convert | -            | red to 2 red
black  3 3 convert | -            | yellow to 2 yellow
yellow 3 3 convert | -            | blue to 2 blue
yellow 3 3 convert | -            | black to 2 black
red    3 3 upgrade | -            | limits 2 1 2
blue   3 3 upgrade | -            | limits 2 1 2
black  3 3 upgrade | -            | limits 2 1 2
yellow 3 3 upgrade | -            | limits 2 1 2
"""

# C6
LEVEL_3 = """
red    4 4 file    | any          | points 1
black  4 4 file    | any          | points 1
blue   4 4 file    | any          | draw 3
yellow 4 4 file    | any          | draw 3
red    5 5 build   | black yellow | points 2
black  5 5 build   | red blue     | points 2
red    5 5 build   | archive      | points 2
yellow 5 5 build   | archive      | points 2
black  5 5 build   | blue yellow  | file 1
yellow 5 5 build   | red black    | file 1
red    6 6 build   | level 2      | pick 2
black  6 6 build   | level 2      | pick 2
blue   6 6 build   | red yellow   | free_build 1
yellow 6 6 build   | blue black   | free_build 1
red    7 7 build   | blue black   | research 1
blue   7 7 build   | red yellow   | research 1
red    4 4 convert | -            | any to any
yellow 4 4 convert | -            | any to any
blue   5 5 convert | -            | red to 2 red, black to 2 black
black  5 5 convert | -            | blue to 2 blue, yellow to 2 yellow
blue   4 4 upgrade | -            | limits 4 0 0
black  4 4 upgrade | -            | limits 4 0 0
red    4 7 upgrade | -            | forbid file
blue   4 7 upgrade | -            | forbid file
black  4 8 upgrade | -            | forbid research
yellow 4 8 upgrade | -            | forbid research
blue   5 5 upgrade | -            | discount level2
yellow 5 5 upgrade | -            | discount level2
red    5 5 upgrade | -            | discount archive
blue   5 5 upgrade | -            | discount archive
black  6 6 upgrade | -            | discount research
yellow 6 6 upgrade | -            | discount research
any    7 0 upgrade | -            | score ring
any    7 0 upgrade | -            | score ring
any    7 0 upgrade | -            | score tokens
any    7 0 upgrade | -            | score tokens
"""


@dataclass(frozen=True)
class Card:
    """G1.5: what a card shows. Color "any" is generic (G1.7), "none" that of a starting card (G1.6)."""

    number: int
    level: int
    color: str
    cost: int
    points: int
    kind: str
    when: str  # what triggers it; "-" on converters and upgrades
    effect: str
    steps: tuple[Step, ...]  # of a converter, else empty

    @property
    def colors(self) -> tuple[str, ...]:
        """G11.3: the colors it counts as when built."""
        return COLORS if self.color == "any" else (self.color,)

    @property
    def type_name(self) -> str:
        """D2.3: the name of a converter's type, such as 2red-any or red-2red+black-2black."""
        halves = [f"{source}-{result.replace(' ', '')}" for source, result in self.steps]
        if len(halves) == 2 and halves[0] == halves[1]:
            return "2" + halves[0]
        return "+".join(halves)


def _read_cards() -> tuple[Card, ...]:
    cards: list[Card] = []
    for level, match in enumerate((STARTING, LEVEL_1, LEVEL_2, LEVEL_3)):
        for line in match.strip().splitlines():
            head, when, effect = (part.strip() for part in line.split("|"))
            color, cost, points, kind = head.split()
            steps: list[Step] = []
            if kind == "convert":
                for text in effect.split(", "):
                    source, _, result = text.partition(" to ")
                    steps.append((source, result))
            card = Card(len(cards), level, color, int(cost), int(points), kind, when, effect, tuple(steps))
            cards.append(card)
    return tuple(cards)


CARDS = _read_cards()

# D2.3: the converter types, each with the cards of that type
CONVERTERS: dict[str, list[Card]] = {}
for _card in CARDS:
    if _card.kind == "convert":
        CONVERTERS.setdefault(_card.type_name, []).append(_card)
