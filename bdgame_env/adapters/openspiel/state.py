"""A game in progress as OpenSpiel's `State`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyspiel

from ...engine.arguments import action_id
from ...engine.game import BadOption
from ...engine.quoting import shown

if TYPE_CHECKING:
    from .position import Position

DEAL_BYTES = 8
_OUTCOMES = [(byte, 1 / 256) for byte in range(256)]
_LARGEST = 2**63 - 1
_SAMPLES = 2**53  # as many as there are floats from 0 to 1


class BoardState(pyspiel.State):  # type: ignore[misc]
    """A game in progress; `BoardGame.new_initial_state` makes it.

    Whoever holds the state holds everything hidden: `str`, `history` and `serialize` tell it. What a player may see is
    in its observations and information states, see `SeatObserver`, and in states from `resample_from_infostate`.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        # OpenSpiel copies and pickles all attributes of a state.
        self._dealt = b""  # the bytes of the game seed so far, the first one the most significant
        self._position: Position | None = None

    @property
    def position(self) -> Position | None:
        """The position on the board, everything hidden included; None while chance deals."""
        return self._position

    def current_player(self) -> Any:
        """The seat to decide, or that chance deals, or that the game is over."""
        if self._position is None:
            return pyspiel.PlayerId.CHANCE
        match = self._position.match
        return pyspiel.PlayerId.TERMINAL if match.over else match.seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._position is not None and self._position.match.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values of a byte, all equally likely."""
        return list(_OUTCOMES)

    def returns(self) -> list[float]:
        """The rewards by rank once the game is over, 0 before."""
        return [0.0] * self.num_players() if self._position is None else list(self._position.returns)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._position.legal) if self._position is not None else []

    def apply_action(self, action: int) -> None:
        """Deal a byte, or play an action. OpenSpiel itself would take a truth value for 0 or 1.

        Raises:
            TypeError: the action is not a whole number. Nothing was changed.
            IllegalAction, BadOption: it is not legal. Nothing was changed.
        """
        chosen = action_id(str(self.get_game()), action)
        if not 0 <= chosen <= _LARGEST:
            self._apply_action(chosen)  # refuses it; OpenSpiel's own errors would take several lines
        super().apply_action(chosen)

    def _apply_action(self, action: int) -> None:
        """Deal a byte, or play an action; IllegalAction if it is not legal."""
        if self._position is not None:
            self._position = self._position.after(action)
            return
        if not 0 <= action < 256:
            raise BadOption(f"{self.get_game()}: chance deals a byte, 0 to 255, not {shown(action)}")
        self._dealt += bytes([action])
        if len(self._dealt) == DEAL_BYTES:
            self._position = self.get_game().deal(int.from_bytes(self._dealt))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE or self._position is None:
            return f"deal {action:02x}"
        return self._position.match.action_to_string(action)

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> BoardState:
        """A state that the player cannot tell from this one, with everything that it does not know sampled.

        Its history is empty: the true one holds the deal and what others chose in secret.

        Args:
            player_id: the player.
            sampler: gives numbers from 0 to 1, such as `pyspiel.UniformProbabilitySampler(0.0, 1.0)`.

        Raises:
            ValueError: no such player, or chance has not dealt.
        """
        if self._position is None:
            raise ValueError(f"{self.get_game()}: nothing to resample, since chance has not dealt yet")
        twin: BoardState = self.get_game().new_initial_state()
        twin._position = self._position.resampled(player_id, int(sampler() * _SAMPLES))
        return twin

    def __str__(self) -> str:
        if self._position is None:
            return f"deal {self._dealt.hex(' ')}".strip()
        return json.dumps(self._position.match.snapshot(omniscient=True))
