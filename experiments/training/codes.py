"""The numbers by which training tells things apart."""

from __future__ import annotations

# Who plays a seat; from RANDOM of the engine upwards a compiled policy.
LEARNER, RIVAL, TEACHER = -1, -2, -3

# In place of the next sample of the same seat: there is none yet, or the game ended.
OPEN, FINAL = -1, -2

# In place of what the teacher would have done: it was not asked.
NO_ADVICE = -1

# What is counted, by place.
GAMES, TRUNCATED, DECISIONS, PLAYED, RIVAL_GAMES, RIVAL_WINS, COUNTS = 0, 1, 2, 3, 4, 5, 6
