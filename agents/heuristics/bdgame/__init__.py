"""The compiled players of Bdgame: greedy, and thrifty, which adds no Devices."""

from .player import PLAYERS

__all__ = ["PLAYERS"]
