"""The compiled players of Bdgame: greedy, thrifty, which adds Devices only when it must, and engineer, which plans
machines of several special parts.
"""

from .player import PLAYERS

__all__ = ["PLAYERS"]
