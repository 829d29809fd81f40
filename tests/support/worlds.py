"""Worlds that a viewer cannot tell apart give it the same over every channel; no game is named here."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from tests.support.channels import given_to
from tests.support.room import Room

SEED = 11
DECISIONS = 400  # of a random game
_BEFORE = 4  # decisions played in a room before it is looked at, so that it has a log


def phase_of(match: Match) -> tuple[Any, bool]:
    """The phase of a position, as far as its snapshot names one, and whether seats choose at once."""
    return match.snapshot(omniscient=True).get("phase", ""), match.choosing()[0] != 0


def rooms(game: Game, options: Mapping[str, Any], each: int, seed: int = SEED) -> Iterator[tuple[str, Room]]:
    """Rooms in a random game, at so many positions of each phase that it reaches."""
    match, chance = Match(game, seed=seed, **options), random.Random(seed)
    states, actions = [match.get_state()], []
    found: dict[tuple[Any, bool], list[int]] = {}
    while not match.over and len(actions) < DECISIONS:
        found.setdefault(phase_of(match), []).append(len(actions))
        actions.append(chance.choice(match.legal_actions()))
        match.play(actions[-1])
        states.append(match.get_state())
    chosen = [place for places in found.values() for place in chance.sample(places, min(each, len(places)))]
    for number in sorted(chosen):
        begin = max(0, number - _BEFORE)
        match.set_state(states[begin])
        room = Room.at(match)
        for action in actions[begin:number]:
            room.play(action)
        yield f"{game.id} {dict(options)}, seed {seed}, decision {number}", room


def other_world(match: Match, viewer: int | None, seed: int) -> Match:
    """A position that a viewer cannot tell from the true one; for spectators, what any seat alone knows differs too."""
    for seat in range(match.players) if viewer is None else (viewer,):
        match = match.clone(determinize=seat, seed=seed)
    return match


def differences(
    game: Game, options: Mapping[str, Any], each: int, worlds: int = 1, seed: int = SEED
) -> Iterator[tuple[str, tuple[Any, bool], list[str]]]:
    """Compare what the seat to decide and, in turn, spectators and another seat are given.

    Args:
        game: the game.
        options: `players` and its own.
        each: positions of each phase.
        worlds: other worlds for each viewer of a position.
        seed: of the game.

    Yields:
        position and viewer, its phase, and the channels that show what the viewer cannot know.
    """
    for number, (where, room) in enumerate(rooms(game, options, each, seed)):
        match = room.match
        others = [seat for seat in range(match.players) if seat != match.seat]
        for viewer in (match.seat, None if number % 2 else others[number % len(others)]):
            true = given_to(room.with_position(match), viewer)
            for world in range(worlds):
                told = given_to(room.with_position(other_world(match, viewer, world)), viewer)
                differ = sorted(name for name in {*true, *told} if true.get(name) != told.get(name))
                yield f"{where}, viewer {viewer}", phase_of(match), differ
