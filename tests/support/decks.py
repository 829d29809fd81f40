"""Card files of Bdgame for tests: the standard deck with another price or in another order."""

from __future__ import annotations

import random
import re
from pathlib import Path

from bdgame_env.games.bdgame.cards import STANDARD_DECK


def with_hopper_at(cost: int) -> str:
    """The text of a card file: the standard deck, in which a hopper costs so much."""
    text, found = re.subn(r'(kind = "hopper"\ncost = )\d+', rf"\g<1>{cost}", STANDARD_DECK.read_text("utf-8"))
    assert found == 1
    return text


def renumbered(path: Path, seed: int = 0) -> Path:
    """Write a card file with the cards of the standard deck, of which the special kinds and the orders are numbered
    otherwise.
    """
    rng = random.Random(seed)
    head, *special = STANDARD_DECK.read_text().split("[[special]]")
    special[-1], orders = special[-1].split("[orders]")
    special = [re.sub(r"#.*", "", text).strip() for text in special]
    lines = [line for line in orders.splitlines() if "=" in line]
    rng.shuffle(special)
    rng.shuffle(lines)
    text = head + "".join(f"\n[[special]]\n{kind}\n" for kind in special) + "\n[orders]\n" + "\n".join(lines) + "\n"
    path.write_text(text)
    return path
