"""Build a position of Pixel Pusher for a test: say what matters, the rest follows from what is in the box.

    t = position("build", drafted={0: [1, 25]}, pixels={0: "R"})
    t.play("install 1 collect slot 2")
    assert t.pixels(0) == "" and t.slot(0, 2) == ("R", [25])

Pixels are words of letters. Machine cards are kinds, ability cards their ids. Machine cards that a test does not place
fill up the cards removed, the deck and the cards set aside in ascending order; the rest is discarded. Pixels that it
does not place are in the supply.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from tests.support import splitmix
from tests.support.position import MatchPosition, reference_plays

COLORS = "RGBCMYW"
PIXELS = {"R": 20, "G": 20, "B": 20, "C": 10, "M": 10, "Y": 10, "W": 10}
COPIES = dict.fromkeys(range(1, 42), 1) | {1: 4, 9: 4, 17: 4} | {2: 2, 3: 2, 4: 2} | {10: 2, 11: 2, 12: 2}
COPIES |= {18: 2, 19: 2, 20: 2, 37: 2}
ABILITIES = ("first_build", "first_collect", "first_score", "prism")
REMOVED = {2: 20, 3: 10, 4: 0}
ROUNDS = {2: 7, 3: 6, 4: 5}
STACKS = {2: (3, 3, 3, 3, 3, 3, 2), 3: (3, 3, 3, 3, 3, 1), 4: (3, 3, 3, 3, 3)}  # machine cards of a stack, by round
DECKS = {2: (34, 28, 22, 16, 10, 4, 0), 3: (41, 32, 23, 14, 5, 0), 4: (48, 36, 24, 12, 0)}  # after the deal, by round
SET_ASIDE = {(3, 6): 2}  # by players and round

# The images by their lines, for tests that need one; number: lines.
BAT = 7  # B___B, B_B_B, BBYBB, BGBGB, B___B
AXE = 5  # _YRR_, _BRRR, _BRRR, _B_RR, _B___
PINK_CAT = 10  # _Y_Y_, _B_B_, MMMMM, MWMWM, WWWWW


def pixels(word: str, colors: str = COLORS) -> dict[str, int]:
    """`"RRG"` -> {"R": 2, "G": 1, "B": 0, ...}."""
    assert set(word) <= set(colors), word
    return {color: word.count(color) for color in colors}


def word(counts: Mapping[str, int]) -> str:
    """The reverse of `pixels`."""
    return "".join(color * count for color, count in counts.items())


class Position(MatchPosition):
    """A position of this game under test."""

    def family(self, verb: str) -> set[str]:
        """The legal moves that begin with this verb."""
        return {move for move in self.legal if move.split(" ")[0] == verb}

    def copy(self) -> Position:
        """The same position once more, to try another line."""
        other = restore(self.snap)
        other.mover = self.mover
        return other

    @property
    def round(self) -> int:
        return self.snap["round"]

    @property
    def supply(self) -> dict[str, int]:
        return self.snap["supply"]

    @property
    def bag(self) -> int:
        """How many pixels there are in the bag."""
        return sum(self.supply[color] for color in "RGB")

    def of(self, seat: int) -> dict[str, Any]:
        """A seat as the snapshot has it."""
        return self.snap["seats"][seat]

    def pixels(self, seat: int) -> str:
        """The pixels on a board, as a word in the order of colors."""
        return word(self.of(seat)["pixels"])

    def points(self, seat: int) -> int:
        return self.of(seat)["points"]

    def slot(self, seat: int, slot: int) -> tuple[str | None, list[int]]:
        """Type and cards of a slot, 1 to 6."""
        found = self.of(seat)["slots"][slot - 1]
        return found["type"], found["cards"]

    def segment(self, segment: int) -> str:
        """The pixels on a segment, 1 to 6."""
        return word(self.snap["conveyor"][segment - 1])


def new_game(players: int = 2, seed: int = 0, **options: str) -> Position:
    """A game from its first decision; the reference deals another game of the same seed than the engine."""
    if reference_plays():
        return dealt(players, seed, **options)
    import bdgame_env

    return Position(bdgame_env.make_match("pixel-pusher-v2", players=players, seed=seed, **options))


def dealt(players: int, number: int, **options: str) -> Position:
    """The game whose chance begins with this number: the same one in engine and reference."""
    if reference_plays():
        from tests.support.reference.pixel_pusher import Reference

        return Position(Reference.new(players, number, **options))
    import bdgame_env

    match = bdgame_env.make_match("pixel-pusher-v2", players=players, **options)
    match.deal(number)
    return Position(match)


def restore(data: Mapping[str, Any]) -> Position:
    """The position of an omniscient snapshot; it is copied."""
    if reference_plays():
        from tests.support.reference.pixel_pusher import Reference

        return Position(Reference.from_snapshot(copy.deepcopy(dict(data))))
    import bdgame_env

    return Position(bdgame_env.match_from_snapshot(copy.deepcopy(dict(data))))


Slots = Mapping[int, tuple[str, Sequence[int]]]  # slot 1 to 6: type and cards


def position(
    phase: str,
    *,
    players: int = 2,
    seat: int = 0,
    round: int = 2,
    leaders: tuple[int, int, int] = (0, 0, 0),
    pixels: Mapping[int, str] | None = None,
    points: Mapping[int, int] | None = None,
    slots: Mapping[int, Slots] | None = None,
    hands: Mapping[int, Sequence[int | str]] | None = None,
    drafted: Mapping[int, Sequence[int | str]] | None = None,
    choices: Mapping[int, int] | None = None,
    abilities: Mapping[int, Sequence[str]] | None = None,
    used: Mapping[int, Sequence[str]] | None = None,
    used_abilities: Mapping[int, Sequence[str]] | None = None,
    conveyor: Sequence[str] = (),
    images: Mapping[int, int | None] | None = None,
    filled: Iterable[tuple[int, int]] = (),
    next_images: Sequence[int] = (),
    image_deck: int | None = None,
    tops: Sequence[int] = (),
    rng: int = 1,
    open_convert: bool = False,
    options: Mapping[str, str] | None = None,
) -> Position:
    """A position in that phase, in which nothing has been done in secret.

    images: by place; filled: pairs of place and line; next_images: the top of their deck; image_deck: its size (the
    others are finished). tops: the top of the machine deck. After Draft each seat that `abilities` leaves out has one
    of the ability cards left, as long as there are as many of them as players. In Build what has been played in this
    round are discarded cards, or else installed ones, and picks are in any order that gives each stack one ability
    card. `open_convert`: Convert and Store are played openly (P44), which they must be where a color may run short.
    """
    after_draft = phase != "draft"
    seats = []
    for number in range(players):
        seats.append(
            {
                "points": (points or {}).get(number, 0),
                "pixels": _pixels((pixels or {}).get(number, "")),
                "slots": _slots((slots or {}).get(number, {})),
                "hand": list((hands or {}).get(number, ())),
                "choice": (choices or {}).get(number),
                "drafted": _drafted((drafted or {}).get(number, ()), after_draft),
                "abilities": list((abilities or {}).get(number, ())),
                "used": list((used or {}).get(number, ())),
                "used_abilities": list((used_abilities or {}).get(number, ())),
                "laid": [],
                "asked": 0,
                "shown": {"points": 0, "pixels": {}},
            }
        )
    if after_draft:
        free = [name for name in ABILITIES if all(name not in one["abilities"] for one in seats)]
        owned = 4 - len(free)
        for one in seats:
            if not one["abilities"] and owned < players:
                one["abilities"] = [free.pop(0)]
                owned += 1
    segments = [*conveyor, *[""] * (6 - len(conveyor))]
    shown_images, deck_of_images, finished = _images(images or {}, next_images, image_deck)
    lines: list[dict[str, Any] | None] = [
        None if image is None else {"image": image, "filled": [(place, line) in set(filled) for line in range(5)]}
        for place, image in enumerate(shown_images)
    ]
    data: dict[str, Any] = {
        "game": "pixel_pusher",
        "players": players,
        "options": {"line_points": "newest", "triple": "primary", **(options or {})},
        "open_convert": open_convert,
        "round": round,
        "seat": seat,
        "phase": phase,
        "rng": str(rng),
        "leaders": dict(zip(("build", "collect", "score"), leaders, strict=True)),
        "conveyor": [_pixels(segment, "RGB") for segment in segments],
        **_machines(players, round, seats, tops),
        "image_deck": deck_of_images,
        "images": lines,
        "finished": sorted(finished),
        "shown_supply": {},
        "seats": seats,
        "played": [[] for _ in seats],
    }
    data["supply"] = _supply(data)
    if phase in ("build", "pay"):
        _lay(players, STACKS[players][round - 1] + 1, data)
    data["known"] = remembered(phase, seats)
    if phase in ("convert", "store") and not open_convert:
        data["shown_supply"] = some(data["supply"])
        for one in seats:
            one["shown"] = {"points": one["points"], "pixels": some(one["pixels"])}
    return restore(data)


def some(counts: Mapping[str, int]) -> dict[str, int]:
    """Without the colors of which there are none."""
    return {color: count for color, count in counts.items() if count}


def _lay(players: int, count: int, data: dict[str, Any]) -> None:
    """The draft of the round: what is not left to play has been discarded; each stack has had one ability card."""
    seats, discarded = data["seats"], list(data["discarded"])
    for number, one in enumerate(seats):
        played = count - len(one["abilities"]) - len(one["drafted"])
        installed = [card for slot in one["slots"] for card in slot["cards"]]
        assert 0 <= played <= len(discarded) + len(installed), "a seat has drafted too many cards"
        data["played"][number] = sorted((discarded or installed).pop() for _ in range(played))
    numbers = [len(one["abilities"]) for one in seats]
    picks = [combinations(range(count), number) for number in numbers]
    for places in product(*picks):
        stacks = {(seat - pick) % players for seat, chosen in enumerate(places) for pick in chosen}
        if len(stacks) == players:
            for one, played, chosen in zip(seats, data["played"], places, strict=True):
                abilities, machines = list(one["abilities"]), [*one["drafted"], *played]
                one["laid"] = [(abilities if pick in chosen else machines).pop(0) for pick in range(count)]
            return
    raise AssertionError("no draft gives each seat these ability cards")


def order(card: int | str) -> int:
    """Where a card comes in a hand (P56)."""
    return 42 + ABILITIES.index(card) if isinstance(card, str) else card


def remembered(phase: str, seats: Sequence[Mapping[str, Any]]) -> list[list[list[int | str | None]]]:
    """P66: by observer, stack and place the cards that it saw and others took or hold; what is mixed is in order."""
    players = len(seats)
    if phase not in ("draft", "build", "pay"):
        return [[] for _ in seats]
    drafting = phase == "draft"
    picks = [list(one["drafted" if drafting else "laid"]) for one in seats]
    made, count = len(picks[0]), len(picks[0]) + len(seats[0]["hand"])
    found = []
    for observer in range(players):
        rows = []
        for stack in range(players):
            cards = [picks[(stack + pick) % players][pick] for pick in range(made)]
            cards += seats[(stack + made) % players]["hand"]
            sights = [pick for pick in range(count) if (stack + pick) % players == observer and pick <= made]
            row: list[int | str | None] = [None] * count
            for number, sight in enumerate(sights):
                if sight < made:
                    end = sights[number + 1] if number + 1 < len(sights) else count
                    row[sight + 1 : end] = sorted(cards[sight + 1 : end], key=order)
            rows.append(row)
        found.append(rows)
    return found


def _drafted(cards: Sequence[int | str], after_draft: bool) -> list[int | str]:
    return sorted(cards, key=int) if after_draft else list(cards)


def _pixels(text: str, colors: str = COLORS) -> dict[str, int]:
    return pixels(text, colors)


def _slots(given: Slots) -> list[dict[str, Any]]:
    slots = []
    for slot in range(1, 7):
        kind, cards = given.get(slot, (None, ()))
        slots.append({"type": kind if cards else None, "cards": sorted(cards)})
    return slots


def _machines(
    players: int, round: int, seats: Sequence[Mapping[str, Any]], tops: Sequence[int]
) -> dict[str, list[int]]:
    left = Counter(COPIES)
    rows = [row for one in seats for row in (one["hand"], one["drafted"], *(slot["cards"] for slot in one["slots"]))]
    left.subtract(card for row in [*rows, tops] for card in row if isinstance(card, int))
    assert min(left.values()) >= 0, f"more than there are of kind {[kind for kind in left if left[kind] < 0]}"
    rest = sorted(left.elements())
    deck, aside = DECKS[players][round - 1], SET_ASIDE.get((players, round), 0)
    numbers = (REMOVED[players], deck - len(tops), aside)
    assert sum(numbers) <= len(rest), "more cards are placed than have been dealt by then"
    removed, below, set_aside = (rest[sum(numbers[:k]) : sum(numbers[: k + 1])] for k in range(3))
    discarded = rest[sum(numbers) :]
    return {"removed": removed, "machine_deck": [*tops, *below], "set_aside": set_aside, "discarded": discarded}


def _images(
    given: Mapping[int, int | None], nexts: Sequence[int], deck: int | None
) -> tuple[list[int | None], list[int], list[int]]:
    rest = [image for image in range(1, 21) if image not in given.values() and image not in nexts]
    shown = [given[place] if place in given else rest.pop(0) for place in range(6)]
    under = [*nexts, *rest]
    keep = len(under) if deck is None else deck
    return shown, under[:keep], under[keep:]


def _supply(data: Mapping[str, Any]) -> dict[str, int]:
    from bdgame_env.games.pixel_pusher.cards import NEED

    counts = Counter(PIXELS)
    for one in (*data["seats"],):
        counts.subtract(one["pixels"])
    for segment in data["conveyor"]:
        counts.subtract(segment)
    for image in data["images"]:
        for line in range(5):
            if image is not None and image["filled"][line]:
                counts.subtract(dict(zip(COLORS, map(int, NEED[image["image"], line]), strict=True)))
    return dict(counts)


def drawn(t: Position, start: int, number: int) -> bool:
    """Whether the game has drawn so many numbers since its counter stood at `start`."""
    return splitmix.output(int(t.snap["rng"]), 0) == splitmix.output(start, number)


def below(start: int, number: int, n: int) -> int:
    """The draw of that number since `start`, as a number 0 to n - 1."""
    return ((splitmix.output(start, number) >> 32) * n) >> 32


def total(t: Position) -> Counter[str]:
    """P51: all pixels by color, wherever they are."""
    from bdgame_env.games.pixel_pusher.cards import NEED

    snap = t.snap
    counts: Counter[str] = Counter()
    for part in (snap["supply"], *snap["conveyor"], *(one["pixels"] for one in snap["seats"])):
        counts.update(part)
    for image in snap["images"]:
        for line in range(5):
            if image is not None and image["filled"][line]:
                counts.update(dict(zip(COLORS, map(int, NEED[image["image"], line]), strict=True)))
    return counts
