"""The rules of Nicodemus, a file per chapter.

- setup.py: setting up (N2)
- playing.py, hands.py: playing a machine, hands (N4, N5)
- repairing.py: repairing a machine (N6, N21)
- projects.py: projects and the workshop (N7, N8)
- effects.py: what machines do (N9-N12)
- bric_a_brac.py: the row of machines (N13)
- tokens.py: tokens and their reserve (N14)
- ending.py: the end of a turn, of a round and of the game, ranks (N3.4, N15)
- observe.py, prospects.py: what a seat sees (N16, N23)
- knowledge.py: what it remembers; resample.py: sampling what it does not know (N16)
- actions.py: the notation of actions (N19)
- legal_and_apply.py: what is legal, phase by phase, and what a decision does (N20)
"""

from __future__ import annotations

from .ending import points, progress, ranks
from .legal_and_apply import apply, legal
from .observe import observe, refresh
from .resample import resample
from .setup import reset

__all__ = ["apply", "legal", "observe", "points", "progress", "ranks", "refresh", "resample", "reset"]
