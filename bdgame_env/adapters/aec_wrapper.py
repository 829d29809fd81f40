"""PettingZoo's usual wrappers for board games, with a shortcut for legal decisions."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ..engine.arguments import ILLEGAL, action_id, choice

if TYPE_CHECKING:
    from .aec import RawAEC


def _after_reset(name: str) -> Any:
    def read(self: CheckedAEC) -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(self._raw, name)

    return property(read, doc=f"`{name}` of the wrapped environment; not before reset.")


class CheckedAEC(OrderEnforcingWrapper):  # type: ignore[misc]
    """TerminateIllegalWrapper, AssertOutOfBoundsWrapper and OrderEnforcingWrapper around a `RawAEC`, outermost last.

    They behave as they do around PettingZoo's own environments, except that whatever needs no wrapper (a legal
    decision, an observation) goes straight to the game, which is several times faster. Copies, states and snapshots
    include the wrappers. Other methods of `RawAEC` are passed on.

    Args:
        raw: the environment.
        illegal: what an illegal action does: "end" ends the game, as TerminateIllegalWrapper does: the seat that chose
            it gets `illegal_reward`, the others 0, and all are terminated and truncated; "raise" raises IllegalAction
            and changes nothing. What is not in the action space is an AssertionError either way.
        illegal_reward: reward of a seat that ends the game by an illegal action.

    Raises:
        BadOption: `illegal` is neither.
    """

    _has_reset: bool
    _has_updated: bool

    def __init__(self, raw: RawAEC, *, illegal: str = "end", illegal_reward: float = -1.0) -> None:
        self._raises = choice("illegal", illegal, ILLEGAL, of=raw.game.id) == "raise"
        super().__init__(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=illegal_reward)))
        self._raw = raw

    agents = _after_reset("agents")
    num_agents = _after_reset("num_agents")
    agent_selection = _after_reset("agent_selection")
    rewards = _after_reset("rewards")
    terminations = _after_reset("terminations")
    truncations = _after_reset("truncations")
    infos = _after_reset("infos")

    # The shortcut

    def step(self, action: Any) -> None:
        """Carry out a decision of `agent_selection`; what an illegal one does is for `illegal` to say.

        Raises:
            IllegalAction: with illegal="raise", the action is not legal: names the move, the rule and the legal moves.
                Nothing was changed.
            TypeError: the action is not a whole number. Nothing was changed.
            AssertionError: it is not in the action space.
        """
        if type(action) is not int and self._has_reset and self._raw.awaits_action:
            action = action_id(self._raw.game.id, action)
        if type(action) is int and self._has_reset and self._raw.advance(action):
            self._has_updated = True
        elif self._raises and self._has_reset and self._raw.refuses(action):
            self._raw.step(action)
        else:
            super().step(action)

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last decision, terminated, truncated and info of `agent_selection`."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, as `RawAEC.observe`."""
        return self._raw.observe(agent) if self._has_reset else super().observe(agent)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents in the order in which they decide; the loop must step each of them."""
        return _EnforcedTurns(self, max_iter) if self._has_reset else super().agent_iter(max_iter)

    def render(self, seat: int | None = None) -> Any:
        """The position as `RawAEC.render` shows it; not before reset."""
        return self._raw.render(seat) if self._has_reset else super().render()

    # Positions and copies, wrappers included

    def play(self, move: str | int) -> None:
        """Play a move, in notation or by id.

        Raises:
            IllegalAction: it is not legal; names the move, the rule and the legal moves. Nothing was changed.
            AssertionError: `reset` has not been called, as for `step`.
        """
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._raw.play(move)
        self._has_updated = True

    def from_snapshot(self, data: Mapping[str, Any]) -> None:
        """Load the position of an omniscient snapshot, as `RawAEC.from_snapshot`; this counts as a reset."""
        self._raw.from_snapshot(data)
        self._has_reset = self._has_updated = True

    def set_state(self, state: bytes) -> None:
        """Continue exactly from a `get_state`, as `RawAEC.set_state`; this counts as a reset."""
        self._raw.set_state(state)
        self._has_reset = self._has_updated = True

    def clone(self, *, determinize: int | None = None, seed: int | None = None) -> CheckedAEC:
        """An independent copy, wrappers included, as `RawAEC.clone`; a clone of `unwrapped` is faster."""
        return copy.deepcopy(self, {id(self._raw): self._raw.clone(determinize=determinize, seed=seed)})

    def __copy__(self) -> CheckedAEC:
        return self.clone()

    def __str__(self) -> str:
        return str(self.env)


class _EnforcedTurns(AECIterable):  # type: ignore[misc]
    """A faster version of OrderEnforcingWrapper's iterable."""

    def __iter__(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        raw = env._raw
        while left > 0 and raw.agents:
            assert env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            env._has_updated = False
            left -= 1
            yield raw.agent_selection
