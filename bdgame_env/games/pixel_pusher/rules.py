"""The rules of Pixel Pusher, a file per chapter.

- setup.py: setting up (P10-P15)
- rounds.py: the round and its phases, and which seats choose at once (P16)
- conveyor.py: filling it, and Generate (P17)
- draft.py: Draft (P18-P24, P59)
- building.py: Build (P26-P33)
- collecting.py: Collect (P34-P37)
- converting.py, shortage.py: Convert and Store (P38-P44)
- scoring.py: Score (P45-P47)
- ending.py: the end, points and ranks (P48, P49)
- pixels.py, hands.py: pixels and their supply, rows of cards
- observe.py, prospects.py: what a seat sees (P64, P65)
- knowledge.py: what it remembers (P66); resample.py: sampling what it does not know (P67)
- actions.py: the notation of actions (P55)
- legal_and_apply.py: what is legal, phase by phase, and what a decision does (P55, P58)
"""

from __future__ import annotations

from .ending import points, progress, ranks
from .legal_and_apply import apply, legal
from .observe import observe, refresh
from .resample import resample
from .rounds import reset, simultaneous

__all__ = ["apply", "legal", "observe", "points", "progress", "ranks", "refresh", "resample", "reset", "simultaneous"]
