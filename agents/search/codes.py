"""The numbers by which searches tell things apart."""

from __future__ import annotations

NO_NODE = -1  # in place of a node
NOBODY = -1  # in place of a policy that advises
NOTHING_LEGAL = -1  # what playing a decision returns in a record that is no game
NETWORK = 0  # the number of a network's policy; the others are the compiled players' own

UCT, PUCT = 0, 1  # formulas
MAX_N, PARANOID = 0, 1  # what the other seats play for

LEFT_OUT, CONSIDERED = 0, 1  # whether the root still compares an action
SEEN = 2  # in a mask: legal, and a child stands for it

LOWEST = -1e30  # below all logits and scores
