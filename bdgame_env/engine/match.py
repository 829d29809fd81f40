"""One match: moves by name, positions, copies. Plain Python; no framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .arguments import action_id, check_seat, check_seed, whole
from .codes import ALL_LEGAL
from .game import MAX_SEATS, BadSnapshot, Game, GameConfig, IllegalAction
from .loop_builder import loops_of
from .quoting import listed, shown
from .rng import determinization_seed, game_seed
from .saved_states import mark_of, seal, unseal

Mask = npt.NDArray[np.int8]


class Match:
    """A single game.

    Args:
        game: the declaration of the game.
        seed: None takes fresh entropy; a number makes the game reproducible.
        match: plays the game that match number `match` of a batch with the same seed plays.
        options: `players` and the game's own options.

    Attributes:
        offered: the config of all games that may be dealt; `config` is that of the game that was.

    Raises:
        BadOption: an option is unknown or out of its range.
    """

    def __init__(self, game: Game, *, seed: int | None = None, match: int = 0, **options: Any) -> None:
        self.game = game
        self._prepare(game.config(**options))
        self.reset(seed=seed, match=match)

    def _prepare(self, config: GameConfig) -> None:
        self.offered = config
        self._games = np.zeros(1, self.game.state)
        self._action = np.zeros(1, np.int32)
        self._work_mask = np.zeros((1, config.num_actions), np.int8)
        self._loops = loops_of(self.game)
        self._notation = self.game.notation(config)
        self._mark = b""

    # Starting and copying

    def reset(self, *, seed: int | None = None, match: int = 0) -> None:
        """Start a new game; arguments as for the class."""
        self.deal(game_seed(seed, match))

    def deal(self, number: int) -> None:
        """Start the game of a 64-bit game seed, as in the property `game_seed`.

        Raises:
            BadOption: it is not such a number.
        """
        number = whole("game_seed", number, 0, 2**64 - 1, of=self.game.id)
        self._loops.reset_games(self._games, self.offered.record, np.array([number], np.uint64), 0, 1)

    def clone(self, *, determinize: int | None = None, seed: int | None = None) -> Match:
        """An independent copy that plays on in the same way.

        Args:
            determinize: a seat: everything that it does not know, and all chance to come, is sampled in the copy, which
                then holds nothing that depends on the truth beyond what the seat knows.
            seed: for the sample; None takes fresh entropy.

        Raises:
            BadOption: no such seat, or the seed is not valid.
        """
        seed = check_seed(seed, of=self.game.id)
        twin = type(self).__new__(type(self))
        twin.game = self.game
        twin._prepare(self.offered)
        twin._games[0] = self._games[0]
        if determinize is not None:
            determinize = check_seat(self.game.id, determinize, self.players)
            number = np.array([determinization_seed(seed)], np.uint64)
            self._loops.determinize_games(
                twin._games, self.offered.record, number, np.array([determinize], np.int8), 0, 1
            )
        return twin

    def __copy__(self) -> Match:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self.game, "options": dict(self.offered.options), "state": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.game = state["game"]
        self._prepare(self.game.config(**state["options"]))
        self.set_state(state["state"])

    def get_state(self) -> bytes:
        """The game's whole record, sealed so that `set_state` can tell its game and whether it was changed."""
        return seal(self.game, self._own_mark(), self._games.tobytes())

    def set_state(self, state: bytes) -> None:
        """Continue from `get_state` of a match with the same game and options.

        Raises:
            ValueError: it is not a state, belongs to another game, other options or other cards, or was changed; says
                which in one line. The match stays as it was.
        """
        self._games[:] = np.frombuffer(unseal(self.game, self._own_mark(), state), self.game.state)

    def _own_mark(self) -> bytes:
        self._mark = self._mark or mark_of(self.game, self.offered)
        return self._mark

    # Looking

    @property
    def config(self) -> GameConfig:
        """The cards and options that this game is played with."""
        return self.offered.of_game(self.state)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The notation of every action, by id."""
        return self._names_and_ids()[0]

    def _names_and_ids(self) -> tuple[tuple[str, ...], dict[str, int]]:
        return self._notation if self.offered.dealt is None else self.game.notation(self.config)

    @property
    def state(self) -> Any:
        """The record itself, everything hidden included."""
        return self._games[0]

    @property
    def states(self) -> npt.NDArray[Any]:
        """The record as an array of shape (1,), as the compiled loops take it."""
        return self._games

    @property
    def players(self) -> int:
        """Number of seats in play."""
        return self.offered.players

    @property
    def seat(self) -> int:
        """The seat to decide now."""
        return int(self._games["seat"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._games["over"][0])

    @property
    def truncated(self) -> bool:
        """Whether it ended by its round limit."""
        return bool(self._games["truncated"][0])

    @property
    def game_seed(self) -> int:
        """The 64-bit seed of this game."""
        return int(self._games["game_seed"][0])

    def mask(self) -> Mask:
        """Legal actions, int8 of shape (num_actions,); all zero when the game is over."""
        mask = np.empty((1, self.offered.num_actions), np.int8)
        self._loops.legal_games(self._games, self.offered.record, mask, 0, 1)
        legal: Mask = mask[0]
        return legal

    def legal_actions(self) -> list[int]:
        """Ids of the legal actions, ascending."""
        return [int(action) for action in np.flatnonzero(self.mask())]

    def legal_moves(self) -> list[str]:
        """The legal actions in notation, in order of their ids."""
        return [self.action_names[action] for action in self.legal_actions()]

    def observe(self, seat: int | None = None) -> npt.NDArray[np.int8]:
        """What a seat (default: the one to decide) sees, int8 of shape (observation size,)."""
        seats = np.array([self.seat if seat is None else check_seat(self.game.id, seat, self.players)], np.int8)
        obs = np.empty(self.game.obs.itemsize, np.int8)
        self._loops.observe_games(self._games, self.offered.record, seats, obs.view(self.game.obs), 0, 1)
        return obs

    def choosing(self) -> tuple[int, list[int]]:
        """The number of the simultaneous phase under way and the seats that still have to choose, or (0, [])."""
        numbers, seats = np.zeros(1, np.int64), np.zeros((1, MAX_SEATS), np.int8)
        if self.game.has_simultaneous_phases and not self.over:
            self._loops.choosing_games(self._games, self.offered.record, numbers, seats, 0, 1)
        return int(numbers[0]), [int(seat) for seat in np.flatnonzero(seats[0])]

    def told(self, action: int, viewer: int | None) -> str:
        """What a viewer learns when the seat to decide takes a legal action: its notation, less, or "" for nothing.

        Args:
            action: its id; it has not been played yet.
            viewer: a seat, or None for a spectator. The seat to decide learns everything.

        Raises:
            IllegalAction: there is no such id.
            ValueError: no such seat.
        """
        action = action_id(self.game.id, action)
        name = self.action_to_string(action)
        if viewer is not None:
            viewer = check_seat(self.game.id, viewer, self.players)
        if self.game.told is None or viewer == self.seat:
            return name
        return self.game.told(self.state, self.config, action, viewer)

    def told_to_all(self, action: int) -> dict[int | None, str]:
        """`told` for every seat, and for None."""
        return {viewer: self.told(action, viewer) for viewer in (None, *range(self.players))}

    def seat_known_to(self, viewer: int | None) -> int | None:
        """The seat to decide, if the viewer may know it; None if not, and when the game is over.

        While seats choose in secret, the seat to decide would reveal who has already chosen, so only that seat knows.
        """
        if self.over:
            return None
        return self.seat if viewer == self.seat or self.choosing()[0] == 0 else None

    def points(self) -> list[int]:
        """Points of every seat, those gained in secret included; for what everybody may see, see `shown_points`."""
        return [int(value) for value in self._finals()[: self.players]]

    def shown_points(self) -> list[int]:
        """Points of every seat as everybody may see them: without what seats have gained in secret so far."""
        shown = self.game.shown_points
        if shown is None:
            return self.points()
        return [int(shown(self.state, self.offered.record[0], seat)) for seat in range(self.players)]

    def ranks(self) -> list[int]:
        """Rank of every seat; 1 is the best, tied seats have the same. Before the end, as if the game ended now."""
        return [int(value) for value in self._finals()[self.players : 2 * self.players]]

    def _finals(self) -> npt.NDArray[np.int32]:
        finals = np.zeros((1, 2 * self.players + 1), np.int32)
        self._loops.finals_games(self._games, self.offered.record, finals, 0, 1)
        figures: npt.NDArray[np.int32] = finals[0]
        return figures

    def snapshot(self, omniscient: bool = False, *, seat: int | None = None) -> dict[str, Any]:
        """The position as plain JSON data.

        Args:
            omniscient: include everything hidden, as `from_snapshot` needs it.
            seat: what this seat may see; None for what everybody may see.

        Raises:
            ValueError: no such seat.
        """
        if seat is not None:
            seat = check_seat(self.game.id, seat, self.players)
        return self.game.position.snapshot(self.state, self.config, omniscient, seat)

    @classmethod
    def from_snapshot(cls, game: Game, data: Mapping[str, Any], **options: Any) -> Match:
        """A match with the position of an omniscient snapshot.

        Args:
            game: the game the snapshot is of.
            data: what `snapshot(omniscient=True)` gave.
            options: options that a snapshot does not hold, such as the path of a card file.

        Raises:
            BadSnapshot: the data is not such a snapshot; says in one line what is wrong.
        """
        if not isinstance(data, Mapping):
            raise BadSnapshot(f"snapshot: a mapping is wanted, not {type(data).__name__}")
        match = cls(game, seed=0, **{**game.position.options_of_snapshot(data), **options})
        games = np.zeros(1, game.state)
        game.position.restore(data, match.config, games[0])
        match._games = games
        if not match.over and not match.mask().any():
            raise BadSnapshot("snapshot: the seat to decide has no legal move")
        return match

    # Playing

    def action_to_string(self, action: int) -> str:
        """The notation of an action id.

        Raises:
            IllegalAction: there is no such id.
            TypeError: it is not a whole number.
        """
        action = action_id(self.game.id, action)
        if not 0 <= action < len(self.action_names):
            raise IllegalAction(f"{self.game.id}: no action {shown(action)}; ids are 0 to {len(self.action_names) - 1}")
        return self.action_names[action]

    def string_to_action(self, move: str) -> int:
        """The id of a move in notation.

        Raises:
            IllegalAction: it is not in the notation of this game and its options.
        """
        action = self._names_and_ids()[1].get(move) if isinstance(move, str) else None
        if action is None:
            raise IllegalAction(f"{self.game.id}: {shown(move)} is no move of this game; {self._legal_text()}")
        return action

    def play(self, move: str | int) -> None:
        """Play a move, in notation or by id.

        Raises:
            IllegalAction: it is not legal; the message names the move, the rule and the legal moves. Nothing changed.
            TypeError: it is neither a string nor a whole number.
        """
        action = self.string_to_action(move) if isinstance(move, str) else action_id(self.game.id, move)
        name = self.action_to_string(action)
        self._action[0] = action
        if self._loops.play_legal(self._games, self.offered.record, self._action, self._work_mask, 0, 1) != ALL_LEGAL:
            raise IllegalAction(
                f"{self.game.id}: {name!r} is not legal now ({self.game.actions.rule_of(name)}); {self._legal_text()}"
            )

    def _legal_text(self) -> str:
        moves = self.legal_moves()
        return f"legal moves: {listed(moves)}" if moves else "the game is over"
