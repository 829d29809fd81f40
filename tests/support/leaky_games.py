"""Games with one leak each. Every check of `secrecy.py` must find one of them.

Each has its own name, since compiled loops are distinguished by the game's name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.rng import shuffle
from bdgame_env.games.pixel_pusher.game import GAME as PIXEL_PUSHER
from tests.support import bid_game as bid
from tests.support import toy_game as toy
from tests.support.variants import variant


def leaky(of: Game, name: str, **fault: Any) -> Game:
    """A game with some functions replaced."""
    return variant(of, name=name, module=__name__, **fault)


@kernel
def _shuffles_the_true_order(s: Any, config: Any, seat: Any) -> None:
    shuffle(s, s.deck, int(s.left))


@kernel
def _leaves_the_others_cards(s: Any, config: Any, seat: Any) -> None:
    kept = (s.secret[0], s.secret[1], s.secret[2])
    toy.resample(s, config, seat)
    for other in range(3):
        if other != seat and s.secret[other] != kept[other]:
            for place in range(s.left):
                if s.deck[place] == kept[other]:
                    s.deck[place] = s.secret[other]
                    s.secret[other] = kept[other]
                    break


@kernel
def _leaves_the_choices(s: Any, config: Any, seat: Any) -> None:
    bid._mix_prizes(s)


@kernel
def _shows_the_choices(s: Any, config: Any, seat: Any, out: Any) -> None:
    bid.observe(s, config, seat, out)
    for card in range(bid.CARDS):
        if s.choice[0] == card + 1:
            out.hands[(0 - seat) % config.players, card] = 0


@kernel
def _counts_the_choices(s: Any, config: Any, seat: Any, out: Any) -> None:
    bid.observe(s, config, seat, out)
    out.asked = s.seat % 2


@kernel
def _forbids_the_choice(s: Any, config: Any, mask: Any) -> None:
    bid.legal(s, config, mask)
    if s.seat > 0:
        mask[s.choice[0] - 1] = 0
        if s.hands[s.seat].sum() == 1:
            mask[s.choice[0] - 1] = s.hands[s.seat, s.choice[0] - 1]


@kernel
def _takes_turns_after_a_card(s: Any, config: Any, out: Any) -> Any:
    phase = bid.simultaneous(s, config, out)
    return 0 if s.choice[0] % 2 == 1 else phase


@kernel
def _leaves_a_trace(s: Any, config: Any, seat: Any) -> None:
    chosen = int(s.choice[0])
    bid.resample(s, config, seat)
    s.rng += np.uint64(chosen)


@kernel
def _counts_the_choice_as_points(s: Any, config: Any, seat: Any) -> Any:
    return int(s.points[seat]) + int(s.choice[seat])


@kernel
def _pays_for_the_choice(s: Any, config: Any, seat: Any) -> Any:
    return s.points[seat] / 15.0 + s.choice[0] / 100.0


def _snapshot_with_choices(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    shown = bid.POSITION.snapshot(s, config, omniscient, seat)
    return {**shown, "choice": [int(card) for card in s.choice[: config.players]]}


def _snapshot_with_the_seat(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    return {**bid.POSITION.snapshot(s, config, omniscient, seat), "seat": int(s.seat)}


def _tells_one(s: Any, config: GameConfig, action: int, viewer: int | None) -> str:
    return f"bid {action + 1}" if viewer == 2 else ""


SHUFFLES = leaky(toy.GAME, "toy_shuffles_true_order", resample=_shuffles_the_true_order)
KEEPS_CARDS = leaky(toy.GAME, "toy_keeps_cards", resample=_leaves_the_others_cards)
KEEPS_CHOICES = leaky(bid.GAME, "bid_keeps_choices", resample=_leaves_the_choices)
SHOWS_CHOICES = leaky(bid.GAME, "bid_shows_choices", observe=_shows_the_choices)
COUNTS_CHOICES = leaky(bid.GAME, "bid_counts_choices", observe=_counts_the_choices)
PAYS = leaky(bid.GAME, "bid_pays_for_choices", progress=_pays_for_the_choice)
SNAPSHOT_SHOWS = leaky(bid.GAME, "bid_snapshot_shows", snapshot=_snapshot_with_choices)
SNAPSHOT_COUNTS = leaky(bid.GAME, "bid_snapshot_counts", snapshot=_snapshot_with_the_seat)
HURRIES = leaky(PIXEL_PUSHER, "pixel_pusher_hurries", simultaneous_steps=None)
FORBIDS = leaky(bid.GAME, "bid_forbids_choices", legal=_forbids_the_choice)
TAKES_TURNS = leaky(bid.GAME, "bid_takes_turns", simultaneous=_takes_turns_after_a_card)
LEAVES_A_TRACE = leaky(bid.GAME, "bid_leaves_a_trace", resample=_leaves_a_trace)
COUNTS_AS_POINTS = leaky(bid.GAME, "bid_counts_as_points", shown_points=_counts_the_choice_as_points)
TELLS = leaky(bid.GAME, "bid_tells_one", told=_tells_one)

LEAKS = [
    ("copies_depend_on_knowledge_and_chance_only", SHUFFLES, "depends on what it does not know"),
    ("copies_depend_on_knowledge_and_chance_only", KEEPS_CARDS, "depends on what it does not know"),
    ("nothing_handed_out_leads_back", SHUFFLES, "Match.clone: deck: undoing the shuffle gives the true order"),
    ("opponents_in_python_get_nothing_that_leads_back", SHUFFLES, "undoing the shuffle gives the true order"),
    ("secret_choices_show_nowhere", KEEPS_CHOICES, "copy for search"),
    ("secret_choices_show_nowhere", SHOWS_CHOICES, "observation"),
    ("secret_choices_show_nowhere", COUNTS_CHOICES, "not told, but shown by .*observation"),
    ("secret_choices_show_nowhere", PAYS, "reward"),
    ("secret_choices_show_nowhere", SNAPSHOT_SHOWS, "snapshot.*page"),
    ("secret_choices_show_nowhere", SNAPSHOT_COUNTS, "not told, but shown by .*snapshot"),
    ("choosing_at_once_tells_nothing_before_its_end", HURRIES, "the phase takes . steps, or more"),
    ("what_is_told_is_what_is_seen", TELLS, "though it sees no difference"),
]

# Games of which every channel shows something hidden in one.
CHANNELS = (SHOWS_CHOICES, SNAPSHOT_SHOWS, PAYS, FORBIDS, TAKES_TURNS, LEAVES_A_TRACE, COUNTS_AS_POINTS)
