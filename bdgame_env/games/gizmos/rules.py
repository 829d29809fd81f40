"""The rules of Gizmos, a file per chapter.

- setup.py: setting up (G2)
- market.py: display and decks, File, the archive, built cards (G3, G6, G13)
- marbles.py: the row, the dispenser and the rings, Pick (G4, G7)
- turn.py: the course of a turn (G5)
- building.py, payment.py: Build, and paying for it (G8, G10, D4)
- research.py: Research (G9)
- triggers.py: what built cards set off (G11, D3)
- ending.py: rounds, the end, score and ranks (G14-G16)
- observe.py, prospects.py: what a seat sees (G17, D7)
- knowledge.py, knowledge_updates.py, stacks.py: what it remembers (G17.5-G17.8)
- resample.py: sampling what it does not know (G17.9)
- actions.py: the notation of actions (D2)
- legal_and_apply.py: what is legal, phase by phase, and what a decision does (D2)
"""

from __future__ import annotations

from .ending import points, progress, ranks
from .legal_and_apply import apply, legal
from .observe import observe, refresh
from .resample import resample
from .setup import reset

__all__ = ["apply", "legal", "observe", "points", "progress", "ranks", "refresh", "resample", "reset"]
