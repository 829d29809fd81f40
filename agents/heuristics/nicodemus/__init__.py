"""The heuristic player of Nicodemus."""

from .player import PLAYERS

__all__ = ["PLAYERS"]
