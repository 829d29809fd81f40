"""The compiled players of Bdgame: greedy, and thrifty, which adds Devices only when it must."""

from .player import PLAYERS

__all__ = ["PLAYERS"]
