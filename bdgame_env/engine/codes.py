"""The numbers by which compiled loops and their callers tell things apart."""

from __future__ import annotations

# How a decision left a game, in `done`.
RUNNING, TERMINATED, TRUNCATED = 0, 1, 2

# What `play_match` returns in place of the seat to decide next.
REFUSED, HAS_ENDED, WAS_CUT = -1, -2, -3

# Who plays a seat, in line-ups: the learner, an agent in Python (EXTERNAL and everything below it), or a compiled
# policy, which is RANDOM or one of the game's compiled players (everything above it).
LEARNER, EXTERNAL, RANDOM = -1, -2, 0

# A row's status is the player that is to decide, or this, which is no player's number.
OVER = 32_767

# When a game that ended is replaced, `autoreset` of a learner's settings.
STAYS, SAME_STEP, NEXT_STEP = 0, 1, 2

# In place of the learner's action if that is not legal: the learner loses the game.
FORFEIT = -1

# The first match in which an action is not legal, if there is none.
ALL_LEGAL = -1

# The seat of a learner that sits anywhere.
ANYWHERE = -1

# For how many decisions a game without a limit may go on.
NO_LIMIT = 2**62
