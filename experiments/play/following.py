"""What follows from each legal move, as far as the seat to move can know. Knows no game."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from bdgame_env.engine.match import Match
from bdgame_env.render.drawings import words_of
from bdgame_env.render.picture import scene_of

from .reveals import shows_otherwise

_GUESSES = 4  # at hidden cards, to tell which moves show some; whether one can be undone is looked at more closely
_MOST_REPEATS = 12  # of a move in one go


class Following(NamedTuple):
    """What follows from the legal moves of a position.

    Attributes:
        ends: those that end the turn or the round, or may do so.
        lasting: those within the turn that show their maker something hidden, so that they cannot be undone.
        again: those that people make several times in a row, and how often in a row each can be made now.
        gain: the most points that one of them brings at once.
        then: for those in `again`, how the second time, the third and so on reads in words.
    """

    ends: list[str]
    lasting: list[str]
    again: dict[str, int]
    gain: int
    then: dict[str, list[str]]


def follow(match: Match, repeated: Collection[str]) -> Following:
    """Look at what follows from each legal move of a match, which is not changed.

    Args:
        match: the match, in which a seat is to move.
        repeated: the first words of moves that people make several times in a row.
    """
    seat, gain = match.seat, 0
    guesses = [match.clone(determinize=seat, seed=number) for number in range(_GUESSES)]
    found, before = Following([], [], {}, 0, {}), guesses[0].snapshot(seat=seat).get("round")
    points = match.points()[seat]
    for move in guesses[0].legal_moves():  # in games without leaks those of the match
        twin, *others = (guess.clone() for guess in guesses)
        times, action = 1, twin.string_to_action(move)
        twin.play(action)
        seen = twin.snapshot(seat=seat)
        otherwise = [shows_otherwise(other, action, seat, seen) for other in others]
        gain = max(gain, int(twin.points()[seat] - points))
        if any(each.over or each.seat != seat for each in (twin, *others)) or seen.get("round") != before:
            found.ends.append(move)
        elif any(otherwise):
            found.lasting.append(move)
        elif move.partition(" ")[0] in repeated:
            told = []
            while times < _MOST_REPEATS and not twin.over and twin.seat == seat and twin.mask()[action]:
                told.append(words_of(scene_of(twin, seat=seat), move))
                twin.play(action)
                times += 1
            if times > 1:
                found.again[move], found.then[move] = times, told
    return found._replace(gain=gain)
