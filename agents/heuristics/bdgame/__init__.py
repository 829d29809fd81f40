"""Players that know Bdgame: greedy, and thrifty, which adds no Devices."""

from .greedy import PLAYERS

__all__ = ["PLAYERS"]
