"""Rebuilds a seat's snapshot of Bdgame from nothing but its observation.

So the observation holds everything that the snapshot does: equal observations mean equal snapshots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.game import GameConfig, is_word
from bdgame_env.games.bdgame.cards import BASIC, COLORS, INLETS, PORTS
from bdgame_env.games.bdgame.state import OPENS, PHASES

HOPPER, PAUSE = BASIC.index("hopper"), BASIC.index("pause")
HELD_IN_EARLIER_TURNS = 3  # values of `held` up to this one


def seat_snapshot(obs: Any, config: GameConfig, seat: int) -> dict[str, Any]:
    """The result of `Match.snapshot(seat=seat)`.

    Args:
        obs: the observation, one record of the game's dtype.
        config: the game's config.
        seat: the seat that observes; the observation numbers seats from it.
    """
    return _Seen(obs, config, seat).snapshot()


class _Seen:
    def __init__(self, obs: Any, config: GameConfig, seat: int) -> None:
        self.obs, self.config, self.seat = obs, config, seat
        self.kinds, self.orders = config.cards.kinds, config.cards.orders
        self.phase = PHASES[_marked(obs.phase)]
        # When the game is over, nobody is to move, and the last turn was the last seat's (B45).
        self.mover = config.players - 1 if obs.over else self.seat_of(obs.to_move)

    def seat_of(self, marks: Any) -> int:
        """The number of the seat that is marked."""
        return (self.seat + _marked(marks)) % self.config.players

    def relative(self, seat: int) -> int:
        return (seat - self.seat) % self.config.players

    def deck(self) -> dict[str, str]:
        deck = self.config.options["deck"]
        return {"deck": deck} if is_word(deck) else {}

    def snapshot(self) -> dict[str, Any]:
        obs, opened = self.obs, OPENS[_marked(self.obs.opened)]
        return {
            "game": "bdgame",
            "players": int(obs.players),
            "options": {name: self.config.options[name] for name in ("selling", "trading", "max_rounds")} | self.deck(),
            "round": sum(int(bit) << place for place, bit in enumerate(obs.round_bits)),
            "seat": self.mover,
            "phase": self.phase,
            "open": None if opened == OPENS[0] else opened,
            "actions_left": int(obs.actions_left),
            "last_round": bool(obs.last_round),
            "truncated": self.truncated(),
            "bank": _cubes(obs.bank),
            "orders_row": [self.order(face) for face in obs.orders_row],
            "orders_deck": int(obs.orders_left),
            "parts_row": [self.kind(face[0]) for face in obs.parts_row],
            "parts_deck": int(obs.parts_left),
            "known": [self.kind(card) for card in obs.known_parts[:, 0] if card],
            "piles": {kind: int(count) for kind, count in zip(BASIC, obs.piles, strict=True)},
            "credit": int(obs.credit),
            "sold": int(obs.sold),
            "bought": self.cards(obs.bought),
            "purchases": int(obs.purchases),
            "selected": self.kinds[_marked(obs.selected)] if obs.selected.any() else None,
            "made": _cubes(obs.made),
            "pending": self.pending(),
            "offers": int(obs.offers),
            "offer": self.offer(),
            "seats": [self.one_seat(self.relative(seat)) for seat in range(self.config.players)],
        }

    def kind(self, number: int) -> str | None:
        return self.kinds[number - 1] if number else None

    def order(self, face: Any) -> str | None:
        return self.orders[face[0] - 1] if face[0] else None

    def cards(self, counts: Any) -> dict[str, int]:
        return {kind: int(count) for kind, count in zip(self.kinds, counts, strict=True) if count}

    def truncated(self) -> bool:
        """B48: the game is over, but neither by 30 points (B45) nor for lack of orders (B47)."""
        obs = self.obs
        no_orders = not (obs.orders_row[:, 0].any() or obs.orders_left or obs.queue[:, :, 0].any())
        return bool(obs.over) and not obs.last_round and not no_orders

    def offer(self) -> dict[str, Any] | None:
        obs = self.obs
        if self.phase not in ("offer", "respond"):
            return None
        return {
            "from": self.seat_of(obs.on_turn),
            "card": self.kinds[_marked(obs.offer_card)],
            "to": self.seat_of(obs.offer_to) if obs.offer_to.any() else None,
            "want": self.kinds[_marked(obs.offer_want)] if obs.offer_want.any() else None,
        }

    def pending(self) -> dict[str, Any] | None:
        obs = self.obs
        if self.phase not in ("split", "hold"):
            return None
        pending = {"ask": self.phase, "x": _marked(obs.asked_column), "y": _marked(obs.asked_row)}
        if self.phase == "split":
            pending["color"] = COLORS[_marked(obs.asked_color)]
        pending["arrived"] = _cubes(obs.arrived)
        if self.phase == "split":
            pending["up"] = _cubes(obs.gone_up)
        return {**pending, "flow": self.flow()}

    def flow(self) -> list[dict[str, Any]]:
        """The cubes waiting at inlets, by x, y, port."""
        cells, found = self.obs.cells[self.relative(self.mover)], []
        for x, y in np.argwhere(cells).tolist():
            inlets = int(INLETS[self.config.cards.shapes[cells[x, y] - 1]])
            for port, name in enumerate(PORTS):
                if inlets >> port & 1 and self.obs.flow[x, y + port].any():
                    found.append({"x": x, "y": y, "port": name, "cubes": _cubes(self.obs.flow[x, y + port])})
        return found

    def one_seat(self, relative: int) -> dict[str, Any]:
        obs = self.obs
        ranks = {int(rank): self.orders[order] for order, rank in enumerate(obs.fulfilled[relative]) if rank}
        fulfilled = [ranks[rank] for rank in sorted(ranks)]
        worth = dict(zip(self.orders, self.config.cards.points, strict=True))
        return {
            "points": sum(int(worth[order]) for order in fulfilled),
            "storage": _cubes(obs.storage[relative]),
            "hand": self.cards(obs.hand[relative]),
            "orders": [self.order(face) for face in obs.queue[relative] if face[0]],
            "fulfilled": fulfilled,
            "workshop": [self.card(relative, x, y) for x, y in np.argwhere(obs.cells[relative]).tolist()],
        }

    def card(self, relative: int, x: int, y: int) -> dict[str, Any]:
        obs = self.obs
        kind = int(obs.cells[relative, x, y]) - 1
        card: dict[str, Any] = {"x": x, "y": y, "kind": self.kinds[kind]}
        if kind == HOPPER:
            at = (obs.hopper_x[relative] == x + 1) & (obs.hopper_y[relative] == y + 1)
            slot = _marked(at)
            card |= {"slot": slot, "cubes": _cubes(obs.loaded[relative, slot])}
        if kind == PAUSE:
            held = int(obs.held[relative, x, y])
            fresh = held > HELD_IN_EARLIER_TURNS
            card |= {"held": COLORS[(held - 1) % len(COLORS)] if held else None, "fresh": fresh}
        return card


def _marked(marks: Any) -> int:
    """The only place that is marked."""
    (place,) = np.flatnonzero(marks)
    return int(place)


def _cubes(counts: Any) -> dict[str, int]:
    return {color: int(count) for color, count in zip(COLORS, counts, strict=True)}
