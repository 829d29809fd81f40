"""What the record keeps beside the position is, after every decision, what follows from the cards."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.cards import INLETS, OUTLETS
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.games.bdgame.state import BOUNDARIES, COLUMNS, JUNCTIONS, MAX_SEATS, NONE, ROWS
from bdgame_env.games.bdgame.workshop import finished
from tests.games.bdgame.positions import eager

DECISIONS = 150 if JIT_DISABLED else 1500


def ports(match: Match, workshop: Any, side: Any) -> set[tuple[int, int]]:
    """The junctions (boundary, j) with a port of this side."""
    shapes, found = match.config.cards.shapes, set()
    for x in range(COLUMNS):
        for y in range(ROWS):
            if workshop.kinds[x, y] != NONE:
                bits = int(side[shapes[workshop.kinds[x, y]]])
                found |= {(x + (side is OUTLETS), y + port) for port in range(3) if bits >> port & 1}
    return found


def check(match: Match) -> None:
    s, names = match.state, match.config.cards
    data = match.snapshot(omniscient=True)
    assert {names.orders[order] for order in range(32) if s.orders_in_deck[order]} == set(data["orders_deck"])
    counted = Counter(data["parts_deck"])
    assert s.parts_in_deck.tolist() == [counted[kind] for kind in names.kinds]
    seen = match.observe(0).view(GAME.obs)[0]
    for seat in range(MAX_SEATS):
        workshop = s.seats[seat].workshop
        inlets, outlets = ports(match, workshop, INLETS), ports(match, workshop, OUTLETS)
        for x in range(COLUMNS):
            for y in range(ROWS):
                device = int(workshop.devices[x, y])
                whole = device != NONE and bool(finished(workshop, names.shapes, device))
                assert bool(workshop.complete[x, y]) == whole == bool(seen.finished[seat, x, y])
        for b in range(1, BOUNDARIES - 1):
            for j in range(JUNCTIONS):
                here = ((b, j) in inlets, (b, j) in outlets)
                told = {(True, False): 1, (False, True): 2}.get(here, 0)
                assert seen.open_ports[seat, b, j] == told


@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (4, {"selling": True, "trading": True, "deck": "random:0-9"})]
)
def test_b18_b51_what_is_kept_is_what_follows_from_the_cards(players: int, options: dict[str, Any]) -> None:
    """B18, B51: finished Devices, open ports, and what the decks hold."""
    match, chance = Match(GAME, seed=players, players=players, **options), random.Random(players)
    for number in range(DECISIONS):
        if number % (10 if JIT_DISABLED else 1) == 0:
            check(match)
        if match.over:
            break
        moves = match.legal_moves()
        match.play("clear" if "clear" in moves and chance.random() < 0.1 else eager(moves, chance))
    check(match)
    check(Match.from_snapshot(GAME, match.snapshot(omniscient=True)))
