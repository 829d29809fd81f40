"""What a game declares about itself: `Game`, the one thing that the generic code knows of it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from .shown import shown

MAX_SEATS = 4
_MOST_NOTATIONS = 16  # configs whose notation is kept
REQUIRED_STATE_FIELDS = ("rng", "game_seed", "decisions", "seat", "over", "truncated")


class BadSnapshot(ValueError):
    """Data that is no position of the game; the message says where and why."""


class IllegalAction(ValueError):
    """An action that the rules forbid now; nothing was changed. The message names it, the rule and the legal moves."""


class BadOption(ValueError):
    """An option of a game that is unknown or out of its range."""


@dataclass(frozen=True)
class Option:
    """One option of a game: its default, and what is allowed.

    That is a range of integers or a list of values; None stands for the path of a file, or None for no file.
    `sets` is for an option that stands for others: for some of its values, those of other options that follow from it.
    """

    default: Any
    allowed: range | tuple[Any, ...] | None
    meaning: str
    sets: Mapping[Any, Mapping[str, Any]] = field(default_factory=dict)

    def check(self, game: str, name: str, value: Any) -> Any:
        """The value, if allowed.

        Raises:
            BadOption: it is not.
        """
        if self.allowed is None:
            if value is not None and not isinstance(value, (str, os.PathLike)):
                raise BadOption(f"{game}: option {name}={shown(value)} is not allowed; allowed: None or a path")
            return value
        kind = type(self.default)
        fits = isinstance(value, (kind, np.integer)) if kind is int else isinstance(value, kind)
        if isinstance(value, bool) and kind is int:
            fits = False
        if not fits or value not in self.allowed:
            allowed = self.allowed
            text = f"{allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else ", ".join(map(repr, allowed))
            raise BadOption(f"{game}: option {name}={shown(value)} is not allowed; allowed: {text}")
        return kind(value)


@dataclass(frozen=True)
class GameConfig:
    """A game's cards and the options agreed before play: what all matches of one batch share.

    Attributes:
        record: the same facts for compiled code, shape (1,), the game's own CONFIG dtype.
        options: every option with its value, `players` included.
        cards: the checked card data, for names and texts.
        num_actions: size of the action space.
        max_decisions: no game has more decisions than this.
    """

    record: np.ndarray[Any, Any]
    options: Mapping[str, Any]
    cards: Any
    num_actions: int
    max_decisions: int

    @property
    def players(self) -> int:
        """Number of seats in play."""
        return int(self.options["players"])


@dataclass(frozen=True)
class ObservationField:
    """One named part of an observation vector.

    `cards` says how a field tells of cards, so that networks can read it so: "" does not; "cell": every entry is a
    card's kind + 1, 0 for none, in a grid of shape (seats, columns, rows); "face": the first entry of the last axis is
    such a number, the others are the card's features; "count": the last axis counts cards by kind.
    """

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    cards: str = ""

    @property
    def slice(self) -> slice:
        """Where the field lies in the vector."""
        return slice(self.start, self.stop)


def observation_schema(
    fields: Iterable[tuple[str, tuple[int, ...], int, int, str]], cards: Mapping[str, str] | None = None
) -> tuple[ObservationField, ...]:
    """The fields of an observation vector, one behind the other.

    Args:
        fields: name, shape, least value, greatest value and meaning of each, in order.
        cards: how those of them that tell of cards do so, by name; see `ObservationField`.
    """
    found, start = [], 0
    for name, shape, low, high, meaning in fields:
        stop = start + math.prod(shape)
        kind = (cards or {}).get(name, "")
        found.append(ObservationField(name, start, stop, shape, low, high, meaning, kind))
        start = stop
    return tuple(found)


def _declared_game(module: str, game_id: str) -> Game:
    """The game that a module declares, for unpickling."""
    for declared in vars(import_module(module)).values():
        if isinstance(declared, Game) and declared.id == game_id:
            return declared
    raise ImportError(f"{module} declares no game {game_id!r}")


@dataclass(frozen=True, eq=False)
class Game:
    """The declaration of a game.

    The functions from `reset` to `resample` are `rule`s: they take the game's record `s` (dtype `state`) and the config
    record `box`, allocate nothing, and mean the same compiled or not.

    Attributes:
        name: short name, e.g. "bdgame"; words are joined by "_", as in the names of its folder and modules.
        version: moves when play changes: the same seed and moves then give another game.
        title: the name printed on the config.
        seats: fewest and most players.
        state: record dtype of one game; it has the fields `REQUIRED_STATE_FIELDS`.
        obs: record dtype of one observation, int8 throughout.
        options: what may be chosen besides `players`.
        make_config: `(options, players) -> GameConfig`, checks card data.
        reset: `(s, config)`: set up from `s.rng`; everything else in `s` is zero before.
        legal: `(s, config, mask)`: set `mask[a] = 1` (int8, all zero before) for each legal action.
        apply: `(s, config, action)`: carry out a legal action and what follows of itself, up to the next decision.
        observe: `(s, config, seat, out)`: write all of `out`, an `obs` record, as `seat` sees the game.
        points: `(s, config, seat) -> int`.
        ranks: `(s, config, out)`: place of each seat, 1 is the best, ties share (int8 array of MAX_SEATS).
        progress: `(s, config, seat) -> float`: how far a seat is on its way to a winning score, for shaping.
        resample: `(s, config, seat)`: sample from `s.rng` everything that the seat does not know, each world that fits
            what it knows as likely as its cards are. The result depends on what the seat knows and on `s.rng` only:
            positions that the seat cannot tell apart give the same record, to the last byte. Called by the engine's
            `determinize`.
        action_names: `(config) -> list[str]`: the notation of every action, by id.
        rule_of: `(action name) -> str`: the paragraph of the rules that an action is under, for error messages.
        snapshot: `(s, config, omniscient, seat=None) -> dict`: the position as plain JSON data: all of it, or what the
            seat may see, or with None what all may see; then hidden lists are numbers.
        restore: `(data, config, s)`: write the position of an omniscient snapshot into a zeroed record.
        options_of_snapshot: `(data) -> options`: the options that a snapshot was made with, `players` included.
        schema: the observation's fields in order.
        module: the module that declares the game; the sources in its folder name the compiled code.
        simultaneous: `(s, config, out) -> int`, of a game in which players sometimes choose at the same time: writes
            `out[seat] = 1` for each seat that still has to choose in the phase under way, else 0 (int8 array of
            MAX_SEATS), and returns a number other than 0 that is this phase's own within the game, or 0 where players
            take turns. Such a phase draws no luck and shows no choice before all have made theirs; any of these seats
            can be asked as if it were first, since no choice makes another seat's choice impossible. None if players
            always take turns.
        told: `(s, config, action, viewer) -> str`: what a viewer other than the mover (a seat, or None for somebody who
            only watches) is told of a legal action, in words of the notation; `s` is the record before it. "" if the
            viewer learns nothing: then nothing that it can see may depend on the choice. None if every move is told
            in full.
        simultaneous_steps: `(s, config) -> int`, plain Python: an upper bound of the decisions that any one seat has in
            the phase in which seats choose at once, from what all can see; the same number during the whole phase. 0
            where players take turns. None if each seat has one decision in such a phase.
        ask: `(s, config, seat) -> None`, plain Python: in a copy, make it the decision of a seat that `simultaneous`
            has named, as if it were first. None if it is enough to set `s.seat`.
        card_places: `(config) -> int32 array, shape (num_actions,)`: by action id the index, in the flat observation
            vector, of the first entry that shows the card which the action is about, or -1 if it is about none. See
            `ActionTable.card_places`. None if the game does not say.
        drawing: the module whose DRAW is the game's `Drawing`, loaded late; "" for a plain table of the snapshot.
    """

    name: str
    version: int
    title: str
    seats: tuple[int, int]
    state: np.dtype[Any]
    obs: np.dtype[Any]
    options: Mapping[str, Option]
    make_config: Callable[[Mapping[str, Any]], GameConfig]
    reset: Callable[..., None]
    legal: Callable[..., None]
    apply: Callable[..., None]
    observe: Callable[..., None]
    ranks: Callable[..., None]
    points: Callable[..., int]
    progress: Callable[..., float]
    resample: Callable[..., None]
    action_names: Callable[[GameConfig], list[str]]
    rule_of: Callable[[str], str]
    snapshot: Callable[..., dict[str, Any]]
    restore: Callable[[Mapping[str, Any], GameConfig, Any], None]
    options_of_snapshot: Callable[[Mapping[str, Any]], dict[str, Any]]
    schema: tuple[ObservationField, ...]
    module: str = field(default="")
    simultaneous: Callable[..., int] | None = None
    told: Callable[..., str] | None = None
    simultaneous_steps: Callable[..., int] | None = None
    ask: Callable[..., None] | None = None
    card_places: Callable[[GameConfig], npt.NDArray[np.int32]] | None = None
    drawing: str = field(default="")

    def __post_init__(self) -> None:
        names = self.state.names or ()
        missing = [name for name in REQUIRED_STATE_FIELDS if name not in names]
        if missing:
            raise ValueError(f"{self.id}: the state lacks the fields {missing}")
        if self.obs.itemsize != sum(f.stop - f.start for f in self.schema):
            raise ValueError(f"{self.id}: the observation schema does not cover the observation record")

    @property
    def id(self) -> str:
        """Name and version, as in `make_aec("bdgame-v2")`; a name of several words has hyphens between them."""
        return f"{self.name.replace('_', '-')}-v{self.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _declared_game, (self.module, self.id)

    def config(self, **options: Any) -> GameConfig:
        """The config for these options (`players` and the game's own), checked.

        Raises:
            BadOption: an option is unknown, out of its range or at odds with one that sets it, in one line that says
                what is allowed.
        """
        chosen = dict(options)
        players = chosen.pop("players", self.seats[0])
        least, most = self.seats
        players = Option(least, range(least, most + 1), "").check(self.id, "players", players)
        for name in chosen:
            if name not in self.options:
                known = ", ".join(["players", *self.options])
                raise BadOption(f"{self.id}: unknown option {shown(name)}; options: {known}")
        checked = {
            name: option.check(self.id, name, chosen.get(name, option.default)) for name, option in self.options.items()
        }
        for name, option in self.options.items():
            for other, value in option.sets.get(checked[name], {}).items():
                if other in chosen and checked[other] != value:
                    given = f"{other}={checked[other]!r} contradicts {name}={checked[name]!r}"
                    raise BadOption(f"{self.id}: option {given}, which sets {other}={value!r}")
                checked[other] = value
        return self.make_config({"players": players, **checked})

    @cached_property
    def _notations(self) -> dict[int, tuple[GameConfig, tuple[str, ...], dict[str, int]]]:
        return {}  # by identity of the config, which the entry keeps alive; the config used last stands last

    def notation(self, config: GameConfig) -> tuple[tuple[str, ...], dict[str, int]]:
        """The names of all actions by id, and the ids by name, for this config."""
        kept = self._notations.pop(id(config), None)
        if kept is None:
            names = tuple(self.action_names(config))
            kept = (config, names, {name: action for action, name in enumerate(names)})
        self._notations[id(config)] = kept
        while len(self._notations) > _MOST_NOTATIONS:
            with suppress(StopIteration, RuntimeError):  # another thread may drop entries at the same time
                self._notations.pop(next(iter(self._notations)), None)
        return kept[1], kept[2]

    @cached_property
    def loops(self) -> Any:
        """The compiled loops over batches of this game (see `engine.match_loops`)."""
        from .loops import build_loops

        return build_loops(self)
