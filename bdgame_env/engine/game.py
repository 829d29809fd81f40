"""What a game declares: `Game` holds everything that the generic code knows of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from .quoting import listed, shown
from .seam import Rules
from .user_files import KeptFile, NotRead, keep
from .values import as_switch, as_whole

if TYPE_CHECKING:
    from .actions import ActionTable

MAX_SEATS = 4
LARGEST_FILE = 1_000_000  # bytes, of an option's file
_KEPT_CONFIGS = 64
_MOST_NOTATIONS = 16  # how many configs' notations are kept
REQUIRED_STATE_FIELDS = ("rng", "game_seed", "decisions", "seat", "over", "truncated")


class BadSnapshot(ValueError):
    """Data that is not a position of the game; the message says where and why."""


class IllegalAction(ValueError):
    """An action that is not legal now; the message names it, the rule and the legal moves. Nothing was changed."""


class NoAction(IllegalAction, TypeError):
    """What is no whole number, in place of an action; whatever `illegal` says, nothing was changed."""


class BadOption(ValueError):
    """An option of a game that is unknown or out of its range."""


class UnknownOption(BadOption, TypeError):
    """A keyword that is neither a setting nor an option of the game; a TypeError too, as Python's own refusal is."""


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes:
        default: its value unless chosen otherwise.
        allowed: a range of integers, the values allowed, or None for an option that is the path of a file or None. The
            config holds the file's contents with its name (`KeptFile`).
        meaning: one line for the documentation.
        words: of such an option: the form in which a text that is no path is kept, such as "random:7"; None for a path.
            Raises ValueError, whose message says what is wrong with the text.
    """

    default: Any
    allowed: range | tuple[Any, ...] | None
    meaning: str
    words: Callable[[str], str | None] | None = None

    def check(self, game: str, name: str, value: object) -> Any:
        """The value, if it is allowed.

        Args:
            game: the game's id, for the message.
            name: of the option.
            value: to be checked.

        Raises:
            BadOption: it is not; says in one line what is.
        """
        if self.allowed is None:
            if value is not None and not isinstance(value, (str, os.PathLike)):
                raise BadOption(f"{game}: option {name}={shown(value)} is not allowed; allowed: None or a path")
            try:
                return self.word(value) or _kept(value)
            except ValueError as error:
                raise BadOption(f"{game}: option {name}={shown(value)} is not allowed: {error}") from None
        kind = type(self.default)
        found = as_whole(value) if kind is int else as_switch(value) if kind is bool else value
        if not isinstance(found, kind) or found not in self.allowed:
            allowed = self.allowed
            text = f"{allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else listed(map(repr, allowed))
            raise BadOption(f"{game}: option {name}={shown(value)} is not allowed; allowed: {text}")
        return kind(found)

    def word(self, value: object) -> str | None:
        """What `words` gives for a value; None for what is no text, and for a file."""
        return self.words(value) if self.words is not None and is_word(value) else None


def options_of(declared: type) -> dict[str, Option]:
    """The options of a TypedDict whose entries are `Annotated[type, Option(...)]`, by name."""
    hints = get_type_hints(declared, include_extras=True)
    return {name: option for name, hint in hints.items() for option in get_args(hint)[1:] if isinstance(option, Option)}


def is_word(value: object) -> TypeGuard[str]:
    """Whether the value of an option of files, once it is checked, is one of its `Option.words`."""
    return isinstance(value, str) and not isinstance(value, KeptFile)


def _kept(path: Any) -> Any:
    """A path with the contents of its file; one that cannot be read as it is, for the game to say so in its words."""
    with suppress(NotRead):
        return path if path is None else keep(path, LARGEST_FILE)
    return path


@dataclass(frozen=True, eq=False)
class GameConfig:
    """The cards and options of a game, the same for all matches of a batch.

    Attributes:
        record: cards and options for compiled code, shape (1,), of a dtype of the game's choice.
        options: the value of every option, `players` included.
        cards: the checked card data, for names and texts.
        num_actions: size of the action space.
        max_decisions: upper bound of the decisions in one game.
        dealt: where games are dealt one of several sets of cards: `(s) -> GameConfig`, the config with the set of a
            game whose record is `s`, of which everybody knows. Its `record` serves that game as this one's does. None
            if there is one set.
        held_out: whether these cards are for measuring what was learned with others: training refuses them.
    """

    record: np.ndarray[Any, Any]
    options: Mapping[str, Any]
    cards: Any
    num_actions: int
    max_decisions: int
    dealt: Callable[[Any], GameConfig] | None = None
    held_out: bool = False

    @property
    def players(self) -> int:
        """Number of seats in play."""
        return int(self.options["players"])

    def of_game(self, s: Any) -> GameConfig:
        """The config with the cards of the game whose record is `s`."""
        return self if self.dealt is None else self.dealt(s)


@dataclass(frozen=True)
class ObservationField:
    """One named part of an observation vector.

    Attributes:
        name: of the field.
        start: its first index in the vector.
        stop: one more than its last index.
        shape: of the field.
        low: least value.
        high: greatest value.
        meaning: one line for the documentation.
        cards: how the field describes cards, for networks. "": it does not; "cell": every entry is a card's kind + 1,
            or 0 for none, in a grid of shape (seats, columns, rows); "face": the first entry of the last axis is such a
            number, which the others follow from; "count": the last axis counts cards by kind; "table": row n of two
            axes says what card n does, the same throughout a game.
        seats: whether the first axis is the seats, counted from the observer.
        deck: which of the game's kinds of cards it describes, in the singular: "order"; "" if it describes none.
        features: what the entries of a face, or of a row of a table, mean, in order; empty if the meaning says it.
        faces: the "table" that says what the cards do which this field shows by number; "" if there is none. An entry
            n + 1 of a "cell", or a face that begins with it, is card n; of other fields entry n of the last axis is
            about card n.
    """

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    cards: str = ""
    seats: bool = False
    deck: str = ""
    features: tuple[str, ...] = ()
    faces: str = ""

    @property
    def slice(self) -> slice:
        """Where the field lies in the vector."""
        return slice(self.start, self.stop)


class Seats(int):
    """The length of an axis of seats, as the first in the shape of a field: `Seats(4)`."""


MakeConfig = Callable[[Mapping[str, Any]], GameConfig]


def keeping_configs(make_config: MakeConfig) -> MakeConfig:
    """`make_config`, which then gives the same config for the same options; files count by their contents."""

    @lru_cache(maxsize=_KEPT_CONFIGS)
    def make(items: tuple[tuple[str, type, Any], ...]) -> GameConfig:
        return make_config({name: value for name, _, value in items})

    # Types too: the name of a file alone, which equals the name with contents, was given for want of a file.
    return lambda options: make(tuple((name, type(options[name]), options[name]) for name in sorted(options)))


class Positions(Protocol):
    """What writes the positions of a game as plain JSON data and reads them."""

    def snapshot(self, s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
        """The position: all of it, or what the seat may see, or for None what everybody may see.

        Of hidden lists it then gives the length.
        """

    def restore(self, data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
        """Write the position of an omniscient snapshot into a zeroed record."""

    def options_of_snapshot(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the snapshot's game, `players` included."""


def _declared_game(module: str, game_id: str) -> Game:
    """The game that a module declares, for unpickling."""
    for declared in vars(import_module(module)).values():
        if isinstance(declared, Game) and declared.id == game_id:
            return declared
    raise ImportError(f"{module} declares no game {game_id!r}")


@dataclass(frozen=True, eq=False)
class Game:
    """The declaration of a game.

    Attributes:
        name: short name, e.g. "bdgame"; words are joined by "_", as in the names of its folder and modules.
        version: changes when play changes, so that the same seed and moves lead to a different game.
        title: the game's printed title.
        seats: fewest and most players.
        state: record dtype of one game, with the fields `REQUIRED_STATE_FIELDS`.
        obs: record dtype of one observation, int8 throughout.
        options: what may be chosen besides `players`.
        make_config: `(options) -> GameConfig`, with all options and `players`; checks card data.
        rules: the module with the kernels that are the rules, see `seam.Rules`; with `simultaneous` too if the game has
            phases in which seats choose simultaneously.
        actions: ids, notation and paragraphs of all actions, and the cards that they are about.
        position: writes snapshots and restores them, such as a `records.snapshots.Position`.
        schema: the observation's fields in order.
        module: the module that declares the game. The game is unpickled from it, and a hash of its sources is part of
            the names of compiled code.
        told: `(s, config, action, viewer) -> str`: what a viewer other than the mover (a seat, or None for a spectator)
            learns of a legal action, in the notation; `s` is the record before it. "" if the viewer learns nothing:
            then nothing that it can see may depend on the action. None if everybody learns every action.
        shown_points: `(s, config, seat) -> int`: the points of a seat that everybody may see now. None if `points` are
            open at any time.
        simultaneous_steps: `(s, config) -> int`, plain Python: an upper bound of one seat's decisions in the
            simultaneous phase under way, from what everybody sees, constant during the phase; 0 while players take
            turns. None if each seat has one decision in such a phase.
        ask: `(s, config, seat) -> None`, plain Python: in a copy, give the decision to a seat that
            `rules.simultaneous` has named, as if it were the first to choose. None if setting `s.seat` is enough.
        card_names: `(config) -> {field: names}`: for fields of the observation that show cards, what each card is
            called, by its number, for people. An entry of such a field is a card's number + 1, or 0 for none; in a
            field of counts (see `ObservationField.cards`) the last axis has an entry for each number. None if the cards
            have numbers only.
        explore: `(s, config, rng) -> None`, a kernel: change a position right after setting up into one that training
            should meet, though play seldom leads there; `rng` is a record with the field `rng`. None if there is none.
        short: options of a short form of the game, from which beginners learn faster; none if it has no such form.
        seen: record dtype of what `rules.refresh` notes of an observation; None if the rules have none.
        drawing: the module whose DRAW is the game's `Drawing`, imported when first drawn; "" for a plain list of what
            the snapshot holds.
        design: the module whose DESIGN says what to count in games and how decks may change, see `designing.Design`;
            "" if there is none.
    """

    name: str
    version: int
    title: str
    seats: tuple[int, int]
    state: np.dtype[Any]
    obs: np.dtype[Any]
    options: Mapping[str, Option]
    make_config: MakeConfig
    rules: Rules[Any, Any]
    actions: ActionTable
    position: Positions
    schema: tuple[ObservationField, ...]
    module: str = field(default="")
    told: Callable[..., str] | None = None
    shown_points: Callable[..., int] | None = None
    simultaneous_steps: Callable[..., int] | None = None
    ask: Callable[..., None] | None = None
    card_names: Callable[[GameConfig], Mapping[str, Sequence[str]]] | None = None
    explore: Callable[..., None] | None = None
    short: Mapping[str, Any] = field(default_factory=dict)
    seen: np.dtype[Any] | None = None
    drawing: str = field(default="")
    design: str = field(default="")

    def __post_init__(self) -> None:
        names = self.state.names or ()
        missing = [name for name in REQUIRED_STATE_FIELDS if name not in names]
        if missing:
            raise ValueError(f"{self.id}: the state lacks the fields {missing}")
        if self.obs.itemsize != sum(f.stop - f.start for f in self.schema):
            raise ValueError(f"{self.id}: the observation schema does not cover the observation record")

    @cached_property
    def blank(self) -> npt.NDArray[Any]:
        """The record that rules set a game up in, shape (1,): zeros, and the empty values that fields declare."""
        declared = getattr(self.position, "state", None)
        blank: npt.NDArray[Any] = np.zeros(1, self.state) if declared is None else declared.blank
        return blank

    @property
    def id(self) -> str:
        """Name and version, as in `make_aec("bdgame-v3")`, with hyphens between the words of the name."""
        return f"{self.name.replace('_', '-')}-v{self.version}"

    def card_places(self, config: GameConfig) -> npt.NDArray[np.int32]:
        """Where an observation shows the card that each action is about, see `ActionTable.card_places`."""
        return self.actions.card_places(config, self.schema)

    def outcome_places(self, config: GameConfig) -> npt.NDArray[np.int32]:
        """Where an observation says what comes of each action, see `ActionTable.outcome_places`."""
        return self.actions.outcome_places(config, self.schema)

    @property
    def has_simultaneous_phases(self) -> bool:
        """Whether seats may choose simultaneously, so that the rules have `simultaneous`."""
        return hasattr(self.rules, "simultaneous")

    def __reduce__(self) -> tuple[Any, ...]:
        return _declared_game, (self.module, self.id)

    def config(self, **options: Any) -> GameConfig:
        """The config for these options: `players` and the game's own.

        Raises:
            BadOption: an option is unknown or out of its range; says in one line what is allowed.
        """
        chosen = dict(options)
        players = chosen.pop("players", self.seats[0])
        least, most = self.seats
        players = Option(least, range(least, most + 1), "").check(self.id, "players", players)
        for name in chosen:
            if name not in self.options:
                known = listed(["players", *self.options])
                raise UnknownOption(f"{self.id}: unknown option {shown(name)}; options: {known}")
        checked = {
            name: option.check(self.id, name, chosen.get(name, option.default)) for name, option in self.options.items()
        }
        return self.make_config({"players": players, **checked})

    @cached_property
    def _notations(self) -> dict[int, tuple[GameConfig, tuple[str, ...], dict[str, int]]]:
        return {}  # by `id` of the config, which the entry keeps alive; the most recently used is last

    def notation(self, config: GameConfig) -> tuple[tuple[str, ...], dict[str, int]]:
        """The names of all actions by id, and their ids by name."""
        kept = self._notations.pop(id(config), None)
        if kept is None:
            names = tuple(self.actions.names(config))
            kept = (config, names, {name: action for action, name in enumerate(names)})
        self._notations[id(config)] = kept
        while len(self._notations) > _MOST_NOTATIONS:
            with suppress(StopIteration, RuntimeError):  # another thread may drop entries at the same time
                self._notations.pop(next(iter(self._notations)), None)
        return kept[1], kept[2]
