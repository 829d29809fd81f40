"""Which entries of a deck may change, and steps from deck to deck. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bdgame_env.engine.designing import Deck
from bdgame_env.engine.quoting import listed, shown

from ..errors import BadInput
from .deck_data import changed, entries, matches, value_at

ANY = "any"
_MOST_STEPS = 4  # in one child
_GROUP = 0.3  # share of the steps that change several entries of a pattern in the same direction


@dataclass(frozen=True)
class Space:
    """A space of decks.

    Attributes:
        ranges: by pattern the least and the greatest number of these entries; or ANY, one of `alternatives`. Of several
            patterns that an entry fits the first one counts.
        alternatives: see `Design.alternatives`.
    """

    ranges: Mapping[str, Any]
    alternatives: Callable[[Deck, str], Sequence[Any]]

    def places(self, deck: Deck) -> dict[str, list[str]]:
        """The paths of the entries that may change, by pattern."""
        found: dict[str, list[str]] = {pattern: [] for pattern in self.ranges}
        for path, _ in entries(deck):
            pattern = next((pattern for pattern in self.ranges if matches(path, pattern)), None)
            if pattern is not None:
                found[pattern].append(path)
        return found

    def check(self, deck: Deck, where: str) -> None:
        """Check that the deck has entries for every pattern, of the right sort, and that something can change.

        Raises:
            BadInput: it has not; in one line.
        """
        if not self.ranges:
            raise BadInput(f'{where}: nothing may change; [space] needs entries such as "cards.*.cost" = [1, 9]')
        for pattern, allowed in self.ranges.items():
            fits = [path for path, _ in entries(deck) if matches(path, pattern)]
            if not fits:
                raise BadInput(f"{where}: the deck has no entry {shown(pattern)}; it has {listed(_patterns(deck))}")
            if allowed == ANY:
                if not any(self.alternatives(deck, path) for path in fits):
                    raise BadInput(f"{where}: the game knows no alternatives for {shown(pattern)}")
                continue
            pair = isinstance(allowed, (list, tuple)) and len(allowed) == 2 and all(type(n) is int for n in allowed)
            if not pair:
                raise BadInput(f'{where}: {shown(pattern)} = {shown(allowed)}, must be [LEAST, MOST] or "{ANY}"')
            if allowed[0] > allowed[1]:
                raise BadInput(f"{where}: {shown(pattern)} = {shown(allowed)} is empty: the least is above the most")
            for path in fits:
                if type(value_at(deck, path)) is not int:
                    raise BadInput(f"{where}: {path} = {shown(value_at(deck, path))} is no whole number")

    def within(self, deck: Deck) -> Deck:
        """The deck with its numbers brought into their ranges."""
        for pattern, paths in self.places(deck).items():
            for path in paths if self.ranges[pattern] != ANY else ():
                least, most = self.ranges[pattern]
                value = min(most, max(least, value_at(deck, path)))
                if value != value_at(deck, path):
                    deck = changed(deck, path, value)
        return deck

    def child(self, deck: Deck, rng: np.random.Generator) -> Deck:
        """A deck some random steps away; it may not be legal."""
        steps = 1 + int(min(_MOST_STEPS - 1, rng.geometric(0.5) - 1))
        for _ in range(steps):
            places = {pattern: paths for pattern, paths in self.places(deck).items() if paths}
            pattern = list(places)[int(rng.integers(len(places)))]
            deck = self._step(deck, pattern, places[pattern], rng)
        return deck

    def _step(self, deck: Deck, pattern: str, paths: list[str], rng: np.random.Generator) -> Deck:
        if self.ranges[pattern] == ANY:
            path = paths[int(rng.integers(len(paths)))]
            others = self.alternatives(deck, path)
            return changed(deck, path, others[int(rng.integers(len(others)))]) if len(others) else deck
        least, most = self.ranges[pattern]
        up = int(rng.choice((-1, 1)))
        if len(paths) > 1 and rng.random() < _GROUP:
            some = [path for path in paths if rng.random() < rng.choice((0.15, 0.4))]
        else:
            some, up = [paths[int(rng.integers(len(paths)))]], up * int(rng.integers(1, 3))
        for path in some:
            deck = changed(deck, path, min(most, max(least, value_at(deck, path) + up)))
        return deck

    def crossed(self, one: Deck, other: Deck, rng: np.random.Generator) -> Deck:
        """A deck with whole tables of both."""
        return {key: other[key] if key in other and rng.random() < 0.5 else one[key] for key in one}


def _patterns(deck: Deck) -> list[str]:
    """The sorts of entries that a deck has, with * for keys below the first."""
    found: dict[str, None] = {}
    for path, value in entries(deck):
        keys = path.split(".")
        if not isinstance(value, (dict, list)):
            found[".".join([keys[0], *("*" for _ in keys[1:-1]), keys[-1] if len(keys) > 2 else "*"])] = None
    return list(found)
