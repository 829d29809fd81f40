"""Rebuilds a seat's snapshot of Pixel Pusher from nothing but its observation, so nothing is missing there."""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.game import GameConfig

COLORS = "RGBCMYW"
PHASES = ("draft", "build", "pay", "convert", "store", "score", "over")
LEADERS = ("build", "collect", "score")
TYPES = ("R", "G", "B", "?", "convert")
FIRST_ABILITY = 42
BEYOND = 128


def seat_snapshot(obs: Any, config: GameConfig, seat: int) -> dict[str, Any]:
    """`Match.snapshot(seat=seat)` from the observation record of that seat."""
    players = config.players
    phase = PHASES[_only(obs["phase"])]
    data: dict[str, Any] = {
        "game": "pixel_pusher",
        "players": int(obs["players"]),
        "options": {name: value for name, value in config.options.items() if name != "players"},
        "round": int(obs["round_number"]),
        "seat": _decider(obs, seat, phase, players),
        "phase": phase,
        "open_convert": bool(obs["open_convert"]),
        "leaders": {name: (seat + _only(row)) % players for name, row in zip(LEADERS, obs["leaders"], strict=True)},
        "supply": _pixels(obs["supply"]),
        "shown_supply": None,
        "conveyor": [_pixels(segment) for segment in obs["conveyor"]],
        "machine_deck": int(obs["deck_size"]),
        "removed": int(obs["removed"]),
        "set_aside": int(obs["set_aside"]),
        "discarded": [kind for kind, count in enumerate(obs["discarded"], 1) for _ in range(count)],
        "image_deck": int(obs["image_deck_size"]),
        "images": [
            {"image": int(image), "filled": [bool(line) for line in filled]} if image else None
            for image, filled in zip(obs["images"], obs["filled"], strict=True)
        ],
        "finished": [image for image, there in enumerate(obs["finished"], 1) if there],
        "seats": [_seat(obs, config, phase, (other - seat) % players) for other in range(players)],
        "played": [_kinds(obs["played"][(other - seat) % players]) for other in range(players)],
        "known": [],
    }
    if phase in ("draft", "build", "pay"):
        count = int(obs["hand_size"][0] + obs["face_down"][0]) if phase == "draft" else _held(obs["laid"])
        rows = [obs["known"][(stack - seat) % players, :count, 0] for stack in range(players)]
        data["known"] = [[_card(config, card) if card else None for card in row] for row in rows]
    return data


def _only(row: Any) -> int:
    """The index of the only 1 in a row."""
    assert sorted(row.tolist()) == [0] * (len(row) - 1) + [1]
    return int(row.argmax())


def _decider(obs: Any, seat: int, phase: str, players: int) -> int | None:
    """Who decides, as far as the seat knows; when the game is over, who did last: the last one in Score."""
    if phase == "over":
        return (seat + _only(obs["leaders"][LEADERS.index("score")]) - 1) % players
    return (seat + _only(obs["to_move"])) % players if obs["to_move"].any() else None


def _pixels(counts: Any) -> dict[str, int]:
    return {color: int(count) for color, count in zip(COLORS, counts, strict=False)}


def _kinds(row: Any) -> list[int]:
    return [int(kind) for kind in row[:, 0] if kind]


def _card(config: GameConfig, card: int) -> int | str:
    return int(card) if card < FIRST_ABILITY else str(config.cards.abilities[card - FIRST_ABILITY])


def _held(numbers: Any) -> int:
    return int((numbers[:, 0] > 0).sum())


def _seat(obs: Any, config: GameConfig, phase: str, to: int) -> dict[str, Any]:
    """One seat, counted from the observer."""
    hand: Any = int(obs["hand_size"][to])
    drafted: Any = int(obs["face_down"][to])
    laid: Any = _held(obs["laid"]) if phase in ("build", "pay") else 0
    choice = None
    if to == 0:
        own = [_card(config, card) for card in obs["hand"][:, 0] if card]
        picks = [_card(config, card) for card in obs["laid"][:, 0] if card]
        hand, drafted, laid = (own, picks, []) if phase == "draft" else ([], own, picks)
        choice = _only(obs["choice"]) if obs["choice"].any() else None
    low, times = obs["more_points"][to].tolist()
    return {
        "points": int(obs["points"][to]) + low + BEYOND * times,
        "shown": None,
        "pixels": _pixels(obs["pixels"][to]),
        "slots": _slots(obs, to),
        "hand": hand,
        "choice": choice,
        "drafted": drafted,
        "laid": laid,
        "asked": int(obs["asked"]) if to == 0 else None,
        "abilities": _names(config.cards.abilities, obs["abilities"][to]),
        "used": _names(config.cards.converters, obs["used"][to]),
        "used_abilities": _names(config.cards.abilities, obs["used_abilities"][to]),
    }


def _slots(obs: Any, to: int) -> list[dict[str, Any]]:
    slots, begin = [], 0
    for kinds, cards in zip(obs["slots"][to], obs["slot_cards"][to].tolist(), strict=True):
        installed = [int(kind) for kind in obs["installed"][to, begin : begin + cards, 0]]
        slots.append({"type": TYPES[kinds.argmax()] if cards else None, "cards": installed})
        begin += cards
    return slots


def _names(names: list[str], counts: Any) -> list[str]:
    return [name for name, count in zip(names, counts.tolist(), strict=False) for _ in range(count)]
