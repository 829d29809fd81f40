"""The heuristic player of Gizmos."""

from .player import PLAYERS

__all__ = ["PLAYERS"]
