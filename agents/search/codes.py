"""The numbers by which searches tell things apart."""

from __future__ import annotations

NO_NODE = -1  # in place of a node
NOBODY = -1  # in place of a policy that advises
NETWORK = 0  # the number of a network's policy; the others are the compiled players' own

UCT, PUCT = 0, 1  # formulas

LEFT_OUT, CONSIDERED = 0, 1  # whether the root still compares an action

LOWEST = -1e30  # below all logits and scores
