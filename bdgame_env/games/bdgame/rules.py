"""The rules of Bdgame, a file per chapter.

- setup.py: setting up, and sampling what a seat does not know (B7-B11, B51)
- workshop.py: where cards may lie, and what a Device is (B12-B19)
- turn.py: the course of a turn (B20, B31-B44)
- market.py: Collect, Accept, Buy, Clear, and selling (B22-B27, B49)
- building.py: Build, Dismantle, Load (B28-B30)
- devices.py: how cubes flow (B31-B39)
- ending.py: rounds, the end and the ranks (B45-B48)
- trading.py: an optional rule (B50)
- observe.py: what a seat sees (section 12)
- actions.py: the notation of actions (section 10)
- legal_and_apply.py: what is legal, phase by phase, and what a decision does (B52)
"""

from __future__ import annotations

from .ending import ranks
from .legal_and_apply import apply, legal, points, progress
from .observe import observe
from .setup import resample, reset

__all__ = ["apply", "legal", "observe", "points", "progress", "ranks", "resample", "reset"]
