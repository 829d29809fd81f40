"""The heuristic player of Pixel Pusher."""

from .player import PLAYERS

__all__ = ["PLAYERS"]
