"""Build a position of Bdgame for a test: say what matters, the rest follows from the number of pieces.

    t = position(storage="2Y 1R", workshop=[("hopper", 0, 2, "3Y"), ("c_1Y_1R", 1, 2), ("packer", 2, 2)])
    t.play("end", "activate 0")
    assert t.made == cubes("3R")

The cards are those of the classic deck, so that tests can name them, and what they say of prices stays true.

Nothing is random: what a test leaves out is filled up in a fixed order, so that 24 cubes of each
color, 60 special cards, 32 orders and the basic cards of the config are all somewhere. What does not fit into
bank, piles and decks as the test wants them lies with the other seats (cubes in storage, cards in the last
one's hand, orders in queues and among the fulfilled ones).
"""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tests.support.position import MatchPosition, reference_plays

COLORS = ("Y", "R", "B")
DECK = "classic"
CUBES_OF_A_COLOR = 24
CUBE_LIMIT = 10
COPIES_OF_A_SPECIAL = 3

BASIC_COST = {
    "hopper": 1,
    "packer": 1,
    "straight": 1,
    "bend_up": 1,
    "bend_down": 1,
    "splitter": 2,
    "joiner": 2,
    "pause": 2,
}
SPECIAL_COST = {
    "c_2Y_1R": 1,
    "c_1Y_1R": 7,
    "c_3Y_1B": 4,
    "c_2R_1B": 1,
    "c_3R_2B": 4,
    "c_1R_3Y": 1,
    "c_1B_3R": 1,
    "c_1Y_2Y": 6,
    "s_1B_2Y2R": 2,
    "s_1R_1R1Y": 5,
    "s_2Y_1Y1R": 4,
    "s_1B_1B1R": 4,
    "s_2R_1R1B": 4,
    "s_4Y_1B1R": 6,
    "j_2Y2R_3B": 3,
    "j_1Y1R_1B": 2,
    "j_1Y1Y_1Y1R": 2,
    "j_1R1R_1Y1B": 3,
    "j_1Y1B_1R2B": 3,
    "j_1Y1R_3R": 4,
}
BASICS = tuple(BASIC_COST)
SPECIALS = tuple(SPECIAL_COST)
ORDERS = {  # what an order asks for, and its points
    "o01": ("3Y", 2),
    "o02": ("4Y", 2),
    "o03": ("5Y", 3),
    "o04": ("6Y", 4),
    "o05": ("7Y", 4),
    "o06": ("8Y", 5),
    "o07": ("2R", 2),
    "o08": ("3R", 3),
    "o09": ("4R", 4),
    "o10": ("5R", 6),
    "o11": ("1B", 2),
    "o12": ("2B", 4),
    "o13": ("3B", 6),
    "o14": ("2Y 1R", 2),
    "o15": ("3Y 1R", 2),
    "o16": ("4Y 1R", 3),
    "o17": ("2Y 2R", 3),
    "o18": ("3Y 2R", 4),
    "o19": ("1Y 3R", 4),
    "o20": ("3Y 3R", 5),
    "o21": ("1Y 1B", 2),
    "o22": ("2Y 1B", 3),
    "o23": ("3Y 1B", 4),
    "o24": ("1Y 2B", 5),
    "o25": ("1R 1B", 3),
    "o26": ("2R 1B", 4),
    "o27": ("1R 2B", 6),
    "o28": ("3R 2B", 8),
    "o29": ("1Y 1R 1B", 4),
    "o30": ("2Y 1R 1B", 5),
    "o31": ("2Y 2R 1B", 6),
    "o32": ("1Y 1R 2B", 7),
}
ORDER_POINTS = {order: points for order, (_, points) in ORDERS.items()}

# Verbs that lead to long games: cards bought and placed, cubes loaded, Devices run.
LIKED = ("place", "select", "buy", "load", "activate", "fulfil", "agree", "sell", "offer", "hold", "split")

# What every player has in play before the first turn (B10).
STARTING_DEVICES = (("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 6), ("packer", 1, 6))

Cubes = str | Mapping[str, int]
CardSpec = tuple[Any, ...]


class Backend(Protocol):
    """A match under test: the engine's `Match`, or the reference."""

    seat: int
    over: bool

    def legal_moves(self) -> list[str]: ...
    def play(self, move: str) -> Any: ...
    def snapshot(self, omniscient: bool = ...) -> dict[str, Any]: ...
    def ranks(self) -> list[int]: ...


def cubes(text: Cubes = "") -> dict[str, int]:
    """`"2Y 1B"` -> {"Y": 2, "R": 0, "B": 1}."""
    if not isinstance(text, str):
        return {color: int(text.get(color, 0)) for color in COLORS}
    found = dict.fromkeys(COLORS, 0)
    for part in text.split():
        found[part[-1]] += int(part[:-1] or 1)
    return found


def restore(data: Mapping[str, Any], deck: Path | None = None) -> Backend:
    """A match in the position of an omniscient snapshot.

    Args:
        data: the snapshot; it is copied.
        deck: a card file for the engine. The reference reads none, and takes the cards that it has by that name.
    """
    if reference_plays():
        from tests.support.reference.bdgame import Reference

        return Reference.from_snapshot({**copy.deepcopy(dict(data)), "options": {**data["options"], "deck": DECK}})
    import bdgame_env

    return bdgame_env.match_from_snapshot(copy.deepcopy(dict(data)), deck=str(deck) if deck else DECK)


def new_game(players: int = 2, seed: int = 0, **options: Any) -> Position:
    """A game from its first decision. The reference does not shuffle, so its decks are shuffled here."""
    options = {"deck": DECK, **options}
    if reference_plays():
        from tests.support.reference.bdgame import Reference

        rng = random.Random(seed)
        orders = rng.sample(list(ORDERS), len(ORDERS))
        parts = rng.sample(SPECIALS * COPIES_OF_A_SPECIAL, len(SPECIALS) * COPIES_OF_A_SPECIAL)
        return Position(Reference.new(players, orders, parts, **options))
    import bdgame_env

    return Position(bdgame_env.make_match("bdgame-v3", players=players, seed=seed, **options))


def eager(moves: list[str], chance: random.Random) -> str:
    """A random move, seven times in ten one that leads to a long game if there is one."""
    good = [move for move in moves if move.startswith(LIKED)]
    return chance.choice(good if good and chance.random() < 0.7 else moves)


class Position(MatchPosition):
    """A position of this game under test."""

    def family(self, name: str) -> set[str]:
        """What may follow a verb here: family("place") -> {"1,2", "1,5"}."""
        return {move.partition(" ")[2] for move in self.legal if move.partition(" ")[0] == name}

    def copy(self) -> Position:
        """The same position once more, to try another line."""
        other = Position(restore(self.snap))
        other.mover = self.mover
        return other

    @property
    def storage(self) -> dict[str, int]:
        return self.me["storage"]

    @property
    def hand(self) -> dict[str, int]:
        return self.me["hand"]

    @property
    def bank(self) -> dict[str, int]:
        return self.snap["bank"]

    @property
    def made(self) -> dict[str, int]:
        return self.snap["made"]

    def card(self, x: int, y: int, seat: int | None = None) -> dict[str, Any] | None:
        """The card of a seat (the mover's, unless said) at a place, or None."""
        workshop = self.snap["seats"][self.mover if seat is None else seat]["workshop"]
        return next((card for card in workshop if (card["x"], card["y"]) == (x, y)), None)

    def hopper(self, slot: int) -> dict[str, int]:
        """The cubes on the mover's hopper of that slot."""
        return next(card["cubes"] for card in self.me["workshop"] if card.get("slot") == slot)


def position(
    *,
    players: int = 2,
    seat: int = 0,
    round: int = 2,
    phase: str = "act",
    open: str | None = None,
    actions_left: int | None = None,
    last_round: bool | None = None,
    storage: Cubes = "",
    hand: Iterable[str] = (),
    workshop: Sequence[CardSpec] = STARTING_DEVICES,
    queue: Sequence[str] = (),
    points: int = 0,
    others: Mapping[int, Mapping[str, Any]] | None = None,
    bank: Cubes | None = None,
    made: Cubes = "",
    orders_row: Sequence[str | None] | None = None,
    orders_next: Sequence[str] = (),
    orders_deck: Sequence[str] | None = None,
    parts_row: Sequence[str | None] | None = None,
    parts_next: Sequence[str] = (),
    parts_deck: Sequence[str] | None = None,
    piles: Mapping[str, int] | None = None,
    offers: int = 0,
    selling: bool = False,
    trading: bool = False,
    max_rounds: int = 60,
    deck: Path | None = None,
) -> Position:
    """A match in the position described. storage, hand, workshop, queue and points are the mover's.

    workshop: cards as (kind, x, y); a hopper may go on with its cubes and its slot (else the lowest free
    one), a pause card with the held color, "R" or "R fresh". others: for a seat, the same five things. bank:
    the colors named are exact. orders_next, parts_next: the top of a deck; orders_deck, parts_deck: the whole
    deck. piles: the piles named are exact. Points come from fulfilled orders that add up to them; with another
    card file, `deck`, those orders give what they give there.
    """
    data = snapshot_of(
        players=players,
        seat=seat,
        round=round,
        phase=phase,
        open=open,
        actions_left=(3 if phase == "act" else 0) if actions_left is None else actions_left,
        seats={
            **{int(s): dict(spec) for s, spec in (others or {}).items()},
            seat: {
                "storage": storage,
                "hand": hand,
                "workshop": workshop,
                "queue": queue,
                "points": points,
            },
        },
        bank=bank,
        made=made,
        orders_row=orders_row,
        orders_next=orders_next,
        orders_deck=orders_deck,
        parts_row=parts_row,
        parts_next=parts_next,
        parts_deck=parts_deck,
        piles=piles or {},
        offers=offers,
        options={"selling": selling, "trading": trading, "max_rounds": max_rounds, **({} if deck else {"deck": DECK})},
        last_round=last_round,
    )
    if deck is not None:
        points = {name: order["points"] for name, order in tomllib.loads(deck.read_text("utf-8"))["orders"].items()}
        for one in data["seats"]:
            one["points"] = sum(points[order] for order in one["fulfilled"])
        data["last_round"] = any(one["points"] >= 30 for one in data["seats"])
    return Position(restore(data, deck))


def activating(device: Sequence[CardSpec], **rest: Any) -> Position:
    """The mover may activate the Device described, whose lowest loaded hopper slot is 0 unless said.

    A second Device on the lowest lanes (hopper slot 5, with 1 Yellow) keeps the phase open, so that the pool
    of made cubes can still be read afterwards.
    """
    waiting = (("hopper", 0, 8, "1Y", 5), ("packer", 1, 8))
    return position(phase="activate", workshop=[*device, *waiting], **rest)


def snapshot_of(
    *,
    players: int,
    seat: int,
    round: int,
    phase: str,
    open: str | None,
    actions_left: int,
    seats: Mapping[int, Mapping[str, Any]],
    bank: Cubes | None,
    made: Cubes,
    orders_row: Sequence[str | None] | None,
    orders_next: Sequence[str],
    orders_deck: Sequence[str] | None,
    parts_row: Sequence[str | None] | None,
    parts_next: Sequence[str],
    parts_deck: Sequence[str] | None,
    piles: Mapping[str, int],
    offers: int,
    options: Mapping[str, Any],
    last_round: bool | None,
) -> dict[str, Any]:
    """The omniscient snapshot behind `position`."""
    dealt = [_seat(dict(seats.get(s, {}))) for s in range(players)]
    spare = [s for s in range(players) if s != seat]  # who keeps what has no other place
    made_cubes = cubes(made)
    bank_cubes = _settle_cubes(dealt, spare, made_cubes, bank)
    row_of_parts, deck_of_parts = _settle_specials(dealt, spare, parts_row, parts_next, parts_deck)
    pile_cards = _settle_basics(dealt, spare, players, piles)
    row_of_orders, deck_of_orders = _settle_orders(
        dealt, spare, [dict(seats.get(s, {})) for s in range(players)], orders_row, orders_next, orders_deck
    )
    if last_round is None:
        last_round = any(one["points"] >= 30 for one in dealt)
    data = {
        "game": "bdgame",
        "players": players,
        "options": dict(options),
        "round": round,
        "seat": seat,
        "phase": phase,
        "open": open,
        "actions_left": actions_left,
        "last_round": last_round,
        "truncated": False,
        "bank": bank_cubes,
        "orders_row": row_of_orders,
        "orders_deck": deck_of_orders,
        "parts_row": row_of_parts,
        "parts_deck": deck_of_parts,
        "known": [],
        "piles": pile_cards,
        "credit": 0,
        "sold": 0,
        "bought": {},
        "purchases": 0,
        "selected": None,
        "made": made_cubes,
        "pending": None,
        "offers": offers,
        "offer": None,
        "seats": dealt,
    }
    return json.loads(json.dumps(data))


def _seat(spec: dict[str, Any]) -> dict[str, Any]:
    """One seat as the snapshot writes it, its fulfilled orders still to come."""
    unknown = set(spec) - {"storage", "hand", "workshop", "queue", "points"}
    if unknown:
        raise ValueError(f"a seat has no {sorted(unknown)}")
    return {
        "points": 0,
        "storage": cubes(spec.get("storage", "")),
        "hand": dict(Counter(spec.get("hand", ()))),
        "orders": list(spec.get("queue", ())),
        "fulfilled": [],
        "workshop": _workshop(spec.get("workshop", STARTING_DEVICES)),
    }


def _workshop(cards: Sequence[CardSpec]) -> list[dict[str, Any]]:
    laid: list[dict[str, Any]] = []
    slots = [card[4] for card in cards if card[0] == "hopper" and len(card) > 4]
    for kind, x, y, *more in cards:
        card: dict[str, Any] = {"x": x, "y": y, "kind": kind}
        if kind == "hopper":
            slot = more[1] if len(more) > 1 else next(n for n in range(6) if n not in slots)
            slots.append(slot)
            card |= {"slot": slot, "cubes": cubes(more[0] if more else "")}
        elif kind == "pause":
            held, _, fresh = (more[0] if more else "").partition(" ")
            card |= {"held": held or None, "fresh": fresh == "fresh"}
        elif more:
            raise ValueError(f"{kind} carries nothing")
        laid.append(card)
    return sorted(laid, key=lambda card: (card["x"], card["y"]))


def _load(seat: dict[str, Any]) -> int:
    """Cubes that count towards the limit of ten."""
    on_hoppers = (card["cubes"] for card in seat["workshop"] if card["kind"] == "hopper")
    return sum(seat["storage"].values()) + sum(sum(found.values()) for found in on_hoppers)


def _settle_cubes(
    dealt: list[dict[str, Any]], spare: list[int], made: dict[str, int], bank: Cubes | None
) -> dict[str, int]:
    left = dict.fromkeys(COLORS, CUBES_OF_A_COLOR)
    for color in COLORS:
        left[color] -= made[color]
        for seat in dealt:
            left[color] -= seat["storage"][color]
            for card in seat["workshop"]:
                left[color] -= card.get("cubes", {}).get(color, 0) + (card.get("held") == color)
    if bank is None:
        wanted = {}
    else:
        wanted = cubes(bank)
        named = {part[-1] for part in bank.split()} if isinstance(bank, str) else set(bank)
        wanted = {color: n for color, n in wanted.items() if color in named}
    for color, n in wanted.items():
        surplus = left[color] - n
        for s in spare:
            taken = max(0, min(surplus, CUBE_LIMIT - _load(dealt[s])))
            dealt[s]["storage"][color] += taken
            surplus -= taken
        if surplus:
            raise ValueError(f"{surplus} {color} too many or too few: ask for more players or another bank")
        left[color] = n
    if min(left.values()) < 0:
        raise ValueError(f"more cubes asked for than there are: {left}")
    return left


def _cards_in_hands_and_play(dealt: list[dict[str, Any]]) -> Counter[str]:
    used: Counter[str] = Counter()
    for seat in dealt:
        used.update(seat["hand"])
        used.update(card["kind"] for card in seat["workshop"])
    return used


def _to_hand(seat: dict[str, Any], kind: str, n: int) -> None:
    if n:
        seat["hand"][kind] = seat["hand"].get(kind, 0) + n


def _settle_specials(
    dealt: list[dict[str, Any]],
    spare: list[int],
    row: Sequence[str | None] | None,
    top: Sequence[str],
    deck: Sequence[str] | None,
) -> tuple[list[str | None], list[str]]:
    used = _cards_in_hands_and_play(dealt)
    left = Counter({kind: COPIES_OF_A_SPECIAL - used[kind] for kind in SPECIALS})
    for kind in [*(row or ()), *(top if deck is None else deck)]:
        if kind is not None:
            left[kind] -= 1
    if min(left.values()) < 0:
        raise ValueError(f"more than three copies: {[kind for kind in left if left[kind] < 0]}")
    if row is None:
        row = [kind for kind in SPECIALS if left[kind]][:4]
        for kind in row:
            left[kind] -= 1
    if deck is None:
        return list(row), [*top, *(kind for kind in SPECIALS for _ in range(left[kind]))]
    for kind in SPECIALS:
        _to_hand(dealt[spare[-1]], kind, left[kind])
    return list(row), list(deck)


def _settle_basics(
    dealt: list[dict[str, Any]], spare: list[int], players: int, asked: Mapping[str, int]
) -> dict[str, int]:
    used = _cards_in_hands_and_play(dealt)
    piles = {}
    for kind in BASICS:
        free = players + 1 + (2 * players if kind in ("hopper", "packer") else 0) - used[kind]
        piles[kind] = asked.get(kind, max(0, min(free, players + 1)))
        if free < piles[kind]:
            raise ValueError(f"{piles[kind] - free} {kind} more asked for than there are")
        _to_hand(dealt[spare[-1]], kind, free - piles[kind])
    return piles


def _settle_orders(
    dealt: list[dict[str, Any]],
    spare: list[int],
    specs: list[dict[str, Any]],
    row: Sequence[str | None] | None,
    top: Sequence[str],
    deck: Sequence[str] | None,
) -> tuple[list[str | None], list[str]]:
    placed = [*(row or ()), *(top if deck is None else deck), *(o for seat in dealt for o in seat["orders"])]
    free = [order for order in ORDER_POINTS if order not in placed]
    if row is None and deck is None:
        row, free = free[:4], free[4:]
    for seat, spec in zip(dealt, specs, strict=True):
        chosen = _orders_worth(int(spec.get("points", 0)), free)
        free = [order for order in free if order not in chosen]
        seat["fulfilled"] = chosen
        seat["points"] = sum(ORDER_POINTS[order] for order in chosen)
    if row is None:
        row, free = free[:4], free[4:]
    if deck is None:
        return list(row), [*top, *free]
    by_points = sorted(free, key=lambda order: -ORDER_POINTS[order])
    for s in spare:
        while by_points and "queue" not in specs[s] and len(dealt[s]["orders"]) < 3:
            dealt[s]["orders"].append(by_points.pop(0))
    for order in by_points:
        poorest = min(spare, key=lambda s: dealt[s]["points"])
        dealt[poorest]["fulfilled"].append(order)
        dealt[poorest]["points"] += ORDER_POINTS[order]
    return list(row), list(deck)


def _orders_worth(points: int, free: Sequence[str]) -> list[str]:
    """The fewest of the free orders that are worth exactly that many points."""
    best: dict[int, list[str]] = {0: []}
    for order in free:
        for total, chosen in sorted(best.items(), reverse=True):
            reached = total + ORDER_POINTS[order]
            if reached <= points and len(chosen) + 1 < len(best.get(reached, free)):
                best[reached] = [*chosen, order]
    if points not in best:
        raise ValueError(f"no free orders are worth {points} points together")
    return best[points]
