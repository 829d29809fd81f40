"""Build a position of Gizmos for a test: say what matters, the rest follows from what is in the box.

    t = position(ring="2 yellow", built=[27, 63], display={0: 9})
    t.play("build 0")
    assert t.credits["pick"] == 1

Cards are their numbers in cards.toml. Cards that a test does not place lie in the decks in order of number, the lowest
on top; of level 3 the 20 highest have left the game. Marbles that it does not place are in the dispenser.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bdgame_env.games.gizmos.cards import ADDS
from tests.support.position import MatchPosition, reference_plays

COLORS = ("red", "blue", "black", "yellow")
LEVELS = {1: range(4, 40), 2: range(40, 76), 3: range(76, 112)}
PLACES = {1: range(4), 2: range(4, 7), 3: range(7, 9)}
MARBLES, ROW, REMOVED = 13, 6, 20
CREDITS = ("draw", "pick", "file", "free_build", "research", "points")


def marbles(text: str = "") -> dict[str, int]:
    """`"2 red 1 blue"` -> {"red": 2, "blue": 1, "black": 0, "yellow": 0}."""
    words = text.split()
    found = dict.fromkeys(COLORS, 0)
    for number, color in zip(words[::2], words[1::2], strict=True):
        found[color] += int(number)
    return found


def level_of(card: int) -> int:
    return next(level for level, cards in LEVELS.items() if card in cards)


class Position(MatchPosition):
    """A position of this game under test."""

    def family(self, *verbs: str) -> set[str]:
        """The legal moves that begin with these words."""
        return {move for move in self.legal if move.rpartition(" ")[0] in verbs}

    def copy(self) -> Position:
        """The same position once more, to try another line."""
        other = restore(self.snap)
        other.mover = self.mover
        return other

    def lay(
        self,
        *,
        row: str | None = None,
        dispenser: str | None = None,
        display: Mapping[int, int | None] | None = None,
        decks: Mapping[int, Sequence[int]] | None = None,
    ) -> Position:
        """Let these lie there, whatever the box has: row, dispenser, display by place, decks by level, top first.

        No snapshot that the engine takes can say this, so its state is written. Nobody may know cards of these decks.
        """
        data = self.snap
        for level in decks or {}:
            assert not data["stacks"][level - 1] and not any(known[level - 1] for known in data["known"])
        if reference_plays():
            for name, text in (("row", row), ("dispenser", dispenser)):
                data[name] = data[name] if text is None else marbles(text)
            for place, card in (display or {}).items():
                data["display"][place] = card
            for level, cards in (decks or {}).items():
                data["decks"][level - 1] = list(cards)
            self.match = restore(data).match
            return self
        state = self.match.state
        for name, text in (("row", row), ("dispenser", dispenser)):
            if text is not None:
                getattr(state, name)[:] = list(marbles(text).values())
        for place, card in (display or {}).items():
            state.display[place] = -1 if card is None else card
        for level, cards in (decks or {}).items():
            state.decks[level - 1] = -1
            state.decks[level - 1][: len(cards)] = list(reversed(cards))
            state.deck_sizes[level - 1] = len(cards)
        return self

    def lose_deck(self, level: int) -> Position:
        """Take a whole deck out of the game."""
        return self.lay(decks={level: []})

    def lose_marbles(self, *where: str) -> Position:
        """Take all marbles of row or dispenser out of the game."""
        return self.lay(**dict.fromkeys(where, ""))

    @property
    def ring(self) -> dict[str, int]:
        return self.me["ring"]

    @property
    def held(self) -> int:
        """Marbles in the ring."""
        return sum(self.ring.values())

    @property
    def credits(self) -> dict[str, int]:
        return self.snap["credits"]

    @property
    def points(self) -> list[int]:
        return [int(points) for points in self.match.points()]

    @property
    def score(self) -> int:
        return self.points[self.mover]


def new_game(players: int = 2, seed: int = 0, **options: Any) -> Position:
    """A game from its first decision. The reference does not shuffle, so its decks are shuffled here."""
    if reference_plays():
        from tests.support.reference.gizmos import Reference

        chance = random.Random(seed)
        decks = [chance.sample(cards, len(cards)) for cards in LEVELS.values()]
        return Position(Reference.new(players, decks, chance.getrandbits(64), **options))
    import bdgame_env

    return Position(bdgame_env.make_match("gizmos-v3", players=players, seed=seed, **options))


def restore(data: Mapping[str, Any]) -> Position:
    """The position of an omniscient snapshot, which is copied."""
    if reference_plays():
        from tests.support.reference.gizmos import Reference

        return Position(Reference.from_snapshot(copy.deepcopy(dict(data))))
    import bdgame_env

    return Position(bdgame_env.match_from_snapshot(copy.deepcopy(dict(data))))


def position(
    *,
    players: int = 2,
    seat: int = 0,
    round: int = 2,
    ring: str = "",
    built: Sequence[int] = (),
    archive: Sequence[int] = (),
    tokens: int = 0,
    others: Mapping[int, Mapping[str, Any]] | None = None,
    row: str = "2 red 2 blue 1 black 1 yellow",
    display: Mapping[int, int | None] | None = None,
    tops: Mapping[int, Sequence[int]] | None = None,
    removed: Iterable[int] = (),
    rng: int = 1,
    passes: int = 0,
    rules: str = "printed",
    max_rounds: int = 100,
) -> Position:
    """A match at the beginning of a turn. ring, built, archive and tokens are the mover's.

    built: cards beside the starting card. others: for a seat, the same four things. row: up to six marbles. display:
    cards by place. tops: the top cards of a deck, first to be drawn first. removed: some of the level-3 cards that have
    left the game.
    """
    specs = {**(others or {}), seat: {"ring": ring, "built": built, "archive": archive, "tokens": tokens}}
    seats = [_seat(number, dict(specs.get(number, {}))) for number in range(players)]
    used = [card for one in seats for card in (*one["built"][1:], *one["archive"])]
    used += [card for card in (display or {}).values() if card is not None]
    wanted = [*used, *(card for cards in (tops or {}).values() for card in cards), *removed]
    assert len(set(wanted)) == len(wanted), "a card is placed twice"
    shown: list[int | None] = [None] * 9
    decks = []
    gone = list(removed)
    for level, cards in LEVELS.items():
        first = list((tops or {}).get(level, ()))
        rest = [card for card in cards if card not in wanted]
        for place in PLACES[level]:
            shown[place] = (display or {}).get(place, -1)
            if shown[place] == -1:
                shown[place] = rest.pop(0)
        if level == 3:
            while len(gone) < REMOVED:
                gone.append(rest.pop())
        decks.append(first + rest)
    seen = marbles(row)
    inside = {color: MARBLES - seen[color] - sum(one["ring"][color] for one in seats) for color in COLORS}
    cards_built = [(len(one["built"]), sum(card >= 76 for card in one["built"])) for one in seats]
    data = {
        "game": "gizmos",
        "players": players,
        "options": {"rules": rules, "max_rounds": max_rounds},
        "round": round,
        "seat": seat,
        "phase": "main",
        "last_round": any(number >= 16 or level_3 >= 4 for number, level_3 in cards_built),
        "truncated": False,
        "passes": passes,
        "rng": str(rng),
        "row": seen,
        "dispenser": inside,
        "display": shown,
        "decks": decks,
        "stacks": [[], [], []],
        "known": [[None, None, None] for _ in range(players)],
        "removed": sorted(gone),
        "credits": dict.fromkeys(CREDITS, 0),
        "hand": None,
        "under": [],
        "kept": None,
        "payment": None,
        "spent": [],
        "used": [],
        "seats": seats,
    }
    return restore(data)


def rich_position(seed: int, players: int, **options: Any) -> Position:
    """A late position drawn at random: 12 cards for each seat, many converters among them, and many marbles."""
    chance = random.Random(seed)
    pools = [[*range(24, 40), *range(60, 76)], [*range(4, 76)]]
    left = [*range(4, 112)]
    seats = []
    for _ in range(players):
        wanted = [card for card in pools[chance.random() < 0.5] if card in left]
        built = chance.sample(wanted, min(9, len(wanted)))
        special = [card for card in (88, 89, 90, 91, 92, 93, 94, 95, 102, 104, 106) if card in left]
        built += chance.sample(special, min(3, len(special)))
        left = [card for card in left if card not in built]
        archive = chance.sample([card for card in left if card < 92], 1)
        left.remove(archive[0])
        room = 5 + int(ADDS[built, 0].sum())
        ring = Counter(chance.choice(COLORS) for _ in range(chance.randint(2, min(room, 8))))
        text = " ".join(f"{number} {color}" for color, number in ring.items())
        seats.append({"ring": text, "built": built, "archive": archive, "tokens": chance.randint(0, 9)})
    mover, *others = seats
    return position(players=players, **mover, others=dict(enumerate(others, 1)), rng=seed, round=12, **options)


def _seat(number: int, spec: dict[str, Any]) -> dict[str, Any]:
    """One seat as the snapshot writes it."""
    unknown = set(spec) - {"ring", "built", "archive", "tokens"}
    assert not unknown, f"a seat has no {sorted(unknown)}"
    return {
        "ring": marbles(spec.get("ring", "")),
        "archive": sorted(spec.get("archive", ())),
        "built": [number, *sorted(spec.get("built", ()))],
        "tokens": spec.get("tokens", 0),
    }
